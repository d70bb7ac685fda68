import { randomUUID } from 'node:crypto';
import { sql } from '../../src/platform/database/sql.ts';
import { KEY_SCOPES } from '../../src/platform/access/needs.ts';
import { relay } from '../../src/accounts/webhooks/relay.ts';
import { type Actor, createAssessed, createConfirmed, createSent, exempt, serviceNamed, someCitizen } from './flow.ts';
import { closeToday, notifyAgencies } from './ledger.ts';
import { makeAccount, signIn } from './people/accounts.ts';
import { makePoint } from './people/biller.ts';
import { makeLink } from './people/link.ts';
import { closeWith, collectInShift, openShift } from './people/counter.ts';
import { type StaffActor, makeStaff } from './people/staff.ts';
import type { Answer, Ask, TestRail } from './rail.ts';

function dataOf({ status, data, text }: Answer) {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return data;
}

function actBy(rail: TestRail, integrator: string, key: string): Actor {
  const ask = (path: string, options: Ask = {}) => rail.ask(path, { key, ...options });
  return { key, integrator, ask, post: (path, body = {}, headers = {}) => ask(path, { body, headers }) };
}

/** A key that an operator issued to an account. */
export async function issueTo(admin: StaffActor, integrator: string, more: object): Promise<string> {
  return dataOf(await admin.post('/v1/ops/keys', { integrator, label: 'Issued', ...more })).plaintext;
}

/** Has somebody who had no hand in it reverse what was paid. */
export async function reverse(rail: TestRail, assessment: string): Promise<void> {
  const supervisor = await makeStaff(rail, 'supervisor');
  dataOf(await supervisor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Made by mistake' }));
}

/** An account with a key of all scopes and with what it can have made: at a counter too, and with a session. */
export async function makeOwner(rail: TestRail, admin: StaffActor) {
  const account = await makeAccount(rail);
  const { integrator } = account;
  const key = await issueTo(admin, integrator, { scopes: KEY_SCOPES, counters: ['URA'], manages_account: true });
  const actor = actBy(rail, integrator, key);
  dataOf(await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: 'http://127.0.0.1:9/hook' } }));
  dataOf(await actor.post('/v1/me:request-live', { agencies: ['*'], channels: ['*'] }));
  const cookie = await signIn(rail, account);
  dataOf(await actor.post('/v1/citizens/register', { nin: 'CM12345678ABCD' }));
  await exempt(rail, await someCitizen(rail), { percent: 1 });
  await exempt(rail, await someCitizen(rail), { percent: 1, service: await serviceNamed(rail, 'URA-PAYE') });
  const made = await createConfirmed(rail, actor);
  await payByReference(rail, actor, admin);
  await notifyAgencies(rail);
  const part = { intent: made.intent, amount: 5, reason_code: 'overpaid', method: 'transfer' };
  await proveRefund(rail, admin, dataOf(await actor.post('/v1/refunds', part)).name);
  const instalments = { count: 2, first_due_on: '2030-01-31', every: 'month' };
  const replaced = await createAssessed(rail, actor);
  dataOf(await admin.post(`/v1/assessments/${replaced}:replace`, { reason: 'Agreed', instalments }));
  const shift = await openShift(actor);
  const atCounter = await collectInShift(rail, actor, shift);
  await reverse(rail, atCounter.assessment);
  await collectInShift(rail, actor, shift);
  return { ...made, actor, cookie, shift };
}

/** Enters that a bank has paid a refund. */
async function proveRefund(rail: TestRail, admin: StaffActor, name: string): Promise<void> {
  const proof = { reference: 'FT1', paid_on: rail.rail.now().toISOString().slice(0, 10) };
  dataOf(await admin.post(`/v1/refunds/${name}:prove`, proof));
}

/** A link, by which a payment was started; and a payment at a payment point, after a short one there, and another of which an aggregator reports another amount. */
async function payByReference(rail: TestRail, actor: Actor, admin: StaffActor): Promise<void> {
  const { assessment, intent } = await createSent(rail, actor);
  const link = await makeLink(rail, actor, assessment);
  dataOf(await link.change('startPayment(channel: card)'));
  const { number, amount } = dataOf(await actor.post(`/v1/assessments/${assessment}:issue-reference`));
  const other = { event_id: intent, intent, status: 'SUCCESSFUL', amount: 5, currency: 'UGX', txn_id: intent };
  dataOf(await rail.ask('/v1/webhooks/mtn_momo', { body: other }));
  for (const paid of [1, amount]) dataOf(await makePoint(rail).pay({ reference: number, amount: paid }));
  // Somebody mistypes the last digit of a reference.
  const unpaid = await createAssessed(rail, actor);
  const { number: right } = dataOf(await actor.post(`/v1/assessments/${unpaid}:issue-reference`));
  const wrong = right.slice(0, -1) + String((Number(right.at(-1)) + 1) % 10);
  const paid = await createAssessed(rail, actor);
  const { total_amount: total } = dataOf(await actor.ask(`/v1/assessments/${paid}`));
  const { object: money } = dataOf(await makePoint(rail).pay({ reference: wrong, amount: total }));
  dataOf(await admin.post('/v1/ops/money-received:allocate', { assessment: paid, parts: [{ money, amount: total }] }));
}

