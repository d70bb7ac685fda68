import { randomUUID } from 'node:crypto';
import { findAssessment } from '../../src/collection/assessments/find.ts';
import { recordFiscalDocument } from '../../src/collection/fiscal/record.ts';
import { claimDueNotices } from '../../src/collection/propagation/claim.ts';
import { notifyAgency } from '../../src/collection/propagation/notify.ts';
import { Receipts } from '../../src/collection/propagation/receipts.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { step } from '../../src/platform/change/step.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { closeDaysOf } from '../../src/oversight/closes/days/close.ts';
import { placeEvents } from '../../src/oversight/events/place.ts';
import { seedHistory } from '../../src/sandbox/history.ts';
import { sealLogs } from '../../src/oversight/seals/logs/seal.ts';
import { sealAll } from '../../src/oversight/seals/seal.ts';
import type { KeptHead } from '../../src/oversight/seals/heads.ts';
import { type LedgerVerification, runChecks } from '../../src/oversight/seals/verify.ts';
import { closeShift, collectInShift, openShift } from './people/counter.ts';
import { makePoint } from './people/biller.ts';
import {
  type Actor,
  createAssessedFor,
  createConfirmed,
  createPendingFor,
  createSent,
  exempt,
  makeActor,
  someCitizen,
} from './flow.ts';
import type { TestRail } from './rail.ts';
import { makeStaff } from './people/staff.ts';
import { TAMPERINGS, type Tampering, seedRandom, tamperingsOf } from './chaos/tampering.ts';

/**
 * A ledger with a bit of everything: a history, live payments, a reversal, a second and a late collection, a till, and
 * some that wait.
 */
export async function fillLedger(rail: TestRail, events: number, agencies = 25): Promise<void> {
  for await (const _ of seedHistory(rail.rail, { events, years: 1, agencies, seed: 11 }));
  const actor = await makeActor(rail);
  const paid = [
    await createConfirmed(rail, actor),
    await createConfirmed(rail, actor),
    await createConfirmed(rail, actor),
  ];
  const done = async (path: string, body: object = {}) => {
    const { status, text } = await actor.post(path, body);
    if (status !== 200) throw new Error(text);
  };
  await done(`/v1/assessments/${paid[0]!.assessment}:cancel`, { reason: 'Entered twice' });
  const twice = await createSent(rail, actor);
  const again = await createPendingFor(actor, twice.assessment);
  await done(`/v1/payment-intents/${again}:initiate`, { payer_msisdn: '+256700123456' });
  await done(`/v1/payment-intents/${twice.intent}:confirm`);
  await done(`/v1/payment-intents/${again}:confirm`);
  const late = await createSent(rail, actor);
  await done(`/v1/assessments/${late.assessment}:cancel`, { reason: 'Entered twice' });
  await done(`/v1/payment-intents/${late.intent}:confirm`);
  await payElsewhere(rail, actor);
  await settleMoney(rail);
  await writeLogs(rail);
  await writeRecords(rail, actor);
  const clerk = await makeStaff(rail, 'clerk');
  const shift = await openShift(clerk);
  await collectInShift(rail, clerk, shift);
  await catchUp(rail);
  await collectInShift(rail, clerk, shift);
  await closeFewDays(rail);
  await exempt(rail, await someCitizen(rail), { uses_left: 3 });
  await createConfirmed(rail, actor);
}

/** Pays the assessment with the money that was too much for it, and gives the rest back. */
async function settleMoney(rail: TestRail): Promise<void> {
  const admin = await makeStaff(rail, 'admin');
  const done = async (path: string, body: object) => {
    const { status, text, data } = await admin.post(path, body);
    if (status !== 200) throw new Error(text);
    return data;
  };
  const [over] = await rail.rows<{ money: string; assessment: string; amount: number }>(sql`
    select m.name as money, a.name as assessment, a.total_amount::float8 as amount
    from money_received m join assessment a on a.name = m.assessment where m.kind = 'over' and a.status = 'Assessed' limit 1`);
  const { money, assessment, amount } = over!;
  await done('/v1/ops/money-received:allocate', { assessment, parts: [{ money, amount }] });
  const { name } = await done('/v1/refunds', { money, reason_code: 'overpaid' });
  const paid_on = rail.rail.now().toISOString().slice(0, 10);
  await done(`/v1/refunds/${name}:prove`, { reference: 'FT-back', paid_on });
}

