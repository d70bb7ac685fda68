import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineRail } from '../../../src/app/cli/doctor/doctor.ts';
import { type Exposed, expose } from '../../harness/chaos/kills.ts';
import { Payer } from '../../harness/people/payer.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { capture } from '../../harness/processes.ts';

let primary: OwnPostgres;
let replica: OwnPostgres;
let exposed: Exposed;
let auditor: string;

beforeAll(async () => {
  primary = await OwnPostgres.start();
  replica = await primary.replicate();
  exposed = await expose(primary, 2, { DATABASE_REPLICA_URL: replica.url, DRAIN_SECONDS: '0' });
  const issue = ['key:issue', '--organisation', 'Audit', '--email', 'audit@example.com', '--scopes', 'oversight.read'];
  const env = { DATABASE_URL: primary.url, SECRET_KEY: 'k'.repeat(40), LOG_LEVEL: 'fatal' };
  const issued = await capture('src/app/cli/admin.ts', [...issue, '--json'], env);
  auditor = (JSON.parse(issued) as { plaintext: string }).plaintext;
}, 120_000);

afterAll(async () => {
  await Promise.all(exposed.processes.map((one) => one.stop()));
  await replica.remove();
  await primary.remove();
});

interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly asOf: number;
  readonly payments: number;
}

/** The results of `doctor` about replicas, one line for each check. */
async function examine(): Promise<string[]> {
  const results = await examineRail({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url });
  return results.filter(({ check }) => check.startsWith('replica')).map(({ status, found }) => `${status}: ${found}`);
}

/** Asks for revenue as an auditor. */
async function ask(): Promise<Seen> {
  const response = await fetch(`${exposed.processes[0]!.origin}/v1/oversight/revenue?group_by=mda`, {
    headers: { authorization: `Bearer ${auditor}` },
  });
  const { data } = (await response.json()) as { data?: { count: number }[] };
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    asOf: Date.parse(response.headers.get('as-of') ?? ''),
    payments: (data ?? []).reduce((sum, { count }) => sum + count, 0),
  };
}

/** Pays once, through both processes, and answers when that was. */
async function pay(): Promise<Date> {
  const payer = new Payer(exposed.shop);
  await payer.pay();
  expect(payer.wrong).toEqual([]);
  expect(payer.acknowledged.confirm).toHaveLength(1);
  const [row] = await primary.query<{ at: Date }>('select max(created_at) as at from payment_event');
  return row!.at;
}

describe('a replica that oversight reads', () => {
  it('answers instead of the database, and changes nothing', async () => {
    await pay();
    await expect.poll(async () => (await ask()).payments, { timeout: 15_000 }).toBe(2);
    expect(await replica.query('select pg_is_in_recovery() as follows')).toEqual([{ follows: true }]);
    const sessions = `select from pg_stat_activity where application_name = 'revenue-rail oversight'`;
    expect([(await primary.query(sessions)).length, (await replica.query(sessions)).length > 0]).toEqual([0, true]);
    expect(await examine()).toEqual(['ok: revenue-rail-embedded follows', 'ok: follows the primary']);
  }, 60_000);

  it('says as of when its answer is where it is behind, and holds up no payment', async () => {
    await replica.query('select pg_wal_replay_pause()');
    const paidAt = await pay();
    const behind = await ask();
    expect(behind).toMatchObject({ status: 200, payments: 2 });
    expect(behind.asOf).toBeLessThan(paidAt.getTime());
    await replica.query('select pg_wal_replay_resume()');
    await expect.poll(async () => (await ask()).payments, { timeout: 15_000 }).toBe(4);
    expect((await ask()).asOf).toBeGreaterThanOrEqual(paidAt.getTime());
  }, 60_000);

  it('is missed by those alone who ask it, while it is away', async () => {
    await replica.kill();
    expect(await examine()).toEqual(['ok: no standby', expect.stringMatching(/^failed: .*ECONNREFUSED/)]);
    expect(await ask()).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    await pay();
    for (const { origin } of exposed.processes) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    await replica.startAgain();
    await expect.poll(async () => (await ask()).payments, { timeout: 20_000 }).toBe(6);
  }, 90_000);
});
