import { chmodSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRail } from '../../../src/app/open-rail.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { expectInvariantsOf } from '../../harness/chaos/invariants.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { type Served, serve } from '../../harness/processes.ts';

/** Debian's package `faketime` moves the clock of a process. */
const [faketime] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

const MINUTE_MS = 60_000;
/** Far more than the others send in a minute. */
const LIMIT = 120;
/** Phone numbers of the simulator: one payer pays, one never answers. */
const PAYS = '+256700123456';
const IS_SILENT = '+256700123000';

/**
 * The rail's clock is the database's. So the process and PostgreSQL read one offset from a file, and see it change while
 * they run, as on a machine whose clock is set, or that was suspended. The steady clock is left alone.
 */
const folder = mkdtempSync(join(tmpdir(), 'rail-time-'));
const file = join(folder, 'offset');
const FAKED = {
  LD_PRELOAD: faketime ?? '',
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
};

let offsetMs = 0;
const now = () => Date.now() + offsetMs;
/** Steps the clock of the rail and of its database. */
function step(ms: number): void {
  offsetMs += ms;
  writeFileSync(`${file}.new`, `${offsetMs < 0 ? '' : '+'}${(offsetMs / 1_000).toFixed(3)}\n`);
  renameSync(`${file}.new`, file);
}
const stepTo = (at: number) => step(at - now());
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);

