import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeadersOf } from '../../../src/accounts/webhooks/signature.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { type Window, addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });

/** Runs commands in a shell of their own, in which a key may be set. */
async function run(commands: string, key?: string): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], ...(key !== undefined && { RAIL_KEY: key }) };
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${commands}`], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  return { status: status as number, stdout, stderr };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const canFollow =
  browser.found && ['curl', 'python3'].every((program) => spawnSync(program, ['--version']).status === 0);

/** Programs as files, and what runs them. */
const PROGRAMS = {
  TypeScript: ['ts', process.execPath],
  Python: ['py', 'python3'],
} as const;

const fileOf = (name: keyof typeof PROGRAMS, program: string) =>
  `FILE=$(mktemp --suffix .${PROGRAMS[name][0]})\ncat > $FILE <<'PROGRAM'\n${program}\nPROGRAM\n`;

/** In which languages the lessons are followed. */
const FOLLOWED = sizeOf<readonly (keyof typeof PROGRAMS)[]>({ fast: [], long: ['TypeScript', 'Python'] });

/** The parts of a lesson in a language, in their order. */
const partsOf = (page: Page, name: string) => page.locator(`article [id^="sample-"][id$="-${name}"]`).allTextContents();

describe.skipIf(!canFollow)(runInBrowser('the first payment'), () => {
  it('is made by the commands of the page as they stand, with the key that they name', async () => {
    const account: Account = await makeAccount(rail);
    const { page, wrong, close } = await openWindow(browser, rail);
    const commandsOf = async () => (await page.locator('article pre:not(.snippet pre)').allTextContents()).join('\n');

    await page.goto('/docs/first-payment');
    const anybodys = await commandsOf();
    expect(anybodys).toContain(`RAIL=${rail.origin}\n`);
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /sign up/ })
        .getAttribute('href'),
    ).toBe('/signup');
    expect(await run(anybodys)).toMatchObject({
      status: expect.any(Number),
      stdout: '',
      stderr: expect.stringContaining('Set RAIL_KEY to the key of your account'),
    });

    await addCookie(page.context(), rail, await signIn(rail, account));
    await page.goto('/docs/first-payment');
    const shown = account.key.slice(0, 8);
    const own = await commandsOf();
    expect(own).toContain(`Set RAIL_KEY to your key ${shown}`);
    expect(own).toContain(`…${account.key.slice(-4)}}`);
    await page.getByText(`filled in for your account ${account.integrator}`).waitFor();
    expect(await page.content()).not.toContain(account.key);
    await expectAccessible(page);
    for (const commands of sizeOf({ fast: [own], long: [anybodys, own] })) {
      const { status, stdout, stderr } = await run(commands, account.key);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('"status":"Confirmed"');
      expect(stdout).toContain('Assessed → Paid');
    }
    for (const name of FOLLOWED) {
      const [program] = await partsOf(page, name);
      const { status, stdout, stderr } = await run(`${fileOf(name, program!)}${PROGRAMS[name][1]} $FILE`, account.key);
      expect([name, status, /Error|Traceback/.exec(stderr)]).toEqual([name, 0, null]);
      expect(stdout).toMatch(/^Confirmed\n.*UGX\n.*UGX\n$/);
    }
    expect(wrong).toEqual([]);
    await close();
  });
});

describe.skipIf(!canFollow)(runInBrowser('the lesson of integrators'), () => {
  let account: Account;
  let window: Window;
  beforeAll(async () => {
    account = await makeAccount(rail);
    window = await openWindow(browser, rail);
    await addCookie(window.page.context(), rail, await signIn(rail, account));
    await window.page.goto('/docs/integrators');
  });
  afterAll(() => window.close());

  it('names the key, the services and the rail of its reader, and leads to the reference', async () => {
    const { page, wrong } = window;
    await page
      .getByText(`Set RAIL_KEY to your key ${account.key.slice(0, 8)}`)
      .first()
      .waitFor();
    await page.getByText('URA-MVTRANSFER').first().waitFor();
    expect(await page.locator('article').textContent()).not.toContain('127.0.0.1:4000');
    await expectAccessible(page);
    await page.getByRole('article').getByRole('link', { name: 'reference for integrators' }).click();
    expect(page.url()).toBe(`${rail.origin}/docs/integrators-reference`);
    await page.goBack();
    expect(wrong).toEqual([]);
  });

  it('shows all parts in the language that is chosen at one', async () => {
    const { page } = window;
    const shown = () => page.locator('article .tab:visible code').evaluateAll((all) => all.map(({ id }) => id));
    expect((await shown()).filter((id) => !/-(curl|TypeScript)$/.test(id))).toEqual([]);
    await page.getByText('Python', { exact: true }).nth(2).click();
    expect((await shown()).filter((id) => !id.endsWith('-Python'))).toEqual([]);
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
  });

  it.each(['curl', ...FOLLOWED] as const)(
    'is followed in %s as it stands',
    async (name) => {
      const parts = await partsOf(window.page, name);
      const program = parts.slice(0, name === 'curl' ? parts.length : -1).join('\n');
      const commands = name === 'curl' ? program : `${fileOf(name, program)}${PROGRAMS[name][1]} $FILE`;
      const { status, stdout, stderr } = await run(commands, account.key);
      expect([status, /Error|Traceback/.exec(stderr)]).toEqual([0, null]);
      expect(stdout).toMatch(
        /^sandbox\nSVC-\S+ \S+\n(ASMT-\S+)\n\1\nAssessed\nConfirmed\nalready_confirmed\ncollection_failed\nURA \d+ UGX\n$/,
      );
    },
    120_000,
  );

  it.each(FOLLOWED)('has a receiver in %s that takes what the rail signs, once, and nothing else', async (name) => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = JSON.stringify({ id: 'MSG-1', type: 'webhook.test', data: { object: { name: 'WT-1' } } });
    const program = (await partsOf(window.page, name)).at(-1)!;
    const port = await findFreePort();
    const receiver = spawn('bash', ['-c', `${fileOf(name, program)}exec ${PROGRAMS[name][1]} $FILE`], {
      env: { PATH: process.env['PATH'], RAIL_WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const printed = text(receiver.stdout);
    const send = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).then(
        ({ status }) => status,
        () => null,
      );
    const signed = signatureHeadersOf({ current: secret, previous: null }, 'MSG-1', new Date(), body);
    await expect.poll(() => send({})).toBe(401);
    expect([await send(signed), await send(signed), await send({ ...signed, 'X-Service-Signature': '00' })]).toEqual([
      204, 204, 401,
    ]);
    receiver.kill();
    expect(await printed).toBe('webhook.test WT-1\n');
  });
});
