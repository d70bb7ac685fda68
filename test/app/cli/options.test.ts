import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { LIVE } from '../../harness/live.ts';
import { run } from '../../harness/processes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

it.each(['src/app/cli/scripts/demo.ts', 'src/app/cli/scripts/sandbox.ts'])(
  '%s refuses an option that there is not, and starts nothing',
  async (script) => {
    expect(await run(script, ['--urls'], {})).toMatchObject({ code: 1, output: '' });
  },
);

describe('npm run demo', () => {
  it('walks one thing at a time', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [`${ROOT}src/app/cli/scripts/demo.ts`, '--live', '--counter'],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([
      1,
      'Give one of --tools, --citizen, --refund, --charges, --settlement, --counter, --live, --live-access and --story\n',
    ]);
  });

  it('says where it finds nobody and why, with --live in the folder of npm run sandbox', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rail-demo-'));
    const port = await findFreePort();
    mkdirSync(join(folder, '.data/sandbox'), { recursive: true });
    writeFileSync(join(folder, '.data/sandbox/address'), `http://127.0.0.1:${port} 1`);
    const walk = (args: readonly string[], env: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, [`${ROOT}src/app/cli/scripts/demo.ts`, ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
      }).stderr;
    const nobody = `No rail answers at http://127.0.0.1:${port} (fetch failed: connect ECONNREFUSED 127.0.0.1:${port}). `;
    expect(walk(['--live'], {})).toContain(nobody);
    expect(walk([], { PORT: String(port) })).toContain(nobody);
    expect(walk(['--live'], { DATA_DIR: folder, PORT: String(port) })).toContain(nobody);
    rmSync(folder, { recursive: true });
  });

  it('says why a rail went away under it', async () => {
    const leaving = createServer((asked, answer) => {
      if (asked.url === '/healthz') answer.end();
      else asked.socket.destroy();
    });
    await once(leaving.listen(0, '127.0.0.1'), 'listening');
    const { port } = leaving.address() as AddressInfo;
    const { errors } = await run('src/app/cli/scripts/demo.ts', [], { PORT: String(port) });
    leaving.close();
    expect(errors).toMatch(/^fetch failed: \w/);
  });
});

describe('a command', () => {
  it.each([
    ['npm run admin --', { npm_lifecycle_event: 'admin' }],
    ['admin', {}],
  ])('is called %s where that is what there is', async (name, env) => {
    const { output } = await run('src/app/cli/admin.ts', ['--help'], env);
    expect(output.split('\n')[0]).toBe(`Usage: ${name} [options] [command]`);
  });

  it('is called so in messages, of which none leads to an npm that is not there', () => {
    const files = globSync(
      'src/{app,sandbox,site,oversight,console,counter,identity,accounts,collection,platform,adapters}/**/*.ts',
      {
        cwd: ROOT,
        exclude: ['src/app/development/**', 'src/app/cli/scripts/**', 'src/sandbox/demo/**'],
      },
    );
    const lines = files.flatMap((file) => readFileSync(`${ROOT}${file}`, 'utf8').split('\n'));
    const named = lines.filter((line) => /npm (run|start)/.test(line) && !/^ *(\/?\*|\/\/)|BY_NPM/.test(line));
    expect(named).toEqual([]);
  });
});

describe('npm run admin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-files-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'half.json'), '{');
  writeFileSync(join(folder, 'latin.csv'), Buffer.from([0x61, 0xff]));

  it.each([
    ['a profile that is no JSON', ['catalogue:load', '--file', 'half.json'], /^half\.json: .*JSON/],
    ...sizeOf<[string, string[], RegExp][]>({
      fast: [],
      long: [
        ['a profile that is not there', ['catalogue:load', '--file', 'none.json'], /^none\.json: ENOENT/],
        ['targets that are not there', ['targets:load', 'none.csv'], /^ENOENT: .*none\.csv/],
        ['targets that are not UTF-8', ['targets:load', 'latin.csv'], /^latin\.csv: is not UTF-8/],
        ['a folder that is not there', ['export', 'revenue', '--out', 'none/out.csv'], /^ENOENT: .*none/],
        ['a database that refuses', ['staff:list'], /ECONNREFUSED/],
      ],
    }),
  ])('says in one line that it was given %s', (_what, args, line) => {
    const { status, stderr } = spawnSync(process.execPath, [`${ROOT}src/app/cli/admin.ts`, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: 'postgresql://rail@127.0.0.1:9/rail' },
    });
    expect(stderr).toMatch(line);
    expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  });

  it('changes no live rail for somebody who does not say who they are', () => {
    const live = { ...LIVE, SMTP_URL: 'none', DATABASE_URL: 'postgresql://rail@127.0.0.1:9/rail' };
    const args = ['staff:add', '--email', 'a@agency.example', '--name', 'A', '--role', 'admin'];
    const { status, stderr } = spawnSync(process.execPath, [`${ROOT}src/app/cli/admin.ts`, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...live },
    });
    expect(stderr.trim()).toBe('RAIL_OPERATOR: needed by what changes a live rail: your name, which the audit records');
    expect(status).toBe(1);
  });
});
