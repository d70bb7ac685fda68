import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawNumber } from '../../../src/collection/references/number.ts';
import { relay } from '../../../src/accounts/webhooks/relay.ts';
import { FACTS } from '../../../src/oversight/facts/facts.ts';
import { takeStep } from '../../../src/oversight/common/steps.ts';
import { Copy } from '../../../src/platform/analytics/copy.ts';
import type { Fact } from '../../../src/platform/analytics/fact.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { joined, raw, sql } from '../../../src/platform/database/sql.ts';
import { drawSeed } from '../../harness/run/seed.ts';
import { DEADLINES } from '../../harness/run/deadlines.ts';
import { Chance } from '../../harness/chaos/fuzz/requests.ts';
import { type Actor, createConfirmed, createSent, exempt, makeActor, someCitizen } from '../../harness/flow.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { closeShift, openShift, sendInShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

/** Seed of the writers' actions and their timing. */
const SEED = drawSeed('writers');
const WRITERS = {
  payers: 38,
  clerks: 6,
  registrars: 4,
  relays: 1,
  printers: 1,
  reconcilers: 1,
  planners: 1,
  refunders: 1,
};
/** Concurrent questions to a copy. */
const ASKERS = 3;
/** Writes of each writer. */
const WRITES = 4;
/** Most answers between two writes of a writer, so that questions get the processor too. */
const MOST_BETWEEN = 12;

const rail = testRail();
const bank = makePoint(rail);
const chance = new Chance(SEED);

interface Tally {
  /** Writes that were sent, and those of them that were acknowledged. */
  sent: number;
  acknowledged: number;
}
const none = (): Tally => ({ sent: 0, acknowledged: 0 });
const tallies = { payments: none(), shifts: none(), variances: none(), people: none() };
type Figure = keyof typeof tallies;
const FIGURES = Object.keys(tallies) as Figure[];

/** The same figures as a copy counts them: each payment pays one agency, some pay another one too. */
const COUNTED = sql`
  select (select count(*) from payment where leads and kind = 'payment' and mda = 'URA')::int as payments,
    (select count(*) from shift)::int as shifts,
    (select count(*) from anomaly where leads and kind = 'cash_variance')::int as variances,
    (select coalesce(sum(people), 0) from registration)::int as people,
    (select count(*) from anomaly where kind = 'seal_gap')::int as held`;
type Counted = Readonly<Record<Figure | 'held', number>>;

/** Facts that nobody writes here. */
const UNWRITTEN: readonly string[] = ['cancellation', 'withheld', 'bank_line', 'agency_day'];

const over = new AbortController();
let actor: Actor;
let admin: StaffActor;
let finance: StaffActor;
let clerks: StaffActor[];
let held: pg.Client;
const copies: { readonly copy: Copy; close(): Promise<void> }[] = [];

/** A copy of its own, as each process has. */
function openCopy() {
  const pools = openDatabase({ url: rail.url, replicaUrl: null }, 2, () => {});
  const folder = join(rail.dataDir, 'copies');
  const options = { folder, memoryMb: 256, threads: 1, waitMs: DEADLINES.event };
  const copy = new Copy(pools.facts, FACTS, options, rail.rail.log, {
    consequence: (asked) => takeStep(asked, pools.db),
  });
  return {
    copy,
    close: async () => {
      await copy.close();
      await pools.close();
    },
  };
}

async function send(tallied: readonly Tally[], request: () => Promise<Answer>): Promise<void> {
  for (const tally of tallied) tally.sent++;
  const { status, text } = await request();
  if (status !== 200) throw new Error(`${status} ${text}`);
  for (const tally of tallied) tally.acknowledged++;
}

let answered = 0;

async function writeSeveral(write: () => Promise<void>): Promise<void> {
  for (let times = 0; times < WRITES; times++) {
    const next = answered + chance.below(MOST_BETWEEN);
    await expect.poll(() => answered, { interval: 10 }).toBeGreaterThanOrEqual(next);
    await write();
  }
}

