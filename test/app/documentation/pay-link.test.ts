import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createAssessed, makeActor } from '../../harness/flow.ts';
import { LinkHolder } from '../../harness/people/link.ts';
import { pageAt } from '../../harness/pages.ts';
import { testRail } from '../../harness/rail.ts';
import { findFreePort } from '../../rest/client/programs.ts';

const rail = testRail({ WEBHOOK_ALLOW_PRIVATE: 'on', JOBS: 'on' });
const CLIENT = fileURLToPath(new URL('../../../clients/typescript/src/index.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rail-pay-link-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { text } = pageAt('docs/integrators.md').blocks.find(({ tested }) => tested === 'pay-link')!;

it('adds Pay to a site in ten lines: it sends payers to the page, and hears that they paid', async () => {
  const lines = text.split('\n').filter((line) => !/^(import .*|\s*\}?)$/.test(line));
  expect(lines.length).toBeLessThanOrEqual(10);
  const actor = await makeActor(rail, { managesAccount: true });
  const port = await findFreePort();
  const site = `http://127.0.0.1:${port}`;
  const profile = { webhook_endpoint: `${site}/webhooks`, return_hosts: ['shop.example.com'] };
  const { data } = await actor.ask('/v1/me', { method: 'PATCH', body: profile });
  const program = join(folder, 'pay.mjs');
  writeFileSync(program, text.replace("'@revenue-rail/client'", JSON.stringify(CLIENT)));
  const server = spawn(process.execPath, [program], {
    env: {
      RAIL: rail.origin,
      RAIL_KEY: actor.key,
      RAIL_WEBHOOK_SECRET: data.webhook_secret,
      RETURN_URL: 'https://shop.example.com/thanks',
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  server.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part));
  try {
    const assessment = await createAssessed(rail, actor);
    const visit = () => fetch(`${site}/pay/${assessment}`, { redirect: 'manual' }).catch(() => null);
    await expect.poll(async () => (await visit())?.status).toBe(303);
    const link = new LinkHolder(rail, { name: '', url: (await visit())!.headers.get('location')! });
    expect(await link.send('/start', { channel: 'card' }).then(({ status }) => status)).toBe(303);
    await link.send('/simulate', { outcome: 'succeed' });
    expect((await link.open('/done')).text).toContain('href="https://shop.example.com/thanks?');
    await expect.poll(() => printed).toBe(`${assessment} is paid\n`);
  } finally {
    server.kill();
  }
});
