import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { lookForAnomalies } from '../../../src/collection/anomalies/search.ts';
import { purgeClaims } from '../../../src/collection/callbacks/claims/keep.ts';
import { proveDue } from '../../../src/collection/callbacks/billers/prove.ts';
import { drawNumber } from '../../../src/collection/references/number.ts';
import { makeCertificates } from '../../../src/sandbox/simulators/certificates.ts';
import { createApplication, createTrouble, serveApplication } from '../../../src/sandbox/simulators/web.ts';
import { type Actor, createAssessedFor, makeActor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { type PaymentReport, makePoint } from '../../harness/people/biller.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { simulateMpesaC2b } from './mpesa-c2b.ts';

const SECRET = 'signs-for-the-bank';
const folder = mkdtempSync(join(tmpdir(), 'rail-claims-'));
const trouble = createTrouble();
/** The bank's records by transaction, and the enquiries that it received. */
const held = new Map<string, object>();
const asked: { readonly body: unknown; readonly signature: string | undefined }[] = [];
const app = createApplication(trouble).post('/enquiries', (req, res) => {
  asked.push({ body: req.body, signature: req.get('x-service-signature') });
  const found = held.get((req.body as { txn_id: string }).txn_id);
  if (found) res.json(found);
  else res.status(404).json({});
});
const bankServer = await serveApplication(app);
const mpesa = await simulateMpesaC2b(() => rail.origin, 'paybill');
const BANK = { name: 'kcb', country: 'KE', currencies: ['KES', 'USD'], channels: ['bank'] };
const connect = (...billers: object[]) => {
  const path = join(folder, `${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify({ billers }));
  return path;
};
const env = {
  CONNECTIONS: connect(
    { ...BANK, enquiries: `${bankServer.url}/enquiries`, breaker_failures: 1_000 },
    mpesa.connection,
  ),
  WEBHOOK_SECRET_KCB: SECRET,
};
const rail = testRail(env);
const { ca, server: tls } = await makeCertificates();
writeFileSync(join(folder, 'ca.pem'), ca);
const securedBank = await serveApplication(app, tls);
const securedMpesa = await simulateMpesaC2b(() => live.origin, 'paybill', tls);
const live = testRail({
  ...LIVE,
  ...env,
  CONNECTIONS: connect(
    { ...BANK, enquiries: `${securedBank.url}/enquiries`, ca: 'ca.pem' },
    { ...securedMpesa.connection, ca: 'ca.pem' },
  ),
});
const bank = makePoint(rail, 'kcb');

let actor: Actor;
let last = 0;

beforeAll(async () => {
  actor = await makeActor(rail);
});

afterAll(async () => {
  await Promise.all([mpesa, securedMpesa, bankServer, securedBank].map((one) => one.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function issue() {
  const { assessment, amount } = await createAssessedFor(rail, actor, 'KE-NCC-LANDRATE');
  const { data } = await actor.post(`/v1/assessments/${assessment}:issue-reference`);
  return { assessment, amount, number: String(data.number) };
}

const call = () => callOf(rail.rail, actAsSystem('job:test'), randomUUID());
const prove = (name: string, on = rail) =>
  proveDue(
    callOf(on.rail, actAsSystem('job:test'), randomUUID()),
    on.rail.config.billers.find((one) => one.name === name)!,
    on.rail.enquirers.get(name)!,
  );
const nextTxn = () => `SKA${String(++last).padStart(7, '0')}`;
const claims = () =>
  rail.rows<{ txn: string; asks: number; due: boolean }>(sql`
  select txn_id as txn, asks, ask_at is not null as due from payment_claim order by received_at, txn_id`);
const statusOf = async (assessment: string) => (await actor.ask(`/v1/assessments/${assessment}`)).data.status;
/** To the second, as M-Pesa tells moments. */
const now = () => new Date(Math.floor(rail.rail.now().getTime() / 1_000) * 1_000);
const send = (path: string, body: string | object) =>
  rail.ask(`/v1/billers/paybill/${path}`, { body: typeof body === 'string' ? body : JSON.stringify(body) });
const messageOf = ({ number, amount }: { number: string; amount: number }, txnId = nextTxn()) => ({
  txnId,
  reference: number,
  amount,
  at: now(),
});
const proofsOf = (on: typeof rail, assessment: string) =>
  on.rows(sql`select proof from payment_event where assessment = ${assessment}`);
const forgetClaims = () => rail.rows(sql`delete from payment_claim`);

describe('POST /v1/billers/{provider}/validation', () => {
  it('200: accepts exactly the amount of a reference that can be paid, in Safaricom’s words', async () => {
    const [one, withdrawn] = [await issue(), await issue()];
    await actor.post(`/v1/assessments/${withdrawn.assessment}:cancel`, { reason: 'Test' });
    const codeOf = async (due: { number: string; amount: number }, more: object = {}) =>
      (await send('validation', { ...JSON.parse(mpesa.write(messageOf(due))), ...more })).json;
    for (const number of [one.number, one.number.replace(/^(.{4})(.{4})/, '$1 $2-')])
      expect(await codeOf({ ...one, number })).toEqual({ ResultCode: '0', ResultDesc: 'Accepted' });
    expect(await codeOf({ ...one, amount: one.amount + 1 })).toEqual({
      ResultCode: 'C2B00013',
      ResultDesc: 'Rejected',
    });
    expect((await codeOf(withdrawn)).ResultCode).toBe('C2B00012');
    expect((await codeOf({ ...one, number: drawNumber() })).ResultCode).toBe('C2B00012');
    expect((await codeOf({ ...one, number: 'WANJIRU' })).ResultCode).toBe('C2B00012');
    expect((await codeOf(one, { BusinessShortCode: '600000' })).ResultCode).toBe('C2B00015');
  });

  it('429: after 20 wrong amounts of a number in a minute; other numbers are answered', async () => {
    const [one, other] = [await issue(), await issue()];
    const tryAmount = async (due: typeof one, amount: number) =>
      (await send('validation', mpesa.write(messageOf({ ...due, amount })))).status;
    for (let tried = 1; tried <= 20; tried++) expect(await tryAmount(one, one.amount + tried)).toBe(200);
    expect([await tryAmount(one, one.amount), await tryAmount(other, other.amount)]).toEqual([429, 200]);
  });

  it.each(['x', '[]', '{}', '""', { TransAmount: 'much' }, { TransAmount: null }, { BillRefNumber: undefined }])(
    '200: rejects what it cannot read, %j, in Safaricom’s words',
    async (wrong) => {
      const one = JSON.parse(mpesa.write(messageOf(await issue())));
      const sent = typeof wrong === 'string' ? wrong : { ...one, ...wrong };
      expect((await send('validation', sent)).json).toEqual({ ResultCode: 'C2B00016', ResultDesc: 'Rejected' });
    },
  );

  it('400, 404, 422: no JSON, another payment point, and what M-Pesa does not send', async () => {
    const one = JSON.parse(mpesa.write(messageOf(await issue())));
    expect((await send('confirmation', 'x')).status).toBe(400);
    for (const other of ['kcb', 'nobody'])
      expect((await rail.ask(`/v1/billers/${other}/validation`, { body: one })).status).toBe(404);
    for (const wrong of [{ TransTime: '2026' }, { TransTime: '20261350000000' }, { TransID: '' }])
      expect((await send('confirmation', { ...one, ...wrong })).status).toBe(422);
    expect((await makePoint(rail, 'paybill').pay({ reference: drawNumber(), amount: 1 })).status).toBe(404);
    expect(await claims()).toEqual([]);
  });
});

describe('POST /v1/billers/{provider}/confirmation', () => {
  it('200: counts once M-Pesa is asked, and by its word alone; a repetition changes nothing', async () => {
    const one = await issue();
    const entry = messageOf(one);
    await mpesa.take(entry);
    // M-Pesa sends a confirmation once: its transaction and moment are enough.
    const { TransID, TransTime } = JSON.parse(mpesa.write(entry));
    expect((await send('confirmation', { TransID, TransTime })).status).toBe(200);
    expect(await statusOf(one.assessment)).toBe('Assessed');
    expect(await claims()).toEqual([{ txn: entry.txnId, asks: 0, due: true }]);
    expect(await prove('paybill')).toBe(1);
    expect(await statusOf(one.assessment)).toBe('Paid');
    expect((await actor.ask(`/v1/payment-intents?assessment=${one.assessment}`)).data).toMatchObject([
      {
        status: 'Confirmed',
        channel: 'ussd',
        aggregator: 'paybill',
        aggregator_reference: entry.txnId,
        amount: one.amount,
      },
    ]);
    expect(await proofsOf(rail, one.assessment)).toEqual([{ proof: 'enquiry' }]);
    expect((await send('confirmation', mpesa.write(entry))).json).toEqual({ ResultCode: '0', ResultDesc: 'Accepted' });
    expect(await claims()).toEqual([]);
    const admin = await makeStaff(rail, 'admin');
    const query = '{ providerCallbacks(provider: "paybill") { nodes { decision signed event } } }';
    expect((await admin.post('/graphql', { query })).data.providerCallbacks.nodes).toEqual([
      { decision: 'confirmed', signed: false, event: entry.txnId },
    ]);
  });

  it('200: a forged one is answered alike and never counts; nothing of what it says but its number is kept', async () => {
    const one = await issue();
    const forged = messageOf(one);
    expect((await send('confirmation', mpesa.write(forged))).json.ResultCode).toBe('0');
    await prove('paybill');
    expect(await claims()).toEqual([{ txn: forged.txnId, asks: 1, due: true }]);
    expect(await statusOf(one.assessment)).toBe('Assessed');
    // The number of a real one, with another amount and reference: what M-Pesa says counts.
    const real = messageOf({ ...one, amount: one.amount - 1 });
    await mpesa.take(real, { lost: true });
    await send('confirmation', mpesa.write({ ...real, amount: one.amount }));
    await prove('paybill');
    expect(await statusOf(one.assessment)).toBe('Assessed');
    expect(
      await rail.rows(sql`select kind, amount::float8 as amount from money_received where txn_id = ${real.txnId}`),
    ).toEqual([{ kind: 'short', amount: one.amount - 1 }]);
    // Money that went back has a row of its own.
    const reversed = messageOf(one);
    await mpesa.take(reversed, { type: 'org-reversal' });
    await prove('paybill');
    expect(await statusOf(one.assessment)).toBe('Assessed');
    const kept = JSON.stringify(await rail.rows(sql`select * from payment_claim`));
    for (const personal of ['254708374149', 'Wanjiru', 'Kamau', one.number])
      expect(kept + rail.logged.join()).not.toContain(personal);
    await forgetClaims();
  });

  it('is kept until it is decided on, though a decision fails', async () => {
    const one = await issue();
    const entry = messageOf(one);
    await mpesa.take(entry);
    await rail.rows(sql`alter table inbound_callback add constraint fails check (false) not valid`);
    await expect(prove('paybill')).rejects.toThrow('fails');
    await rail.rows(sql`alter table inbound_callback drop constraint fails`);
    expect(await claims()).toEqual([{ txn: entry.txnId, asks: 1, due: true }]);
    rail.advance(1);
    await prove('paybill');
    expect([await statusOf(one.assessment), await claims()]).toEqual(['Paid', []]);
  });

  it('200: a moment that was told wrongly is corrected by the next report', async () => {
    const one = await issue();
    const entry = messageOf(one);
    await mpesa.take(entry, { lost: true });
    await send('confirmation', mpesa.write({ ...entry, at: new Date(entry.at.getTime() - 3_600_000) }));
    await prove('paybill');
    expect(await statusOf(one.assessment)).toBe('Assessed');
    await send('confirmation', mpesa.write(entry));
    await prove('paybill');
    expect(await statusOf(one.assessment)).toBe('Paid');
  });

  it('200: a wrong moment told later hides no transaction, however often, and a right one told later finds it', async () => {
    const [first, later] = [await issue(), await issue()];
    const wrong = (entry: ReturnType<typeof messageOf>, minutes: number) =>
      send('confirmation', mpesa.write({ ...entry, at: new Date(entry.at.getTime() - minutes * 60_000) }));
    const entries = [messageOf(first), messageOf(later)] as const;
    await send('confirmation', mpesa.write(entries[0]));
    for (const minutes of [10, 20, 30, 40]) await wrong(entries[0], minutes);
    for (const minutes of [10, 20]) await wrong(entries[1], minutes);
    await send('confirmation', mpesa.write(entries[1]));
    for (const entry of entries) await mpesa.take(entry, { lost: true });
    await prove('paybill');
    expect([await statusOf(first.assessment), await statusOf(later.assessment)]).toEqual(['Paid', 'Paid']);
    expect(await claims()).toEqual([]);
  });

  it('a transaction that is reported again and again is asked about once a minute at most', async () => {
    const entry = messageOf(await issue());
    await send('confirmation', mpesa.write(entry));
    expect(await prove('paybill')).toBe(1);
    for (let times = 0; times < 3; times++) {
      await send('confirmation', mpesa.write(entry));
      expect(await prove('paybill')).toBe(0);
    }
    await rail.rows(sql`update payment_claim set ask_at = null`);
    await send('confirmation', mpesa.write(entry));
    expect(await prove('paybill')).toBe(0);
    rail.advance(0.02);
    expect(await prove('paybill')).toBe(1);
    rail.advance(-0.02);
    await forgetClaims();
  });

  it('that a payment point does not have is asked about ever more seldom', async () => {
    await send('confirmation', mpesa.write(messageOf(await issue())));
    for (let hour = 0; hour < 72; hour++) {
      while ((await prove('paybill')) > 0);
      rail.advance(1);
    }
    const [claim] = await claims();
    expect([claim!.asks > 10, claim!.asks < 20]).toEqual([true, true]);
    rail.advance(-72);
    await forgetClaims();
  });

  it('503: beyond 20 of an address that M-Pesa does not have, and beyond 5,000 that wait; known ones are taken', async () => {
    const one = await issue();
    const report = async (entry = messageOf(one)) => (await send('confirmation', mpesa.write(entry))).status;
    const forged = Array.from({ length: 21 }, () => messageOf(one));
    for (const entry of forged) expect(await report(entry)).toBe(200);
    // Asked once or twice, M-Pesa may be late.
    for (let asks = 1; asks <= 3; asks++) {
      expect(await report()).toBe(200);
      while ((await prove('paybill')) > 0);
      rail.advance(1);
    }
    const refused = await send('confirmation', mpesa.write(messageOf(one)));
    expect([refused.status, refused.json.error.code, await report(forged[0])]).toEqual([503, 'unavailable', 200]);
    expect((await bank.pay({ reference: one.number, amount: 1, currency: 'KES' })).status).toBe(200);
    await rail.rows(sql`update payment_claim set sender = 'other'`);
    const real = messageOf(one);
    expect(await report(real)).toBe(200);
    await rail.rows(sql`
      insert into payment_claim (provider, txn_id, paid_at, ask_at, received_at)
      select 'paybill', 'W' || n, now(), now(), now() from generate_series(1, 5000) n`);
    expect([await report(), await report(real)]).toEqual([503, 200]);
    await rail.rows(sql`update payment_claim set denied = true`);
    expect(await report()).toBe(200);
    await forgetClaims();
    expect(await report()).toBe(200);
    await forgetClaims();
    rail.advance(-3);
  });

  it('finds its transaction behind 250 others, with a token that was revoked, and asks again while M-Pesa is away', async () => {
    const one = await issue();
    for (let others = 0; others < 250; others++)
      await mpesa.take(messageOf({ number: 'OTHER', amount: 1 }), { lost: true });
    const entry = messageOf(one);
    await mpesa.take(entry);
    mpesa.trouble.down = 'rejecting';
    await prove('paybill');
    expect(await claims()).toEqual([{ txn: entry.txnId, asks: 1, due: true }]);
    mpesa.trouble.down = 'no';
    mpesa.tokens.revokeAll();
    expect(await prove('paybill')).toBe(0);
    rail.advance(1);
    await prove('paybill');
    expect(await statusOf(one.assessment)).toBe('Paid');
  });

  it('raises what nothing proved in three days, once a day of reports, asks no more, and forgets it later', async () => {
    const forged = messageOf(await issue());
    await send('confirmation', mpesa.write(forged));
    // Three whole days after that of the report, at any hour.
    for (let hours = 0; hours <= 108; hours += 12, rail.advance(12)) {
      await prove('paybill');
      await lookForAnomalies(call());
    }
    expect(await claims()).toEqual([{ txn: forged.txnId, asks: expect.any(Number), due: false }]);
    const raised = await rail.rows(sql`select subject, evidence from anomaly where kind = 'claim_unproved'`);
    expect(raised).toEqual([
      {
        subject: `paybill:${forged.at.toISOString().slice(0, 10)}`,
        evidence: {
          provider: 'paybill',
          day: forged.at.toISOString().slice(0, 10),
          claims: 1,
          transactions: [forged.txnId],
        },
      },
    ]);
    expect(await purgeClaims(call())).toBe(0);
    rail.advance(24 * 90);
    expect(await purgeClaims(call())).toBe(1);
    actor = await makeActor(rail);
  });
});

describe('a statement of M-Pesa', () => {
  const reconcile = async (rows: readonly (readonly (string | number)[])[]) => {
    const admin = await makeStaff(rail, 'admin');
    const header = 'Receipt No.,Completion Time,Transaction Status,Paid In,A/C No.';
    return admin.ask('/v1/ops/reconciliation/statements?provider=paybill', {
      body: [header, ...rows.map((cells) => cells.join(',')), ''].join('\n'),
      headers: { 'content-type': 'text/csv' },
    });
  };
  const local = (at: Date) => new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

  it('proves nothing: it has M-Pesa asked at once about what was reported, and nothing else', async () => {
    const [one, lost] = [await issue(), await issue()];
    const entry = messageOf(one);
    await send('confirmation', mpesa.write({ ...entry, reference: lost.number, amount: 1 }));
    await prove('paybill');
    const rows = [
      [entry.txnId, local(entry.at), 'Completed', one.amount, one.number],
      [nextTxn(), local(entry.at), 'Completed', lost.amount, lost.number],
    ];
    for (const [taken, isPaid] of [
      [0, 'Assessed'],
      [1, 'Paid'],
    ] as const) {
      if (taken) await mpesa.take(entry, { lost: true });
      expect(await prove('paybill')).toBe(0);
      expect((await reconcile(rows)).data).toMatchObject({ matched: 0, missing_here: 2 });
      expect(await prove('paybill')).toBe(1);
      expect([await statusOf(one.assessment), await statusOf(lost.assessment)]).toEqual([isPaid, 'Assessed']);
    }
    expect((await reconcile(rows)).data).toMatchObject({ matched: 1, missing_here: 1 });
    expect(await claims()).toEqual([]);
  });

  it('with an amount that its currency does not have, or without what was paid, has M-Pesa asked at once', async () => {
    const entry = messageOf(await issue());
    await send('confirmation', mpesa.write(entry));
    await prove('paybill');
    expect(await prove('paybill')).toBe(0);
    for (const [amount, number] of [
      [5, ''],
      [5.001, entry.reference],
    ]) {
      await reconcile([[entry.txnId, local(entry.at), 'Completed', amount!, number!]]);
      expect(await prove('paybill')).toBe(1);
    }
    expect(await rail.count(sql`select from money_received where txn_id = ${entry.txnId}`)).toBe(0);
    await forgetClaims();
  });
});

describe('a payment point with an address for enquiries', () => {
  it('counts at once what is signed, and what is not once it says the same', async () => {
    const [signed, unsigned] = [await issue(), await issue()];
    const { data } = await makePoint(rail, 'kcb', SECRET).pay({
      reference: signed.number,
      amount: signed.amount,
      currency: 'KES',
    });
    expect([data.decision, asked]).toEqual(['confirmed', []]);
    const report = { reference: unsigned.number, amount: unsigned.amount, currency: 'KES', txn_id: 'K-1' };
    for (let times = 0; times < 2; times++)
      expect((await bank.pay(report)).data).toEqual({ decision: 'unproved', intent: null });
    await prove('kcb');
    expect(await statusOf(unsigned.assessment)).toBe('Assessed');
    expect(asked).toEqual([{ body: { txn_id: 'K-1' }, signature: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    held.set('K-1', { ...report, paid_at: rail.rail.now().toISOString() });
    rail.advance(1);
    await prove('kcb');
    expect(await statusOf(unsigned.assessment)).toBe('Paid');
    expect((await bank.send('payments', { event_id: 'x', ...report }, 'f'.repeat(64))).status).toBe(401);
    expect((await bank.pay({ ...report, paid_at: '1970-01-01T00:00:00Z' })).status).toBe(422);
    expect((await bank.pay({ ...report, amount: 1 })).data.decision).toBe('unproved');
    expect(await claims()).toEqual([]);
  });

  it('tells how a payment of it stands there, while it can be asked', async () => {
    const due = await issue();
    const report = { reference: due.number, amount: due.amount, currency: 'KES', txn_id: 'K-5' };
    const paid = { ...report, paid_at: now().toISOString() };
    const { intent } = (await makePoint(rail, 'kcb', SECRET).pay(paid)).data;
    const liveStatus = async (of: string) => (await actor.ask(`/v1/payment-intents/${of}/live-status`)).data;
    const stored = { status: 'Confirmed', amount: due.amount, currency: 'KES' };
    expect(await liveStatus(intent)).toMatchObject({ stored, live: { status: 'NOT_FOUND' }, match: false });
    held.set('K-5', paid);
    const there = { status: 'SUCCESSFUL', txn_id: 'K-5', amount: due.amount, settled_at: paid.paid_at, stub: false };
    expect(await liveStatus(intent)).toMatchObject({ live: { ...there, raw_response: paid }, match: true });
    held.set('K-5', { ...paid, amount: due.amount - 1 });
    expect((await liveStatus(intent)).match).toBe(false);

    const other = await issue();
    await mpesa.take(messageOf(other));
    await prove('paybill');
    const [{ name }] = (await actor.ask(`/v1/payment-intents?assessment=${other.assessment}`)).data;
    expect(await liveStatus(name)).toMatchObject({ live: { status: 'SUCCESSFUL', currency: 'KES' }, match: true });
    rail.advance(49);
    expect(await liveStatus(name)).toMatchObject({ live: { status: 'UNKNOWN', txn_id: null }, match: null });
  });

  it('is believed of any moment, and of a transaction that is called as an event was', async () => {
    const [early, other] = [await issue(), await issue()];
    const claim = async ({ number, amount }: { number: string; amount: number }, txn_id: string, paid_at: Date) => {
      const report = { reference: number, amount, currency: 'KES', txn_id };
      expect((await bank.pay(report)).data.decision).toBe('unproved');
      held.set(txn_id, { ...report, paid_at: paid_at.toISOString() });
      rail.advance(1);
      await prove('kcb');
    };
    await claim(early, 'K-3', new Date(now().getTime() - 3_600_000));
    expect(await statusOf(early.assessment)).toBe('Paid');
    await makePoint(rail, 'kcb', SECRET).pay({ event_id: 'K-4', reference: 'NONE', amount: 1, currency: 'KES' });
    await claim(other, 'K-4', now());
    expect([await statusOf(other.assessment), await claims()]).toEqual(['Paid', []]);
  });

  it('200: one transaction for two payments, and reports of one event for two: what is asked about counts', async () => {
    const [one, other, third, fourth] = [await issue(), await issue(), await issue(), await issue()];
    const entry = messageOf(one);
    for (const due of [one, other]) {
      await mpesa.take({ ...entry, reference: one.number });
      await send('confirmation', mpesa.write({ ...entry, reference: due.number }));
      await prove('paybill');
    }
    expect([await statusOf(one.assessment), await statusOf(other.assessment)]).toEqual(['Paid', 'Assessed']);
    for (const due of [third, fourth]) {
      const report = { event_id: 'E-1', reference: due.number, amount: due.amount, currency: 'KES', txn_id: nextTxn() };
      held.set(report.txn_id, { ...report, paid_at: now().toISOString() });
      expect((await bank.pay(report)).data.decision).toBe('unproved');
      await prove('kcb');
      expect(await statusOf(due.assessment)).toBe('Paid');
    }
    expect([await claims(), await rail.count(sql`select from anomaly where kind = 'event_reused'`)]).toEqual([[], 0]);
  });

  it('is believed in no answer that is not about the transaction, or that cannot be read', async () => {
    const { number: reference, amount, assessment } = await issue();
    const paid_at = rail.rail.now().toISOString();
    const right = { txn_id: 'K-2', reference, amount, currency: 'KES', paid_at };
    for (const wrong of [
      { txn_id: 'K-1' },
      { amount: -1 },
      { amount: '1e3' },
      { amount: amount + 0.001 },
      { amount: null },
      { currency: 'XXQ' },
      { reference: '' },
      { paid_at: paid_at.slice(0, -1) },
      { paid_at: 'yesterday' },
    ]) {
      held.set('K-2', { ...right, ...wrong });
      await bank.pay({ reference, amount, currency: 'KES', txn_id: 'K-2' });
      rail.advance(1);
      expect([await prove('kcb'), await statusOf(assessment)]).toEqual([1, 'Assessed']);
    }
    held.set('K-2', right);
    await bank.pay({ reference, amount, currency: 'KES', txn_id: 'K-2' });
    rail.advance(1);
    await prove('kcb');
    expect(await statusOf(assessment)).toBe('Paid');
  });

  it('needs no secret on a live rail, and https', () => {
    const read =
      (...billers: object[]) =>
      () =>
        readConfig({ ...LIVE, CONNECTIONS: connect(...billers) });
    const secured = { ...mpesa.connection, url: 'https://api.safaricom.co.ke' };
    expect(read({ ...BANK, enquiries: 'https://bank.example.org/rail' }, secured)().billers).toMatchObject([
      { name: 'kcb', form: 'rail' },
      { name: 'paybill', form: 'mpesa_c2b' },
    ]);
    expect(read(BANK)).toThrow('WEBHOOK_SECRET_KCB: needed in live mode');
    expect(read(mpesa.connection)).toThrow('must be https in live mode');
    expect(read({ ...secured, currencies: ['UGX'] })).toThrow('currencies');
    expect(read({ ...secured, short_code: 'x' })).toThrow('short_code');
  });
});

describe('on a live rail', () => {
  const entryOf = ({ txn_id, reference, amount, paid_at }: Required<PaymentReport>) => ({
    txnId: txn_id,
    reference,
    amount,
    at: new Date(paid_at),
  });
  const POINTS = {
    kcb: {
      claim: (report: Required<PaymentReport>, secret: string | null) => makePoint(live, 'kcb', secret).pay(report),
      hold: async (report: Required<PaymentReport>) => void held.set(report.txn_id, report),
      header: 'txn_id,amount,currency,paid_at,reference',
      state: 'KES',
    },
    paybill: {
      claim: (report: Required<PaymentReport>, _secret: string | null) =>
        live.ask('/v1/billers/paybill/confirmation', { body: securedMpesa.write(entryOf(report)) }),
      hold: (report: Required<PaymentReport>) => securedMpesa.take(entryOf(report), { lost: true }),
      header: 'Receipt No.,Paid In,Transaction Status,Completion Time,A/C No.',
      state: 'Completed',
    },
  };

  /** A reference that a stranger says was paid, and what operators and the payment point say of it. */
  async function claim(name: keyof typeof POINTS, secret: string | null = null) {
    const { plaintext: key } = await live.keyGranted({}, 'assessments.write', 'payments.initiate');
    await live.rows(sql`update integrator set tier = 'live'`);
    const owner: Pick<Actor, 'post'> = { post: (path, body = {}) => live.ask(path, { key, body }) };
    const { assessment, amount } = await createAssessedFor(live, owner, 'KE-NCC-LANDRATE');
    const { number: reference } = (await owner.post(`/v1/assessments/${assessment}:issue-reference`)).data;
    const paid_at = new Date(Math.floor(live.rail.now().getTime() / 1_000) * 1_000).toISOString();
    const txn_id = nextTxn();
    const report: Required<PaymentReport> = {
      event_id: txn_id,
      reference,
      amount,
      currency: 'KES',
      txn_id,
      paid_at,
      channel: 'bank',
    };
    const { header, state, hold, ...point } = POINTS[name];
    expect((await point.claim(report, secret)).status).toBe(200);
    return {
      subject: `${name}:${txn_id}`,
      assessment,
      hold: () => hold(report),
      prove: () => prove(name, live),
      reconcile: async (operator: StaffActor) => {
        const body = [header, [txn_id, amount, state, paid_at, reference].join(','), ''].join('\n');
        const headers = { 'content-type': 'text/csv' };
        return (await operator.ask(`/v1/ops/reconciliation/statements?provider=${name}`, { body, headers })).data;
      },
      status: async () => {
        const rows = await live.rows<{ status: string }>(sql`select status from assessment where name = ${assessment}`);
        return rows[0]!.status;
      },
      requests: () =>
        live.rows<{ name: string }>(
          sql`select name from approval where kind = 'claim' and subject = ${`${name}:${txn_id}`}`,
        ),
    };
  }

  it.each(['kcb', 'paybill'] as const)(
    '%s: a report of a stranger and the statement of an operator pay nothing, until it is asked',
    async (name) => {
      const { subject, assessment, hold, reconcile, status, requests, ...one } = await claim(name);
      const operator = await makeStaff(live, 'system_manager');
      for (let times = 0; times < 2; times++) {
        expect(await reconcile(operator)).toMatchObject({ matched: 0, missing_here: 1 });
        expect([await one.prove(), await status()]).toEqual([1, 'Assessed']);
      }
      expect(await live.count(sql`select from receipt where assessment = ${assessment}`)).toBe(0);
      expect(
        await live.count(sql`select from anomaly where kind = 'statement_mismatch' and subject = ${subject}`),
      ).toBe(1);
      await hold();
      expect([await one.prove(), await status()]).toEqual([0, 'Assessed']);
      await reconcile(operator);
      expect([await one.prove(), await status()]).toEqual([1, 'Paid']);
      expect(await reconcile(operator)).toMatchObject({ matched: 1, missing_here: 0 });
      expect(await requests()).toEqual([]);
    },
  );

  it('two independent operators decide on what M-Pesa can no longer be asked about, and no statement alone', async () => {
    const [old, denied, kept] = [await claim('paybill'), await claim('kcb'), await claim('paybill')];
    live.advance(80);
    for (const { prove: ask } of [old, denied]) while ((await ask()) > 0);
    const [asker, approver] = [await makeStaff(live, 'admin'), await makeStaff(live, 'admin')];
    for (let times = 0; times < 2; times++)
      for (const one of [old, denied, kept]) expect(await one.reconcile(asker)).toMatchObject({ matched: 0 });
    const [[request], [other]] = [await old.requests(), await kept.requests()];
    expect([await old.requests(), await denied.requests()]).toEqual([[request], []]);
    const approve = async (by: StaffActor, name: string) => (await by.post(`/v1/ops/approvals/${name}:approve`)).status;
    expect(await approve(asker, request!.name)).toBe(403);
    while ((await old.prove()) > 0);
    expect([await old.status(), await denied.status()]).toEqual(['Assessed', 'Assessed']);
    expect(await approve(approver, request!.name)).toBe(200);
    while ((await old.prove()) > 0);
    expect([await old.status(), await kept.status(), await denied.status()]).toEqual(['Paid', 'Assessed', 'Assessed']);
    expect(await proofsOf(live, old.assessment)).toEqual([{ proof: 'approval' }]);
    expect(await old.reconcile(asker)).toMatchObject({ matched: 1 });
    const trace = await live.rows(sql`
      select detail->>'source' as source from trace_row where assessment = ${old.assessment} and kind = 'adapter.verify'`);
    expect(trace).toEqual([{ source: `callback ${request!.name}` }]);
    expect(await (await claim('kcb', SECRET)).status()).toBe('Paid');
    const proofs = await live.rows<{ proof: string }>(sql`select proof from payment_event`);
    expect(new Set(proofs.map(({ proof }) => proof))).toEqual(new Set(['enquiry', 'approval', 'callback']));
    // A claim that was decided meanwhile, or deleted, can no longer be approved.
    await live.rows(sql`delete from payment_claim`);
    expect(await approve(approver, other!.name)).toBe(404);
    live.advance(-80);
  });
});

const STATES = ['Issued', 'Paid', 'Withdrawn', 'Expired', 'unknown'] as const;
const ANSWERS = ['right', 'other', 'none', 'unread'] as const;
const REPORTS = {
  claim: ['claim'],
  'claim, statement': ['claim', 'statement'],
  'statement, claim': ['statement', 'claim'],
} as const;

/**
 * Cases of one transaction: the state of its intent, the payment point's first answer, the reports of it, and a later
 * answer.
 */
const CLAIMED = STATES.flatMap((state) =>
  ANSWERS.flatMap((answer) =>
    Object.values(REPORTS).flatMap((reports) =>
      [true, false].map((isHeldLater) => ({ state, answer, reports, isHeldLater })),
    ),
  ),
);

describe('each answer of a payment point, for a number in each state, in either order of what reports it', () => {
  it('is booked once or asked about to its end', async () => {
    const admin = await makeStaff(rail, 'admin');
    const paidAt = rail.rail.now().toISOString();
    const tried = await Promise.all(
      CLAIMED.map(async (one, index) => {
        const { assessment, amount, number } = await issue();
        const txn = `T-${index}`;
        if (one.state === 'Paid')
          await makePoint(rail, 'kcb', SECRET).pay({ reference: number, amount, currency: 'KES' });
        if (one.state === 'Withdrawn') await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Test' });
        if (one.state === 'Expired')
          await rail.rows(sql`
            update payment_reference set created_at = created_at - interval '2 days', expires_at = now() - interval '1 day'
            where number = ${number}`);
        const reference = one.state === 'unknown' ? drawNumber() : number;
        return {
          ...one,
          assessment,
          txn,
          report: { txn_id: txn, reference, amount, currency: 'KES', paid_at: paidAt },
        };
      }),
    );
    const says = ({ report, txn }: (typeof tried)[number], answer: (typeof ANSWERS)[number]) => {
      if (answer === 'none') held.delete(txn);
      else
        held.set(txn, answer === 'unread' ? {} : { ...report, amount: report.amount + (answer === 'other' ? 1 : 0) });
    };
    for (const one of tried) says(one, one.answer);
    const proveAll = async () => {
      while ((await prove('kcb')) > 0);
    };
    for (const turn of [0, 1]) {
      const claimed = tried.filter(({ reports }) => reports[turn] === 'claim');
      for (const { report } of claimed) expect((await bank.pay(report)).data.decision).toBe('unproved');
      await proveAll();
      const rows = tried.filter(({ reports }) => reports[turn] === 'statement');
      const lines = rows.map(({ report: { txn_id, amount, reference } }) => [txn_id, amount, 'KES', paidAt, reference]);
      if (rows.length > 0)
        await admin.ask('/v1/ops/reconciliation/statements?provider=kcb', {
          body: ['txn_id,amount,currency,paid_at,reference', ...lines.map((cells) => cells.join(','))].join('\n'),
          headers: { 'content-type': 'text/csv' },
        });
    }
    for (const one of tried) if (one.isHeldLater && !['right', 'other'].includes(one.answer)) says(one, 'right');
    rail.advance(2);
    await proveAll();
    rail.advance(100);
    await proveAll();
    const count = asked.length;
    rail.advance(100);
    await proveAll();
    expect(asked.length).toBe(count);
    rail.advance(-202);

    const books = await rail.rows<{ txn: string; paid: boolean; amount: number }>(sql`
      select txn_id as txn, false as paid, amount::float8 as amount from money_received where provider = 'kcb'
      union all select aggregator_reference, true, amount::float8 from payment_intent where aggregator = 'kcb'`);
    const waiting = new Map((await claims()).map(({ txn, due }) => [txn, due]));
    const wrong: object[] = [];
    for (const { report, txn, assessment, ...one } of tried) {
      const found = books.filter((book) => book.txn === txn);
      const isProved = one.answer === 'right' || one.answer === 'other' || one.isHeldLater;
      const amount = report.amount + (one.answer === 'other' ? 1 : 0);
      const pays = isProved && one.state === 'Issued' && one.answer !== 'other';
      const expected = { books: isProved ? [{ txn, paid: pays, amount }] : [], waiting: isProved ? undefined : false };
      const is = { books: found, waiting: waiting.get(txn) };
      if (JSON.stringify(is) !== JSON.stringify(expected)) wrong.push({ ...one, is, expected });
      const status = await statusOf(assessment);
      if ((status === 'Paid') !== (pays || one.state === 'Paid')) wrong.push({ ...one, status });
    }
    expect(wrong).toEqual([]);
    await forgetClaims();
  });
});