async function pay(): Promise<void> {
  const { intent } = await createSent(rail, actor);
  await send([tallies.payments], () => actor.post(`/v1/payment-intents/${intent}:confirm`));
}

async function refund(): Promise<void> {
  const { intent } = await createSent(rail, actor);
  await send([tallies.payments], () => actor.post(`/v1/payment-intents/${intent}:confirm`));
  const body = { intent, amount: 1 + chance.below(100_000), reason_code: 'overpaid', method: 'transfer' };
  const { name } = (await finance.post('/v1/refunds', body)).data;
  const paid_on = rail.rail.now().toISOString().slice(0, 10);
  await send([], () => finance.post(`/v1/refunds/${name}:prove`, { reference: 'FT1', paid_on }));
}

async function keepTill(clerk: StaffActor): Promise<void> {
  const shift = await openShift(clerk, { opening_float: 100_000 });
  const { intent, amount } = await sendInShift(rail, clerk, shift);
  await send([tallies.payments], () => clerk.post(`/v1/payment-intents/${intent}:confirm`));
  const variance = chance.of([0, -500, -30_000, -30_000]);
  const body = {
    cash_counted: 100_000 + amount + variance,
    ...(variance === 0 ? {} : { variance_reason: 'Miscounted' }),
  };
  const tallied = variance === -30_000 ? [tallies.shifts, tallies.variances] : [tallies.shifts];
  await send(tallied, () => closeShift(clerk, shift, body));
}

/** Sets a target to another amount each time. */
async function setTarget(): Promise<void> {
  await rail.rows(sql`
    insert into revenue_target values ('URA', '2026/27', 'UGX', ${1 + chance.below(1_000_000)}, now(), 'test')
    on conflict (mda, fiscal_year, currency) do update set amount = excluded.amount`);
}

async function register(): Promise<void> {
  const nin = `CM${String(tallies.people.sent).padStart(8, '0')}ABCD`;
  await send([tallies.people], () => actor.post('/v1/citizens/register', { nin }));
}

async function tellIntegrators(): Promise<void> {
  await relay(rail.rail);
  await rail.rows(sql`
    update webhook_delivery set status = 'delivered', delivered_at = now()
    where name in (select name from webhook_delivery where status = 'pending' order by name limit 20)`);
}

/** Prints receipts, and has a bank take money that pays nothing. */
async function print(): Promise<void> {
  await rail.rows(sql`
    update receipt set copies = copies + 1 where name in (select name from receipt order by copies, name limit 3)`);
  await send([], () => bank.pay({ reference: drawNumber(), amount: 1 + chance.below(1_000) }));
}

/** Compares a statement that says of one payment that it was made, with an amount of its own each time. */
async function reconcile(): Promise<void> {
  const day = rail.rail.now().toISOString().slice(0, 10);
  const answer = await admin.ask(
    `/v1/ops/reconciliation/statements?provider=mtn_momo&from_date=${day}&to_date=${day}`,
    {
      body: `External Transaction Id,Amount,Currency,Status,Id,Date\nPI-2020-01-000001,${1 + chance.below(1_000_000)},UGX,SUCCESSFUL,T1,${day} 00:00:00`,
      headers: { 'content-type': 'text/csv' },
    },
  );
  if (answer.status !== 200) throw new Error(answer.text);
}

/** Asks a copy at random moments until writers have stopped; how often it was asked. */
async function ask(copy: Copy, before: Counted): Promise<number> {
  let asked = 0;
  for (; !over.signal.aborted || asked < 2; asked++) {
    const least = FIGURES.map((figure) => tallies[figure].acknowledged);
    const row = await copy.row<Counted>(COUNTED);
    answered++;
    for (const [place, figure] of FIGURES.entries()) {
      const found = row![figure] - before[figure];
      expect(found, `${figure} at least, SEED=${SEED}`).toBeGreaterThanOrEqual(least[place]!);
      expect(found, `${figure} at most, SEED=${SEED}`).toBeLessThanOrEqual(tallies[figure].sent);
    }
    expect(row!.held, 'what was not committed').toBe(0);
  }
  return asked;
}