describe.skipIf(!faketime)('a rail whose clock is set', () => {
  let postgres: OwnPostgres;
  let served: Served;
  /** Pays, and uses up its limit. */
  let [payer, spender] = ['', ''];
  let draft: object;
  const numbers: string[] = [];
  const receipts: { name: string; code: string }[] = [];
  const newYear = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1);

  const withFakedTime = async <T>(start: () => Promise<T>): Promise<T> => {
    Object.assign(process.env, FAKED);
    try {
      return await start();
    } finally {
      for (const name of Object.keys(FAKED)) Reflect.deleteProperty(process.env, name);
    }
  };
  const startRail = async () => {
    served = await serve('src/app/main.ts', {
      ...FAKED,
      DATABASE_URL: postgres.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: 'k'.repeat(40),
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_KEY: `${LIMIT}`,
      RATE_LIMIT_SHARED: '1',
    });
  };

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    stepTo(newYear - 5 * MINUTE_MS);
    postgres = await withFakedTime(() => OwnPostgres.start());
    await startRail();
    const config = readConfig({
      DATABASE_URL: postgres.url,
      DATA_DIR: join(folder, 'own'),
      SECRET_KEY: 'k'.repeat(40),
      JOBS: 'off',
    });
    const { rail, close } = await openRail(config, createLog('silent'));
    const keyOf = async (who: string) =>
      (
        await issueKey(rail, { organisation: who, email: `${who}@example.com` }, [
          'assessments.write',
          'payments.initiate',
        ])
      ).plaintext;
    [payer, spender] = [await keyOf('payer'), await keyOf('spender')];
    await close();
    const [found] = await postgres.query<{ citizen: string; service: string }>(
      `select (select min(name) from citizen) as citizen, (select name from service where code = 'URA-PAYE') as service`,
    );
    draft = { citizen: found!.citizen, lines: [{ service: found!.service }] };
  });
  afterAll(async () => {
    await served.stop();
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function post<Data = { name: string }>(path: string, body: object = {}, key = payer): Promise<Data> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(served.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}\n${served.log()}`);
    return ((await response.json()) as { data: Data }).data;
  }

  /** Asks a payer for money; the docname of the intent. */
  async function send(msisdn = PAYS): Promise<string> {
    const { name: assessment } = await post('/v1/assessments', draft);
    await post(`/v1/assessments/${assessment}:assess`);
    const { name: intent } = await post('/v1/payment-intents', { assessment, channel: 'mtn_momo' });
    await post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: msisdn });
    numbers.push(assessment, intent);
    return intent;
  }

  /** Has an intent confirmed, and answers the month that its payment and its receipt are numbered by. */
  async function confirm(intent: string): Promise<string> {
    await post(`/v1/payment-intents/${intent}:confirm`).catch(async (error: unknown) => {
      // The rail asked the aggregator first.
      if ((await statusOf(intent)) !== 'Confirmed') throw error;
    });
    const events = await postgres.query<{ name: string; at: Date }>(
      'select name, occurred_at as at from payment_event where intent = $1',
      [intent],
    );
    const [receipt] = await postgres.query<{ name: string; code: string }>(
      'select name, code from receipt where intent = $1',
      [intent],
    );
    receipts.push(receipt!);
    numbers.push(receipt!.name, ...events.map(({ name }) => name));
    const months = new Set(
      [receipt!.name, ...events.map(({ name }) => name)].map((name) => /\d{4}-\d{2}/.exec(name)![0]),
    );
    for (const { at } of events) months.add(monthOf(at.getTime()));
    expect(months.size).toBe(1);
    return [...months][0]!;
  }

  const statusOf = async (intent: string) =>
    (await postgres.query<{ status: string }>('select status from payment_intent where name = $1', [intent]))[0]!
      .status;

  /** Nothing has a number twice, each payment is there once, receipts are valid, limits start again and jobs run. */
  async function expectSound(): Promise<void> {
    expect(await confirm(await send())).toBe(monthOf(now()));
    expect(new Set(numbers).size).toBe(numbers.length);
    await expectInvariantsOf((query) => postgres.query(query));
    for (const receipt of receipts)
      expect(await post<{ state: string }>('/v1/receipts:verify', receipt), receipt.name).toMatchObject({
        state: 'valid',
      });
    const statuses: number[] = [];
    const spend = async () =>
      (await fetch(`${served.origin}/v1/mdas`, { headers: { authorization: `Bearer ${spender}` } })).status;
    for (let asked = 0; asked <= LIMIT; asked++) statuses.push(await spend());
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    // Cron has planned the minute that it is, and its jobs were run.
    const behind = async () =>
      (
        await postgres.query<{ minutes: number }>(`
          select floor(extract(epoch from now() - last_execution) / 60)::int as minutes
          from graphile_worker._private_known_crontabs where identifier = 'expire_intents'`)
      )[0]!.minutes;
    await expect.poll(behind, { timeout: 150_000, interval: 500 }).toBe(0);
    await expect
      .poll(() => postgres.query(`select from graphile_worker.jobs where run_at < now() - interval '1 minute'`), {
        timeout: 150_000,
        interval: 500,
      })
      .toEqual([]);
  }

  it('through New Year, as it goes on', async () => {
    stepTo(newYear - 10_000);
    expect(await confirm(await send())).toBe(monthOf(newYear - 1));
    await expect.poll(now, { interval: 100 }).toBeGreaterThan(newYear);
    await expectSound();
  });

  it('over the end of a month, with an intent that was Sent in the old one', async () => {
    const end = Date.UTC(new Date(newYear).getUTCFullYear(), 1, 1);
    stepTo(end - MINUTE_MS);
    const sent = await send();
    stepTo(end + 30_000);
    expect(await confirm(sent)).toBe(monthOf(end));
    await expectSound();
  });

  it('two hours ahead, and two hours back', async () => {
    const silent = await send(IS_SILENT);
    step(2 * HOUR_MS);
    await expectSound();
    const sent = await send();
    step(-2 * HOUR_MS);
    expect(await confirm(sent)).toBe(monthOf(now()));
    await expectSound();
    expect(await statusOf(silent)).toBe('Sent');
  });

  it('after 40 days off', async () => {
    const silent = await send(IS_SILENT);
    const paid = await send();
    await served.kill();
    await postgres.kill();
    step(40 * DAY_MS);
    await withFakedTime(() => postgres.startAgain());
    await startRail();
    await expectSound();
    await expect.poll(() => statusOf(silent), { timeout: 150_000, interval: 500 }).toBe('Expired');
    // The aggregator had the money before.
    await expect.poll(() => statusOf(paid), { timeout: 150_000, interval: 500 }).toBe('Confirmed');
  });
});