/** A fiscal document for a payment event of an intent, as an agency tells of it that a sandbox makes up. */
async function issueFiscalDocument(rail: TestRail, intent: string): Promise<void> {
  const [event] = await rail.rows<{ name: string; mda: string }>(
    sql`select name, mda from payment_event where intent = ${intent} order by name limit 1`,
  );
  const body = { event_id: intent, type: 'fiscal.document', object: event!.name, data: { number: `F-${intent}` } };
  dataOf(await rail.ask(`/v1/webhooks/${event!.mda}`, { body }));
}

/** Makes records of staff and jobs in addition. */
export async function makeAround(rail: TestRail, admin: StaffActor, subjects: readonly string[], intent: string) {
  const clerk = await makeStaff(rail, 'clerk');
  const promoted = { method: 'PATCH', body: { roles: ['clerk', 'admin'] } };
  dataOf(await admin.ask(`/v1/ops/staff/${clerk.email}`, promoted));
  await closeWith(rail, -5_000);
  const shift = await openShift(clerk);
  const { assessment } = await collectInShift(rail, clerk, shift);
  await reverse(rail, assessment);
  const { intent: cash } = await collectInShift(rail, clerk, shift);
  const { name: refund } = dataOf(
    await admin.post('/v1/refunds', { intent: cash, amount: 5, reason_code: 'overpaid' }),
  );
  const [money] = await rail.rows<{ name: string }>(
    sql`select name from money_received where kind = 'short' order by name limit 1`,
  );
  const { name: back } = dataOf(await admin.post('/v1/refunds', { money: money!.name, reason_code: 'overpaid' }));
  await proveRefund(rail, admin, back);
  const payer = await makeStaff(rail, 'clerk');
  const till = await openShift(payer, { opening_float: 50_000 });
  dataOf(await payer.post(`/v1/refunds/${refund}:pay-cash`, { shift: till }));
  await rail.rows(sql`
    insert into consent_event (name, citizen, mda, purpose, created_at)
    select 'CONSENT-2020-000001', min(name), 'URA', 'registration', now() from citizen`);
  dataOf(await admin.post('/v1/ops/mdas/URA:change-account', { collection_account: 'UG-ACC-0001', reason: 'Moved' }));
  dataOf(await admin.post('/v1/ops/notices', { title: 'Maintenance', body: 'On Sunday.', agencies: ['URA'] }));
  dataOf(await admin.post('/v1/ops/alert-rules', { staff: admin.email, agencies: ['URA'] }));
  dataOf(await admin.post('/v1/ops/alert-rules', { staff_of: 'URA' }));
  const taken = { intent, amount: 5, reason_code: 'duplicate', method: 'chargeback', provider_reference: 'CBK-1' };
  dataOf(await admin.post('/v1/refunds', taken));
  const statement = `External Transaction Id,Amount,Currency,Status,Id,Date
${intent},5,UGX,successful,T1,2026-01-01T00:00:00Z
${intent},-5,UGX,successful,CBK-1,2026-01-01T00:00:00Z
`;
  const { name: run } = dataOf(
    await admin.ask('/v1/ops/reconciliation/statements?provider=mtn_momo', {
      body: new Blob([statement]),
      headers: { 'content-type': 'text/csv' },
    }),
  );
  dataOf(await admin.post(`/v1/ops/reconciliation/runs/${run}:rerun`));
  // The last one closes the gap before the second.
  for (const row of ['2026-02-01,100,100', '2026-04-01,1,151', '2026-03-01,50,150'])
    dataOf(
      await admin.ask('/v1/agency/URA/bank-statements', {
        body: new Blob([`booked_on,amount,balance,currency\n${row},UGX`]),
        headers: { 'content-type': 'text/csv' },
      }),
    );
  await issueFiscalDocument(rail, intent);
  await rail.rows(sql`
    insert into inbound_callback (provider, event_id, body_hash, intent, decision, received_at)
    values ('mtn_momo', ${randomUUID()}, '\\x00', ${intent}, 'already_final', now())`);
  for (const [index, subject] of [...subjects, shift].entries())
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      values (${`ANOM-2020-01-00000${index + 1}`}, 'late_collection', 'URA', array['URA', 'KCCA'], 'low', 'Open',
        ${subject}, '{}', now())`);
  await relay(rail.rail);
  await closeToday(rail, 'URA', 'URSB');
  await rail.rail.audit.flush();
  return { clerk, shift };
}
