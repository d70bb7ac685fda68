import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { payDueRefunds } from '../../src/collection/payments/refunds/paying/provider.ts';
import { uploadBankStatements } from '../../src/collection/reconciliation/bank/upload.ts';
import { findPayouts } from '../../src/collection/reconciliation/payouts/find.ts';
import { settlePayouts } from '../../src/collection/reconciliation/payouts/search.ts';
import { closeDays } from '../../src/oversight/closes/days/close.ts';
import { readContents } from '../../src/oversight/closes/days/contents.ts';
import { type Viewer, actAsSystem, viewStaff } from '../../src/platform/access/viewer.ts';
import { type Rail, callOf } from '../../src/platform/call/call.ts';
import { type Database, type Sql, sql } from '../../src/platform/database/sql.ts';
import { FORMS, type StatementLine } from '../../src/sandbox/demo/money/statements.ts';
import { addDays, dayIn } from '../../src/kernel/time.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { seedRandom } from '../harness/chaos/tampering.ts';
import { type Actor, createAssessedFor, createInitiated, createPendingFor, makeActor } from '../harness/flow.ts';
import { catchUp } from '../harness/ledger.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';
import { drawSeed } from '../harness/run/seed.ts';

const rail = testRail();
const random = seedRandom(drawSeed('settlement'));
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;

const DAYS = sizeOf({ fast: 9, long: 60 });
const MOST_PAYMENTS = sizeOf({ fast: 5, long: 6 });
const AGENCIES = {
  URA: ['URA-PAYE', 'URA-MVTRANSFER', 'URA-STAMP'],
  URSB: ['URSB-COMPANY', 'URSB-NAMEREG'],
  KCCA: ['KCCA-TRADELIC', 'KCCA-LHT', 'KCCA-WASTE'],
} as const;
type Mda = keyof typeof AGENCIES;
const MDAS = Object.keys(AGENCIES) as Mda[];
const CHANNELS = ['mtn_momo', 'airtel_money'] as const;

/** The end of a process, as a test makes it. */
class Killed extends Error {}

/** The rail of a process that is killed at its nth statement: before it reaches the database, or before its answer comes. */
function dyingAt(nth: number, isBefore: boolean): Rail {
  let sent = 0;
  const mortal = (db: Database): Database => {
    const rows: Database['rows'] = async (query, planned) => {
      sent += 1;
      if (sent > nth || (sent === nth && isBefore)) throw new Killed();
      const found = await db.rows(query, planned);
      if (sent >= nth) throw new Killed();
      return found as never;
    };
    const row: Database['row'] = async (query) => ((await rows(query))[0] ?? null) as never;
    return { ...db, rows, row };
  };
  return {
    ...rail.rail,
    db: mortal(rail.rail.db),
    transaction: (run) => rail.rail.transaction((db) => run(mortal(db))),
  };
}

let kills = 0;
/** Does something in processes that are killed at it, and at last in one that is not. */
async function survive<T>(viewer: Viewer, work: (call: ReturnType<typeof callOf>) => Promise<T>): Promise<T> {
  while (random() < 0.5) {
    const dying = dyingAt(1 + Math.floor(random() * 15), random() < 0.5);
    try {
      await work(callOf(dying, viewer, randomUUID()));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      kills += 1;
    }
  }
  return work(callOf(rail.rail, viewer, randomUUID()));
}

const system = actAsSystem('job:test');
const dayNow = () => dayIn(rail.rail.now(), 'Africa/Kampala');
const goTo = (day: string, clock: string) =>
  rail.advance((Date.parse(`${day}T${clock}+03:00`) - rail.rail.now().getTime()) / 3_600_000);
const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());
/** The working day after a day. */
const dueOf = (day: string): string => (isWeekend(addDays(day, 1)) ? dueOf(addDays(day, 1)) : addDays(day, 1));

/** The bank of an agency: what is on its account, what it has not sent yet, and the days that providers paid. */
interface Bank {
  readonly account: string;
  balance: number;
  sent: number;
  unsent: StatementLine[];
  readonly files: (readonly [type: string, body: Buffer])[];
}
const banks = new Map<Mda, Bank>();
/** Days of a provider that are over and paid, or never will be. */
const done = new Set<string>();
/** What each line of the bank is, by its number: the days of a provider, or nothing that anybody could tell. */
const truth = new Map<string, string | null>();

const paidIntents: string[] = [];

