import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rail, recorded, walkEverything } from '../../rest/walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-prism-'));
let proxy = '';
let stop = () => {};

beforeAll(async () => {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, (await rail.ask('/v1/openapi.json')).text);
  const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli');
  const options = ['--errors', '--port=0'];
  const child = spawn(process.execPath, [prism, 'proxy', document, rail.origin, ...options]);
  stop = () => child.kill();
  for await (const line of createInterface(child.stdout)) {
    proxy = /listening on (http:\S+)/.exec(line)?.[1] ?? '';
    if (proxy) break;
  }
  child.stdout.resume();
});
afterAll(() => {
  vi.unstubAllGlobals();
  stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Not asked through Prism, which follows redirects and answers what they lead to. */
const REDIRECTS = '/v1/login/consume?';

it('agrees with Prism in front of the recorded walk about every request and answer', async () => {
  const ask = fetch;
  const objections: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = url.slice(rail.origin.length);
    if (!url.startsWith(rail.origin) || path.startsWith(REDIRECTS)) return ask(url, init);
    const through = await ask(proxy + path, init);
    const text = await through.clone().text();
    // A request that Prism refuses has not reached the rail, which must refuse it in the same way.
    const own = text.includes('"https://stoplight.io/prism/errors#') ? await ask(url, init) : through;
    const violations = through.headers.get('sl-violations');
    if (own.status !== through.status || violations !== null)
      objections.push(`${init.method} ${path} ${own.status}: ${violations ?? text}`);
    return own;
  });
  await walkEverything();
  expect(objections).toEqual([
    // Prism takes `application/problem+json` for `application/json`: it leaves out what is before the plus.
    `GET /v1/me 401: [{"location":["response","body"],"severity":"Error","code":"required","message":"Response body must have required property 'error'"}]`,
  ]);
  const record = readFileSync(new URL('../../rest/walk.recorded.txt', import.meta.url), 'utf8');
  // Prism writes several headers of one name into one, without a blank.
  expect(`${recorded.join('\n\n')}\n`.replaceAll(',known=', ', known=')).toBe(record);
});
