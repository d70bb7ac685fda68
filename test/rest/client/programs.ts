import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventCatalogue } from '../../../src/accounts/events/event-types.ts';
import { relay } from '../../../src/accounts/webhooks/relay.ts';
import { signatureHeadersOf } from '../../../src/accounts/webhooks/signature.ts';
import { pageAt } from '../../harness/pages.ts';
import type { TestRail } from '../../harness/rail.ts';

const run = promisify(execFile);
export const CLIENT = fileURLToPath(new URL('../../../clients/typescript/', import.meta.url));

/** The programs on the page of the client. */
export const programs = pageAt('clients/typescript/README.md').blocks.filter(({ language }) => language === 'ts');

/** A folder that has the client, as its package installs it, and the programs of its page. */
export function testInstalled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rail-client-'));
  beforeAll(async () => {
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: CLIENT });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await run('npm', ['install', '--offline', '--silent', ...globSync(join(folder, '*.tgz'))], { cwd: folder });
    for (const { tested, text: program } of programs)
      for (const form of ['mjs', 'ts']) writeFileSync(join(folder, `${tested}.${form}`), program);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the programs as they stand, each by these commands. */
export function describePrograms(
  rail: TestRail,
  folder: string,
  commands: readonly (readonly [string, ...string[]])[],
): void {
  const scopes = ['citizens.read', 'assessments.write', 'payments.initiate'] as const;

  describe.each(commands)('a program that %s runs', (command, ...options) => {
    const argumentsOf = (name: string) => [...options, join(folder, `client-${name}.mjs`)];
    const printedBy = async (name: string, env: Readonly<Record<string, string>> = {}) => {
      const { plaintext } = await rail.key(...scopes);
      const { stdout } = await run(command, argumentsOf(name), {
        env: { RAIL: rail.origin, RAIL_KEY: plaintext, NO_COLOR: '1', ...env },
      });
      return stdout;
    };

    it('makes a first payment, repeats safely, and reads lists', async () => {
      expect(await printedBy('first-payment')).toMatch(/^Confirmed\nURA \d+ UGX\n$/);
      expect(await printedBy('refusals')).toBe('true\nAsk again later\n');
    });

    it('adds up what was received, page after page', async () => {
      const { plaintext } = await rail.key(...scopes);
      await printedBy('first-payment', { RAIL_KEY: plaintext });
      await printedBy('first-payment', { RAIL_KEY: plaintext });
      const { data } = await rail.ask('/v1/payment-events', { key: plaintext });
      expect(data.length).toBe(2);
      const total = data[0].amount + data[1].amount;
      expect(await printedBy('lists', { RAIL_KEY: plaintext })).toMatch(new RegExp(`^URA ${total}\nname,intent,`));
    });

    it('follows events to the last one', async () => {
      const { plaintext } = await rail.key(...scopes);
      await printedBy('first-payment', { RAIL_KEY: plaintext });
      while ((await relay(rail.rail)) > 0);
      const printed = (await printedBy('events', { RAIL_KEY: plaintext })).split('\n');
      expect(printed.map((line) => line.slice(37)).toSorted()).toEqual([
        '',
        expect.stringMatching(/^assessment\.paid ASMT-/),
        expect.stringMatching(/^payment_intent\.confirmed PI-/),
      ]);
    });

    it('reads the figures of a named operation', async () => {
      await printedBy('first-payment');
      const { plaintext } = await rail.key('oversight.read');
      expect(await printedBy('figures', { RAIL_KEY: plaintext })).toMatch(/^URA \d+ UGX$/m);
    });

    it('receives what the rail signs, and nothing else', async () => {
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const { example } = eventCatalogue.find(({ type }) => type === 'payment_intent.confirmed')!;
      const body = JSON.stringify(example);
      const port = await findFreePort();
      const receiver = spawn(command, argumentsOf('webhooks'), {
        env: { RAIL_WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const printed = text(receiver.stdout);
      const send = (headers: Record<string, string>) =>
        fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).then(
          ({ status }) => status,
          () => null,
        );
      await expect.poll(() => send({})).toBe(401);
      expect(await send(signatureHeadersOf({ current: secret, previous: null }, 'MSG-1', new Date(), body))).toBe(204);
      receiver.kill();
      expect(await printed).toMatch(/^PI-\S+ \d+\n$/);
    });
  });
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