async function payAndRefund(actor: Actor, day: string): Promise<void> {
  const clocks = Array.from({ length: Math.floor(random() * (MOST_PAYMENTS + 1)) }, () =>
    random() < 0.2 ? '23:59:59.999' : `${10 + Math.floor(random() * 9)}:00:00`,
  );
  for (const clock of clocks.toSorted()) {
    if (Date.parse(`${day}T${clock}+03:00`) > rail.rail.now().getTime()) goTo(day, clock);
    const { assessment } = await createAssessedFor(rail, actor, pick(AGENCIES[pick(MDAS)]));
    const intent = await createPendingFor(actor, assessment, pick(CHANNELS));
    await createInitiated(actor, intent);
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    paidIntents.push(intent);
  }
  if (paidIntents.length === 0 || random() > 0.3) return;
  const officer = await makeStaff(rail, 'finance_officer');
  const { data } = await officer.post('/v1/refunds', {
    intent: pick(paidIntents),
    reason_code: 'overpaid',
    amount: 1_000 + Math.floor(random() * 9_000),
  });
  if (data?.name) await payDueRefunds(callOf(rail.rail, system, randomUUID()));
}

/** What each provider owes an agency of each day, as plain SQL adds it up. */
const OWED: Sql = sql`
  select mda, provider, day::text as day, sum(amount)::int as amount from (
    select e.mda, i.aggregator as provider, (e.occurred_at at time zone 'Africa/Kampala')::date as day, e.amount
    from payment_event e join payment_intent i on i.name = e.intent where e.kind = 'payment' and i.aggregator <> 'cash'
    union all
    select s.mda, i.aggregator, (r.done_at at time zone 'Africa/Kampala')::date, -s.amount
    from refund r join refund_share s on s.refund = r.name join payment_intent i on i.name = r.intent
    where r.status = 'Done' and r.method = 'provider') p
  group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`;

interface Owed {
  readonly mda: Mda;
  readonly provider: string;
  readonly day: string;
  readonly amount: number;
}

/** Providers pay what is due: in one line, all but sometimes; and the bank has lines of its own. */
async function bookAtBanks(today: string): Promise<void> {
  const owed = await rail.rows<Owed>(OWED);
  const due = owed.filter((one) => dueOf(one.day) <= today && !done.has(`${one.mda} ${one.provider} ${one.day}`));
  const book = (mda: Mda, amount: number, is: string | null) => {
    const bank = banks.get(mda)!;
    const reference = `${mda}-${truth.size}`;
    truth.set(reference, is);
    bank.unsent.push({ day: today, amount, text: `Line ${truth.size}`, reference });
  };
  for (const of of Map.groupBy(due, ({ mda, provider }) => `${mda} ${provider}`).values()) {
    for (const { mda, provider, day } of of) done.add(`${mda} ${provider} ${day}`);
    const [{ mda, provider, day: first }] = of as [Owed];
    const sum = of.reduce((total, { amount }) => total + amount, 0);
    const fate = random();
    if (sum === 0 || fate < 0.1) continue;
    if (fate < 0.2) book(mda, sum - 1 - Math.floor(random() * 500), null);
    else book(mda, sum, `${provider} ${first} ${of.at(-1)!.day}`);
  }
  for (const mda of MDAS) if (random() < 0.2) book(mda, random() < 0.5 ? -17 : 100_003, null);
}

async function sendStatements(): Promise<void> {
  for (const [mda, bank] of banks) {
    if (bank.unsent.length === 0 || random() < 0.4) continue;
    const { type, write } = pick(Object.values(FORMS));
    const { account, balance: opening, unsent: lines } = bank;
    const body = Buffer.from(write({ account, opening, lines }));
    bank.files.push([type, body]);
    bank.balance = lines.reduce((sum, { amount }) => sum + amount, opening);
    bank.sent += bank.balance - opening;
    bank.unsent = [];
    await upload(mda, body);
    if (random() < 0.3) await Promise.all([upload(mda, body), upload(mda, body)]);
  }
}

const upload = (agency: Mda, body: Buffer) =>
  survive(
    viewStaff({ id: '', email: `officer@${agency}.example`, roles: ['finance_officer'], agencies: [agency] }),
    (call) => uploadBankStatements(call, { agency, body, format: 'auto' }),
  );

async function endDay(day: string): Promise<void> {
  goTo(addDays(day, 1), '02:30:00');
  await catchUp(rail);
  await survive(system, settlePayouts);
  await survive(system, closeDays);
}

/** Everything that files and jobs write, in a word. */
const written = () =>
  rail.rows(sql`
    select (select md5(string_agg(t::text, ',' order by name)) from bank_statement t) as statements,
      (select md5(string_agg(t::text, ',' order by name)) from bank_line t) as lines,
      (select md5(string_agg(t::text, ',' order by name)) from agency_day t) as days,
      (select md5(string_agg(t::text, ',' order by name)) from money_received t) as money,
      (select md5(string_agg(concat(kind, subject, status, evidence), ',' order by name)) from anomaly t) as anomalies`);