/** A reference that is paid, one that is paid too much, a link, a receipt that is printed, and a letter to a payer. */
async function payElsewhere(rail: TestRail, actor: Actor): Promise<void> {
  const done = async (path: string, body: object = {}) => {
    const { status, text, data } = await actor.post(path, body);
    if (status !== 200) throw new Error(text);
    return data;
  };
  const point = makePoint(rail);
  for (const more of [0, 5_000]) {
    const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const { number } = await done(`/v1/assessments/${assessment}:issue-reference`);
    await point.pay({ reference: number, amount: amount + more });
  }
  await point.pay({ reference: '0000000000000', amount: 1_000 });
  const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
  const link = await done('/v1/payment-links', { assessment, channels: ['mtn_momo'] });
  await done(`/v1/payment-links/${link.name}:withdraw`);
  const { name } = await done('/v1/payment-intents', {
    assessment,
    channel: 'mtn_momo',
    payer_email: 'payer@history.example',
  });
  await done(`/v1/payment-intents/${name}:initiate`, { payer_msisdn: '+256700123456' });
  await done(`/v1/payment-intents/${name}:confirm`);
  const [receipt] = await rail.rows<{ name: string }>(sql`select name from receipt where intent = ${name}`);
  await done(`/v1/receipts/${receipt!.name}:print`, { station: 'Counter 1' });
}

/** A claim that two people approved, and that somebody saw a citizen; days of logs are over and sealed. */
async function writeLogs(rail: TestRail): Promise<void> {
  await rail.rows(sql`
    insert into citizen_access (id, at, citizen, purpose, caller, actor, request_id)
    values (gen_random_uuid(), now(), null, 'search', 'staff', 'clerk@agency.example', 'r')`);
  await rail.rows(sql`
    insert into payment_claim (provider, txn_id, paid_at, received_at) values ('bank', 'T1', now(), now())`);
  await rail.rows(sql`
    insert into approval (name, kind, subject, proposal, status, asked_by, created_at, updated_at, decided_by, decided_at,
      expires_at)
    values ('GRANT-2026-000900', 'claim', 'bank:T1', '{"amount": 5}', 'Approved', 'a@agency.example', now(), now(),
      'b@agency.example', now(), now() + interval '7 days')`);
  rail.advance(50);
  await sealLogs(rail.rail);
}

/** Fiscal documents, a statement, a shift whose variance was decided with its anomaly, and notices that were delivered. */
async function writeRecords(rail: TestRail, actor: Actor): Promise<void> {
  const system = () => callOf(rail.rail, actAsSystem('job:test'), randomUUID());
  const { assessment, intent } = await createConfirmed(rail, actor);
  const [event] = await rail.rows<{ name: string; reference: string; amount: string }>(sql`
    select e.name, i.aggregator_reference as reference, i.amount::text from payment_event e
    join payment_intent i on i.name = e.intent where i.name = ${intent} order by e.mda limit 1`);
  for (const object of [assessment, event!.name])
    await recordFiscalDocument(
      system(),
      { issuer: 'efris', agencies: ['URA', 'URSB'] },
      { object, number: `FDN-${object}`, eventId: object },
      (changed) => step('stored')`select name from ${changed}`,
    );
  const admin = await makeStaff(rail, 'admin');
  const csv = `Id,External Transaction Id,Date,Status,Amount,Currency\nT-1,${event!.reference},${rail.rail.now().toISOString()},SUCCESSFUL,${event!.amount},UGX\n`;
  const loaded = await admin.ask('/v1/ops/reconciliation/statements?provider=mtn_momo', {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  });
  if (loaded.data?.matched !== 1) throw new Error(loaded.text);
  const clerk = await makeStaff(rail, 'clerk');
  const shift = await openShift(clerk, { opening_float: 20_000 });
  await collectInShift(rail, clerk, shift);
  await closeShift(clerk, shift, { cash_counted: 1_000, variance_reason: 'Miscounted' });
  const supervisor = await makeStaff(rail, 'supervisor');
  const body = { note: 'Seen', resolve_anomaly: true };
  const decided = await supervisor.post(`/v1/work/shifts/${shift}:approve`, body);
  if (decided.status !== 200) throw new Error(decided.text);
  await notifyAgencies(rail);
}

