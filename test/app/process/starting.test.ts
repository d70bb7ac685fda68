import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { addressOf, leaveAddress } from '../../../src/app/address.ts';
import { openRail } from '../../../src/app/open-rail.ts';
import { makeSandboxAccounts } from '../../../src/sandbox/accounts.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { LIVE } from '../../harness/live.ts';
import { run, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const env = () => ({ DATABASE_URL: rail.url, PORT: '0', LOG_LEVEL: 'error' });

describe('a sandbox', () => {
  it('listens on this machine alone, unless it is said to be for others too: it takes unsigned callbacks', () => {
    for (const HOST of ['0.0.0.0', '::', '10.0.0.7', 'sandbox.example.org']) {
      expect(() => readConfig({ HOST })).toThrow('HOST: a sandbox listens on this machine alone, since');
      expect(readConfig({ HOST, SANDBOX_PUBLIC: 'on' }).host).toBe(HOST);
      expect(readConfig({ ...LIVE, HOST }).host).toBe(HOST);
    }
    for (const HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) expect(readConfig({ HOST }).host).toBe(HOST);
  });
});

describe('a start', () => {
  it('that fails says why, and ends with 1, also once it listens', { tags: 'long' }, async () => {
    await rail.rows(sql`alter table staff add constraint nobody check (name = '')`);
    try {
      const { code, output, errors } = await run('src/app/main.ts', [], env());
      expect([code, output]).toEqual([1, '']);
      expect(errors).toMatch(/^The rail does not start\. error: new row .* violates check constraint "nobody"/);
    } finally {
      await rail.rows(sql`alter table staff drop constraint nobody`);
    }
  });

  it('without its database says so in one line, and ends with 1', { tags: 'long' }, async () => {
    const url = new URL(rail.url);
    url.port = String(await findFreePort());
    expect(await run('src/app/main.ts', [], { ...env(), DATABASE_URL: url.href })).toEqual({
      code: 1,
      output: '',
      errors: `The rail does not start. DATABASE_URL: the database cannot be used now: connect ECONNREFUSED ${url.host}\n`,
    });
  });

  it('refuses a DATA_DIR that it cannot write to, before it looks for its database', async () => {
    const file = join(rail.dataDir, 'a-file');
    writeFileSync(file, '');
    const DATABASE_URL = 'postgresql://rail@nowhere.invalid/rail';
    const DATA_DIR = join(file, 'data');
    expect(await run('src/app/main.ts', [], { ...env(), DATABASE_URL, DATA_DIR })).toEqual({
      code: 1,
      output: '',
      errors: `The rail does not start. DATA_DIR: the rail cannot write to ${DATA_DIR} (ENOTDIR); give the folder to the user that runs the rail\n`,
    });
  });

  it('waits for as long as another process fills the sandbox and makes its accounts', async () => {
    const other = new pg.Client({ connectionString: rail.url });
    await other.connect();
    await other.query('select pg_advisory_lock(7283006), pg_advisory_lock(7283019)');
    const opening = openRail(readConfig({ DATABASE_URL: rail.url, DATA_DIR: rail.dataDir }), createLog('silent'));
    const making = makeSandboxAccounts(rail.rail);
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted and objid in (7283006, 7283019)`;
    await expect.poll(() => rail.count(waiting)).toBe(2);
    // Longer than a request that comes after them.
    await expect(rail.rows(sql`select pg_advisory_lock(7283006)`)).rejects.toMatchObject({ code: '55P03' });
    expect(await rail.count(waiting)).toBe(2);
    await other.end();
    expect(await making).toMatch(/^[a-z2-9-]+$/);
    await (await opening).close();
  });

  it('makes the tables of the months to come, which the job of a process that was away has missed', async () => {
    const months = () => rail.count(sql`select 1 from pg_class where relname ~ '^trace_row_\\d{4}_\\d\\d$'`);
    const made = await months();
    await rail.rows(sql`
      do $$ declare last text; begin
        select max(relname) into last from pg_class where relname ~ '^trace_row_[0-9]{4}_[0-9]{2}$';
        execute 'drop table ' || last;
      end $$`);
    expect(await months()).toBe(made - 1);
    await (await openRail(readConfig({ DATABASE_URL: rail.url }), createLog('silent'))).close();
    expect(await months()).toBe(made);
  });

  it('leaves its address for commands, unless another process that runs has, and takes it back', async () => {
    const DATA_DIR = mkdtempSync(join(rail.dataDir, 'address-'));
    const start = () => serve('src/app/main.ts', { DATABASE_URL: rail.url, DATA_DIR, JOBS: 'off', LOG_LEVEL: 'error' });
    const address = () => addressOf(readConfig({ DATA_DIR }));
    const first = await start();
    const second = await start();
    expect(second.origin).not.toBe(first.origin);
    expect(address()).toBe(first.origin);
    await second.stop();
    expect(address()).toBe(first.origin);
    await first.kill();
    const third = await start();
    expect(address()).toBe(third.origin);
    await third.stop();
    expect(existsSync(join(DATA_DIR, 'address'))).toBe(false);
    // In a container every process is the first: one that was killed had the number of the next.
    const config = readConfig({ DATA_DIR });
    leaveAddress(config, 'http://127.0.0.1:1');
    leaveAddress(config, 'http://127.0.0.1:2');
    expect(address()).toBe('http://127.0.0.1:2');
  });
});
