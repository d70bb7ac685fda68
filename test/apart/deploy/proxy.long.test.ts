import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { expect, it } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const CADDYFILE = fileURLToPath(new URL('../../../deploy/proxy/Caddyfile', import.meta.url));
const missing = spawnSync('caddy', ['version']).status === 0 ? '' : ' (skipped: caddy is not installed)';
const rail = testRail();

it.skipIf(missing !== '')(`no request fails behind the proxy while a process is replaced${missing}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-proxy-'));
  const [https, port, opsPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  // Addresses of this machine for the names that Compose gives, and nothing kept or trusted outside the folder.
  const config = readFileSync(CADDYFILE, 'utf8')
    .replace('rail-1:4000 rail-2:4000', `127.0.0.2:${port} 127.0.0.3:${port}`)
    .replace('health_port 9100', `health_port ${opsPort}`)
    .replace('{$RAIL_HOST:localhost}', `localhost:${https}`);
  const options = `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), options + config);
  const start = (host: string) =>
    serve('src/app/main.ts', {
      DATABASE_URL: rail.url,
      DATA_DIR: join(folder, host),
      HOST: host,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '5',
      JOBS: 'off',
      OVERSIGHT: 'off',
      LOG_LEVEL: 'error',
    });
  const [one, two] = [await start('127.0.0.2'), await start('127.0.0.3')];
  const proxy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: 'ignore',
  });
  const gone = once(proxy, 'exit');
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const ask = () =>
    fetch(`https://localhost:${https}/v1/mdas?limit=1`, { dispatcher }).then(
      async (answer) => [answer.status, await answer.text()] as const,
      () => null,
    );
  try {
    await expect.poll(async () => (await ask())?.[0], { timeout: 60_000, interval: 250 }).toBe(200);
    const answers: unknown[] = [];
    const stopped = one.stop();
    for (let left = 100; left > 0; left--) {
      answers.push((await ask())?.[0]);
      await sleep(100);
    }
    expect(await stopped).toBe(0);
    expect(answers.filter((status) => status !== 200)).toEqual([]);
    expect(two.alive()).toBe(true);
  } finally {
    await dispatcher.destroy();
    proxy.kill();
    await gone;
    await Promise.all([one.kill(), two.kill()]);
    rmSync(folder, { recursive: true });
  }
});