/** Notifies the agencies that are due. */
export async function notifyAgencies({ rail }: TestRail): Promise<void> {
  const system = () => callOf(rail, actAsSystem('test'), 'notify');
  const receipts = new Receipts(system);
  for (const due of await claimDueNotices(system(), 100))
    await notifyAgency(system(), due, (await findAssessment(system(), due.assessment))!, receipts);
}

/** Counts and seals all that waits. */
export async function catchUp({ rail }: TestRail): Promise<void> {
  while ((await placeEvents(rail)) > 0);
  while ((await sealAll(rail)) > 0);
}

/** Counts and seals all that waits, and closes the days of agencies up to today, as if it were tomorrow. */
export async function closeToday(test: TestRail, ...mdas: readonly string[]): Promise<void> {
  await catchUp(test);
  const { rail } = test;
  const tomorrow = () => new Date(rail.now().getTime() + 27 * 3_600_000);
  for (const mda of mdas) await closeDaysOf(callOf({ ...rail, now: tomorrow }, actAsSystem('job:test'), 'close'), mda);
}

/** Closes the days of the agency that has the fewest, and has the first of them confirmed. */
async function closeFewDays(rail: TestRail): Promise<void> {
  const [first] = await rail.rows<{ mda: string; day: string }>(sql`
    select e.mda, (min(e.occurred_at) at time zone z.time_zone)::date::text as day
    from payment_event e join agency_calendar z on z.mda = e.mda group by e.mda, z.time_zone order by min(e.occurred_at) desc limit 1`);
  await closeToday(rail, first!.mda);
  const officer = await makeStaff(rail, 'finance_officer');
  const { status, text } = await officer.post(`/v1/agency/${first!.mda}/days/${first!.day}:confirm`, { note: 'Seen' });
  if (status !== 200) throw new Error(text);
}

class Undone extends Error {}

/** Verifies the ledger as it would be after a tampering, which is then undone. */
export async function verifyAfter(
  { rail }: TestRail,
  { run }: Tampering,
  random: () => number,
  heads: readonly KeptHead[] = [],
): Promise<{ hit: string | null; verification: LedgerVerification }> {
  let outcome: { hit: string | null; verification: LedgerVerification } | undefined;
  await rail
    .transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      const hit = await run(db, random);
      outcome = { hit, verification: await runChecks(db, heads) };
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return outcome!;
}

/**
 * Tampers for as long as there is more to do, each kind in its turn and then at random; names what was not found, with
 * the seed that shows it again.
 */
export async function tamperAtRandom(
  rail: TestRail,
  more: (tried: number) => boolean,
  seed: number,
): Promise<{ tried: number; missed: string[] }> {
  const random = seedRandom(seed);
  const tamperings = [...TAMPERINGS, ...(await tamperingsOf(rail.rail.db)).found];
  const missed: string[] = [];
  let tried = 0;
  for (let turn = 0; more(tried); turn++) {
    const tampering = tamperings[turn < tamperings.length ? turn : Math.floor(random() * tamperings.length)]!;
    const { hit, verification } = await verifyAfter(rail, tampering, random);
    if (hit === null) throw new Error(`${tampering.name}: there is nothing to tamper with`);
    tried++;
    if (verification.right) missed.push(`seed ${seed}, turn ${turn}: ${tampering.name}: ${hit}`);
  }
  return { tried, missed };
}