it('accounts for each shilling, whichever files come, and wherever processes are killed', async () => {
  await rail.rows(sql`update country set holidays = '[]'`);
  for (const { name, account } of await rail.rows<{ name: Mda; account: string }>(
    sql`select name, collection_account as account from mda where name = any(${MDAS})`,
  ))
    banks.set(name, { account, balance: 0, sent: 0, unsent: [], files: [] });
  const actor = await makeActor(rail);
  const first = addDays(dayNow(), 1);
  for (let nth = 0; nth < DAYS; nth++) {
    const day = addDays(first, nth);
    goTo(day, '09:00:00');
    if (!isWeekend(day)) await bookAtBanks(day);
    await sendStatements();
    await payAndRefund(actor, day);
    await endDay(day);
  }
  // A payment that was asked for at 23:59:59.999 may be one of the day after.
  const last = addDays(first, DAYS);
  await endDay(last);
  process.stdout.write(`${paidIntents.length} payments, ${truth.size} lines, ${kills} kills\n`);
  expect(kills).toBeGreaterThan(DAYS / 3);
  // Nothing changes when all of it is done again.
  const before = await written();
  for (const [mda, { files }] of banks) for (const [, body] of files) await upload(mda, body);
  await endDay(last);
  expect(await written()).toEqual(before);

  // Days lead from one to the next, have each seal once, and say what plain SQL says.
  const days = await rail.rows<{ mda: Mda; day: string; payload: string }>(
    sql`select mda, day::text as day, payload from agency_day where mda = any(${MDAS}) order by mda, day`,
  );
  for (const [mda, of] of Map.groupBy(days, (one) => one.mda)) {
    const sealed = await rail.count(sql`select 1 from event_seal where mda = ${mda}`);
    const numbers = of.flatMap(({ payload }) =>
      readContents(payload).seals.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n)),
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: sealed }, (_, n) => n + 1));
    expect(of.at(-1)!.day).toBe(last);
    const sums = new Map(
      (
        await rail.rows<{ day: string; collected: number }>(sql`
          select (occurred_at at time zone 'Africa/Kampala')::date::text as day, sum(amount)::int as collected
          from payment_event where mda = ${mda} and kind = 'payment' group by 1`)
      ).map((row) => [row.day, row.collected]),
    );
    let closing = 0;
    for (const { day, payload } of of) {
      const [uganda] = readContents(payload).currencies;
      expect([day, Number(uganda!.opening), Number(uganda!.collected)]).toEqual([day, closing, sums.get(day) ?? 0]);
      closing = Number(uganda!.closing);
    }
  }

  // A line is said to be what it is, or nothing.
  const lines = await rail.rows<{ reference: string; said: string }>(sql`
    select reference, concat_ws(' ', provider, from_on, to_on) as said from bank_line where kind = 'payout'`);
  for (const { reference, said } of lines) expect([reference, said]).toEqual([reference, truth.get(reference)]);
  expect(lines.length).toBeGreaterThan(0);

  // Recorded is arrived, in transit, missing, and what is explained by refunds.
  const payouts = await findPayouts(callOf(rail.rail, system, randomUUID()), {
    from: first,
    to: dayNow(),
    agencies: MDAS,
  });
  const owed = await rail.rows<Owed>(OWED);
  const at = (states: readonly string[], mda: string) =>
    payouts
      .filter((one) => one.mda === mda && states.includes(one.state))
      .reduce((sum, { difference }) => sum - Number(difference), 0);
  for (const mda of MDAS) {
    const [bank] = await rail.rows<{ arrived: number }>(sql`
      select coalesce(sum(l.amount), 0)::int as arrived from bank_line l
      where l.account = ${banks.get(mda)!.account} and l.kind in ('payout', 'refund')`);
    const recorded = owed.filter((one) => one.mda === mda).reduce((sum, { amount }) => sum + amount, 0);
    const [inTransit, missing] = [at(['expected'], mda), at(['short', 'missing'], mda)];
    expect([mda, bank!.arrived + inTransit + missing + at(['over'], mda)]).toEqual([mda, recorded]);
  }

  // So do the figures of oversight.
  const { plaintext: key } = await rail.key('oversight.read');
  const query = `{ oversight(timeZone: country) {
    figures(by: [agency], span: { days: { fromDate: "${first}", toDate: "${dayNow()}" } }) {
      nodes { key { agencyId } payouts { expected arrived inTransit missing } } } } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query } });
  const found = json.data.oversight.figures.nodes as {
    key: { agencyId: string };
    payouts: Record<'expected' | 'arrived' | 'inTransit' | 'missing', number>;
  }[];
  for (const { key: of, payouts: sums } of found) {
    const recorded = owed.filter((one) => one.mda === of.agencyId).reduce((sum, { amount }) => sum + amount, 0);
    expect([of.agencyId, sums.expected]).toEqual([of.agencyId, recorded]);
    expect(sums.arrived + sums.inTransit + sums.missing).toBe(recorded);
    expect(sums.inTransit).toBe(at(['expected'], of.agencyId));
  }
  expect(found.length).toBe(new Set(owed.map(({ mda }) => mda)).size);
});
