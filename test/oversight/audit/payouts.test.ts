import { beforeAll, expect, it } from 'vitest';
import { PROVIDERS } from '../../../src/adapters/payment/providers.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { DAY_MS, dayIn } from '../../../src/kernel/time.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { bookPayout } from './bank-lines.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;
/** The shares of each payment. */
let shares: Readonly<Record<string, number>>;
let provider: string;

type Row = Readonly<Record<string, unknown>>;

const ZONE = 'Africa/Kampala';
const daysAgo = (days: number) => dayIn(new Date(rail.rail.now().getTime() - days * DAY_MS), ZONE);

/** A line of the bank of an agency, about its payments from one day to another. */
const book = async (mda: string, [from, to]: [number, number], amount: number) =>
  bookPayout(rail, { mda, provider, from: daysAgo(from), to: daysAgo(to), valueOn: daysAgo(17), amount });

async function ask(
  by: string,
  group = 'payouts { expected arrived inTransit missing } toBank { daysToBank daysToBankP90 }',
) {
  const query = `{ oversight { figures(by: [${by}]) { nodes { key { agencyId provider day } ${group} } } } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query } });
  expect(json.errors).toBeUndefined();
  return json.data.oversight.figures.nodes.map((row: Record<string, object>) =>
    Object.assign({}, ...Object.values(row)),
  ) as Row[];
}
const agencies = async (): Promise<Map<string, Row>> =>
  new Map((await ask('agency')).map((row) => [String(row['agencyId']), row]));

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const actor = await makeActor(rail);
  for (const days of [20, 19, 18, 0]) {
    const { intent } = await createConfirmed(rail, actor);
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(
        sql`update payment_event set occurred_at = occurred_at - make_interval(days => ${days}) where intent = ${intent}`,
      );
      await remakeCopies(db);
    });
    const rows = await rail.rows<{ mda: string; amount: number; provider: string }>(sql`
      select e.mda, e.amount::float8 as amount, i.aggregator as provider from payment_event e join payment_intent i on i.name = e.intent
      where e.intent = ${intent}`);
    provider = rows[0]!.provider;
    shares = Object.fromEntries(rows.map(({ mda, amount }) => [mda, amount]));
  }
});

it('are in transit until they are due, and missing after that, where no bank says that they came', async () => {
  for (const [mda, row] of await agencies())
    expect(row).toMatchObject({
      expected: 4 * shares[mda]!,
      arrived: 0,
      inTransit: shares[mda],
      missing: 3 * shares[mda]!,
    });
});

it('arrive by a line for several days, which lacks at the end of these what it has too little', async () => {
  const own = shares['URA']!;
  await book('URA', [20, 19], 2 * own - 1_000);
  const all = await agencies();
  expect(all.get('URA')).toMatchObject({
    expected: 4 * own,
    arrived: 2 * own - 1_000,
    inTransit: own,
    missing: own + 1_000,
    daysToBank: 2.5,
    daysToBankP90: 2.9,
  });
  expect(all.get('URSB')).toMatchObject({ arrived: 0 });
  const days = (await ask('agency, day')).filter(({ agencyId }) => agencyId === 'URA');
  expect(days.map(({ day, arrived }) => [day, arrived])).toEqual([
    [daysAgo(20), own],
    [daysAgo(19), own - 1_000],
    [daysAgo(18), 0],
    [daysAgo(0), 0],
  ]);
});

it('are those of the copy after each change, without reading all of it again', async () => {
  await rail.rows(
    sql`update bank_line set kind = 'unknown', how = null, provider = null, from_on = null, to_on = null`,
  );
  expect((await agencies()).get('URA')).toMatchObject({ arrived: 0 });
  expect(await rail.rail.analytics.verify()).toEqual([]);
});

it('of agencies that have one account arrive together, also by lines from before they had', async () => {
  await book('URSB', [18, 18], shares['URA']! + shares['URSB']!);
  await rail.rows(sql`
    update mda set collection_account = (select collection_account from mda where name = 'URSB') where name = 'URA'`);
  for (const [mda, row] of await agencies())
    expect(row).toMatchObject({ arrived: shares[mda], missing: 2 * shares[mda]! });
  expect(await rail.rail.analytics.verify()).toEqual([]);
});

it('lack the fees that a provider keeps, each once, which agencies bear by their shares', async () => {
  const keeper = PROVIDERS.find(({ settles }) => settles.netOfFees)!.name;
  const [paid] = await rail.rows<{ intent: string }>(
    sql`select intent from payment_event order by occurred_at limit 1`,
  );
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`update payment_intent set aggregator = ${keeper} where name = ${paid!.intent}`);
    await remakeCopies(db);
  });
  for (const run of ['RECON-2026-01-000001', 'RECON-2026-01-000002']) {
    await rail.rows(sql`
      insert into reconciliation_run (name, provider, from_at, to_at, source_hash, rows, ignored, ignored_statuses, matched, missing_here, missing_there,
        amount_differs, duplicate, created_by, created_at)
      values (${run}, ${keeper}, now(), now(), repeat('a', 64), '[]', 0, '{}', 0, 0, 0, 0, 0, 'x', now())`);
    await rail.rows(sql`
      insert into reconciliation_item (name, run, idx, outcome, line, reference, intent, statement_amount, statement_currency)
      values (${`${run}.000001`}, ${run}, 1, 'fee', 2, 'FEE', ${paid!.intent}, -1001, 'UGX')`);
  }
  const rows = (await ask('agency, provider')).filter((row) => row['provider'] === keeper);
  const fees = Object.fromEntries(
    rows.map((row) => [row['agencyId'], shares[String(row['agencyId'])]! - Number(row['expected'])]),
  );
  expect(fees).toEqual({ URA: 770, URSB: 231 });
});

it('closed days are counted by whether somebody signed them', async () => {
  await rail.rows(sql`
    insert into agency_day (name, mda, day, previous, payload, signature, kid, created_at, updated_at)
    select 'URA.' || day, 'URA', day, case when n > 0 then 'URA.' || day - 1 end, '{}', 'x', 'x', now(), now()
    from (select n, ${daysAgo(20)}::date + n as day from generate_series(0, 2) n) d`);
  const days = () => ask('agency', 'agencyDays { closedDays signedDays unsignedDays }');
  expect(await days()).toMatchObject([{ agencyId: 'URA', closedDays: 3, signedDays: 0, unsignedDays: 3 }]);
  await rail.rows(sql`update agency_day set confirmed_by = 'x', confirmed_at = now() where day = ${daysAgo(20)}::date`);
  await rail.rows(sql`
    insert into agency_day (name, mda, day, payload, signature, kid, created_at, updated_at)
    select 'URSB.' || day, 'URSB', day, '{}', 'x', 'x', now(), now() from agency_day where day = ${daysAgo(20)}::date`);
  expect(await days()).toMatchObject([
    { agencyId: 'URA', closedDays: 3, signedDays: 1, unsignedDays: 2 },
    { agencyId: 'URSB', closedDays: 1, unsignedDays: 1 },
  ]);
  expect(await rail.rail.analytics.verify()).toEqual([]);
});