/** The rows of a fact as text, in an order of their own: of the copy, and of the view that it is made from. */
async function rowsOf({ name, columns }: Fact, copy: Copy): Promise<readonly [readonly string[], readonly string[]]> {
  const textOf = (column: string, type: string) =>
    type.startsWith('decimal') ? sql`${raw(column)}::numeric(38, 4)::text` : sql`${raw(column)}::text`;
  const read = Object.entries({ document: 'bigint', ...columns }).map(
    ([column, type]) => sql`${textOf(column, type)} as ${raw(column)}`,
  );
  const view = sql`(select *, document_number(f.document) as digits from ${raw(`oversight.fact_${name}`)} f)`;
  const [document, ...rest] = read;
  const [ofCopy, ofView] = await Promise.all([
    copy.rows<object>(sql`select ${joined([document!, ...rest])} from ${raw(name)}`),
    rail.rows<object>(sql`select ${joined([sql`v.digits::text as document`, ...rest])} from ${view} v`),
  ]);
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.values(row))).toSorted();
  return [inOrder(ofCopy), inOrder(ofView)];
}

beforeAll(async () => {
  actor = await makeActor(rail);
  await giveEndpoint(rail, sql`code = ${actor.integrator}`, 'http://127.0.0.1:9/hook');
  admin = await makeStaff(rail, 'admin');
  finance = await makeStaff(rail, 'finance_officer');
  clerks = await Promise.all(Array.from({ length: WRITERS.clerks }, () => makeStaff(rail, 'clerk')));
  // Facts about people leave out a single person's changes after the first question, so there must be some before.
  await exempt(rail, await someCitizen(rail), { uses_left: 1 });
  await createConfirmed(rail, actor);
  copies.push(openCopy(), openCopy());
  held = new pg.Client({ connectionString: rail.url });
});
afterAll(() => Promise.all([held.end(), ...copies.map((one) => one.close())]));

it(`copies have what was acknowledged while many write and a transaction is held open (SEED=${SEED})`, async () => {
  const before = await Promise.all(copies.map(({ copy }) => copy.row<Counted>(COUNTED)));
  await held.connect();
  await held.query('begin');
  await held.query(`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    values ('ANOM-2020-01-000001', 'seal_gap', 'URA', '{URA,KCCA}', 'high', 'Open', 'URA', '{}', now())`);
  const timesOf = (many: number, write: () => Promise<void>) => Array.from({ length: many }, () => writeSeveral(write));
  const writing = Promise.all([
    ...timesOf(WRITERS.payers, pay),
    ...clerks.map((clerk) => writeSeveral(() => keepTill(clerk))),
    ...timesOf(WRITERS.registrars, register),
    ...timesOf(WRITERS.relays, tellIntegrators),
    ...timesOf(WRITERS.printers, print),
    ...timesOf(WRITERS.reconcilers, reconcile),
    ...timesOf(WRITERS.planners, setTarget),
    ...timesOf(WRITERS.refunders, refund),
  ]);
  // Several at a time: who asks while the copy is being brought up to date needs the next time.
  const asking = Promise.all(
    copies.flatMap(({ copy }, place) => Array.from({ length: ASKERS }, () => ask(copy, before[place]!))),
  );
  await writing;
  over.abort();
  for (const asked of await asking) expect(asked).toBeGreaterThan(1);
  await held.query('commit');
  for (const [place, { copy }] of copies.entries()) {
    const after = await copy.row<Counted>(COUNTED);
    for (const figure of FIGURES)
      expect(after![figure] - before[place]![figure], figure).toBe(tallies[figure].acknowledged);
    expect(after!.held).toBe(2);
    for (const fact of FACTS) {
      const [ofCopy, ofView] = await rowsOf(fact, copy);
      // Nothing is cancelled here, and of banks nothing is known.
      if (!UNWRITTEN.includes(fact.name)) expect(ofView.length, fact.name).toBeGreaterThan(0);
      expect(ofCopy, `${fact.name}, SEED=${SEED}`).toEqual(ofView);
    }
  }
  for (const figure of FIGURES) expect(tallies[figure].acknowledged, figure).toBeGreaterThan(0);
});
