import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { claimDueNotices } from '../../../src/collection/propagation/claim.ts';
import { Receipts } from '../../../src/collection/propagation/receipts.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  type Actor,
  createAssessedFor,
  createConfirmed,
  createPendingFor,
  makeActor,
  serviceNamed,
  someCitizen,
} from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { testRail } from '../../harness/rail.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';

const SECRETS = {
  tax: 'signs-for-the-tax-authority',
  before: 'signed-for-it-before-that',
  efris: 'signs-fiscal-documents',
};

const folder = mkdtempSync(join(tmpdir(), 'rail-pushes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'some.pem'), 'PEM');
/** Nobody calls it here: no job runs. */
const agency = (country: string) => ({
  url: 'https://127.0.0.1:9',
  country,
  api_key: 'k',
  oauth2: { client_id: 'c', client_secret: 's' },
  mtls: { cert: 'some.pem', key: 'some.pem' },
  notice_path: '/notices',
});
writeFileSync(
  join(folder, 'connections.json'),
  JSON.stringify({
    agencies: {
      'tax authority': agency('UG'),
      'national identity authority': agency('UG'),
      KCCA: agency('UG'),
      'KE-KRA': agency('KE'),
    },
    fiscal_partners: { efris: { country: 'UG' } },
  }),
);
const env = {
  CONNECTIONS: join(folder, 'connections.json'),
  WEBHOOK_SECRET_TAX_AUTHORITY: `${SECRETS.tax},${SECRETS.before}`,
  WEBHOOK_SECRET_EFRIS: SECRETS.efris,
};
const rail = testRail(env);
const live = testRail({ ...LIVE, ...env });

let actor: Actor;
let admin: StaffActor;

beforeAll(async () => {
  actor = await makeActor(rail);
  admin = await makeStaff(rail, 'admin');
});

interface Push {
  readonly type: string;
  readonly object: string;
  readonly data: object;
  readonly event_id?: string;
}

/** Sends a push of an agency, signed with its secret unless another secret, or none, is given. */
function push(
  { event_id = randomUUID(), ...rest }: Push,
  {
    to = 'tax_authority',
    secret = SECRETS.tax,
    at = rail,
  }: { to?: string; secret?: string | null; at?: typeof rail } = {},
) {
  const body = JSON.stringify({ event_id, ...rest });
  const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
  return at.ask(`/v1/webhooks/${encodeURIComponent(to)}`, {
    body,
    headers: signature ? { 'x-service-signature': signature } : {},
  });
}

async function assessed(code = 'URA-PAYE') {
  return (await createAssessedFor(rail, actor, code)).assessment;
}

async function paid(code = 'URA-PAYE') {
  const assessment = await assessed(code);
  const intent = await createPendingFor(actor, assessment, 'cash');
  await actor.post(`/v1/payment-intents/${intent}:initiate`);
  expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
  return { assessment, intent };
}

const notices = async (assessment: string) =>
  (await admin.ask(`/v1/ops/propagations?assessment=${assessment}`)).data as Record<string, unknown>[];
const anomalies = async (kind: string, subject: string) =>
  (
    (await admin.ask(`/v1/ops/anomalies?kind=${kind}&limit=200`)).data as {
      name: string;
      subject: string;
      status: string;
    }[]
  ).filter((one) => one.subject === subject);
const messages = (object: string) =>
  rail.rows<{ type: string; sequence: number; integrator: string; payload: Record<string, unknown> }>(
    sql`select type, sequence, integrator, payload from outbox where object = ${object} order by sequence`,
  );
const timeline = async (intent: string) => (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data.timeline;

const receipt = (object: string, number = 'RCPT-1') => ({
  type: 'receipt.issued',
  object,
  data: { receipt_number: number },
});

describe('who may push', () => {
  it('401: a wrong signature in both modes, none in live mode; either of two secrets; 404: nobody', async () => {
    const { assessment } = await paid();
    expect(await push(receipt(assessment), { secret: 'another-secret-0001' })).toMatchObject({
      status: 401,
      code: 'invalid_signature',
    });
    expect((await push(receipt(assessment), { secret: null })).data.decision).toBe('receipt_recorded');
    expect((await push(receipt(assessment, 'RCPT-2'), { secret: SECRETS.before })).data.decision).toBe(
      'receipt_recorded',
    );
    expect((await push(receipt(assessment), { to: 'nobody' })).status).toBe(404);
    for (const secret of [null, 'another-secret-0001'])
      expect(await push(receipt('ASMT-2026-11-000001'), { secret, at: live })).toMatchObject({
        status: 401,
        code: 'invalid_signature',
      });
    // No secret is set for it, so that nothing that it signs can be believed.
    expect((await push(receipt('ASMT-2026-11-000001'), { to: 'kcca', secret: 'a', at: live })).status).toBe(401);
    expect((await push(receipt('ASMT-2026-11-000001'), { at: live })).data).toEqual({
      decision: 'unknown_object',
      intent: null,
    });
    // Made up in a sandbox, and there alone.
    expect((await push(receipt('ASMT-2026-11-000001'), { to: 'URSB', secret: null })).status).toBe(200);
    expect((await push(receipt('ASMT-2026-11-000001'), { to: 'URSB', secret: null, at: live })).status).toBe(404);
  });

  it('knows a connection by its name in either form', async () => {
    const { assessment } = await paid();
    expect((await push(receipt(assessment), { to: 'tax authority' })).data.decision).toBe('receipt_recorded');
    expect((await push(receipt(assessment), { to: 'KE-KRA', secret: null })).data.decision).toBe('unknown_object');
  });

  it('400: no JSON; 422: what is missing, by its path', async () => {
    expect((await rail.ask('/v1/webhooks/tax_authority', { body: 'x', method: 'POST' })).status).toBe(400);
    const { status, json } = await push({ type: 'receipt.issued', object: 'x', data: {} });
    expect([status, json.error.details[0].path]).toEqual([422, 'data.receipt_number']);
    expect((await push({ type: 'something.else', object: 'x', data: {} })).status).toBe(422);
    expect((await push({ type: 'notice.rejected', object: 'x', data: { reason: '' } })).status).toBe(422);
    const url = 'javascript:alert(1)';
    expect((await push({ type: 'fiscal.document', object: 'x', data: { number: 'F', url } })).status).toBe(422);
  });

  it('speaks of what is its own alone', async () => {
    const { assessment, intent } = await paid('KCCA-TRADELIC');
    const [event] = (await actor.ask(`/v1/payment-events?intent=${intent}`)).data;
    const before = await messages(assessment);
    for (const one of [
      receipt(assessment),
      receipt(`${assessment}.KCCA`),
      { type: 'notice.rejected', object: assessment, data: { reason: 'No' } },
      { type: 'bill.changed', object: assessment, data: { lines: [{ service: 'KCCA-TRADELIC', amount: 1 }] } },
      { type: 'identity.changed', object: 'CM000000000019', data: { full_name: 'Somebody Else' } },
      { type: 'fiscal.document', object: event.name, data: { number: 'X-1' } },
      { type: 'fiscal.document', object: assessment, data: { number: 'X-1' } },
    ])
      expect((await push(one)).data).toEqual({ decision: 'unknown_object', intent: null });
    // A partner for fiscal documents speaks of these alone.
    expect((await push(receipt(assessment), { to: 'efris', secret: SECRETS.efris })).data.decision).toBe(
      'unknown_object',
    );
    expect(await messages(assessment)).toEqual(before);
    expect(await notices(assessment)).toMatchObject([{ status: 'pending', receipt: null }]);
  });
});

describe('a repetition', () => {
  it('gets the stored decision, by its id and by its bytes, and twenty at once change something once', async () => {
    const { assessment } = await paid();
    const event_id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => push({ event_id, ...receipt(assessment) }, { to: 'tax_authority' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.data).toEqual({ decision: 'receipt_recorded', intent: null, object: `${assessment}.URA` });
    const flags = () =>
      rail.count(
        sql`select from anomaly where kind = 'event_reused' and subject like ${`tax_authority:${event_id}:%`}`,
      );
    const others = [
      { type: 'notice.rejected', object: assessment, data: { reason: 'No' } },
      { ...receipt(assessment), data: { receipt_number: 'ANOTHER' } },
      receipt(`${assessment}.URA`),
      receipt('ASMT-2020-01-000001'),
    ];
    for (const [index, other] of others.entries())
      for (let times = 0; times < 2; times++) {
        const { status, json } = await push({ event_id, ...other }, { to: 'tax_authority' });
        expect([status, json.error?.details[0].code]).toEqual([422, 'event_reused']);
        expect(await flags()).toBe(index + 1);
      }
    expect((await push({ event_id, ...receipt(assessment) }, { to: 'tax_authority' })).text).toBe(answers[0]!.text);
    expect((await messages(assessment)).map(({ type }) => type)).toEqual([
      'assessment.paid',
      'assessment.propagated',
      'assessment.receipt_issued',
    ]);
  });
});

describe('receipt.issued', () => {
  it('records the receipt, and that the agency was told; another one later; the same one not again', async () => {
    const { assessment, intent } = await paid();
    expect((await push(receipt(assessment))).data).toEqual({
      decision: 'receipt_recorded',
      intent: null,
      object: `${assessment}.URA`,
    });
    expect(await notices(assessment)).toMatchObject([
      { status: 'done', receipt: 'RCPT-1', next_attempt_at: null, done_at: expect.any(String) },
    ]);
    expect((await push(receipt(assessment))).data.decision).toBe('already_recorded');
    expect((await push(receipt(`${assessment}.URA`, 'RCPT-2'))).data.decision).toBe('receipt_recorded');
    expect((await notices(assessment))[0]).toMatchObject({ receipt: 'RCPT-2' });
    const sent = await messages(assessment);
    expect(sent.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['assessment.paid', 3],
      ['assessment.propagated', 4],
      ['assessment.receipt_issued', 5],
      ['assessment.receipt_issued', 6],
    ]);
    expect(sent[3]!.payload).toMatchObject({
      propagated_to: ['URA'],
      receipt: { mda: 'URA', kind: 'payment', number: 'RCPT-2' },
    });
    expect((await timeline(intent)).at(-1)).toMatchObject({
      actor: 'callback:tax_authority',
      summary: 'URA issued a receipt for the payment',
      detail: { receipt: 'RCPT-2' },
    });
  });

  it('is named with what another agency is told meanwhile', async () => {
    const { assessment } = await createConfirmed(rail, actor);
    const call = callOf(rail.rail, actAsSystem('job:propagate'), 'test');
    const between = async () => {
      const { data } = await push(receipt(assessment), { to: 'ursb', secret: null });
      expect(data.decision).toBe('receipt_recorded');
    };
    const rows: typeof call.db.rows = async (query) => {
      if (query.sql.includes('from assessment r')) await between();
      return call.db.rows(query);
    };
    const due = (await claimDueNotices(call, 100)).find((one) => one.assessment === assessment && one.mda === 'URA')!;
    const receipts = new Receipts(() => ({ ...call, db: { ...call.db, rows } }));
    await receipts.record({ due, receipt: { receipt: 'RCPT-1', response: {} } });
    expect((await messages(assessment)).at(-1)).toMatchObject({
      type: 'assessment.propagated',
      payload: { propagated_to: ['URA', 'URSB'] },
    });
  });

  it('has the reversal told of a payment that was cancelled before the agency said so', async () => {
    const { assessment } = await paid();
    await admin.post(`/v1/assessments/${assessment}:cancel`);
    expect((await push(receipt(assessment))).data.decision).toBe('receipt_recorded');
    expect(
      (await notices(assessment)).map(({ kind, status }) => `${String(kind)} ${String(status)}`).toSorted(),
    ).toEqual(['payment done', 'reversal pending']);
  });
});

describe('notice.rejected', () => {
  const rejection = (object: string) => ({ type: 'notice.rejected', object, data: { reason: 'The TIN is closed' } });

  it('takes the notice back until an operator sends it again, as something new', async () => {
    const { assessment, intent } = await paid();
    await push(receipt(assessment));
    expect((await push(rejection(assessment))).data.decision).toBe('notice_rejected');
    expect((await push(rejection(assessment))).data.decision).toBe('already_rejected');
    expect(await notices(assessment)).toMatchObject([
      { status: 'rejected', rejections: 1, last_error: 'The TIN is closed', done_at: null, next_attempt_at: null },
    ]);
    const name = `${assessment}.URA`;
    expect(await anomalies('notice_rejected', name)).toMatchObject([{ status: 'Open', mda: 'URA', severity: 'high' }]);
    expect((await messages(assessment)).at(-1)).toMatchObject({
      type: 'assessment.propagation_rejected',
      integrator: actor.integrator,
      payload: { propagated_to: [], rejection: { mda: 'URA', reason: 'The TIN is closed' } },
    });
    expect((await timeline(intent)).at(-1).summary).toBe('URA rejected the notice of the payment');
    expect((await admin.post(`/v1/ops/propagations/${name}:retry`)).data).toMatchObject({
      status: 'pending',
      rejections: 1,
    });
  });

  it('is flagged again where it is rejected again', async () => {
    const { assessment } = await paid();
    const name = `${assessment}.URA`;
    for (let time = 0; time < 2; time++) {
      await push(receipt(assessment));
      expect((await push(rejection(assessment))).data.decision).toBe('notice_rejected');
      const [raised] = await anomalies('notice_rejected', name);
      expect(raised).toMatchObject({ status: 'Open' });
      const resolved = await admin.post(`/v1/ops/anomalies/${raised!.name}:resolve`, { note: 'The TIN is active' });
      expect(resolved.status).toBe(200);
    }
  });

  it('leaves the reversal of what was rejected untold', async () => {
    const { assessment } = await paid();
    await push(receipt(assessment));
    await admin.post(`/v1/assessments/${assessment}:cancel`);
    await push(rejection(assessment));
    expect(
      (await notices(assessment)).map(({ kind, status }) => `${String(kind)} ${String(status)}`).toSorted(),
    ).toEqual(['payment rejected', 'reversal dead']);
  });
});

describe('bill.changed', () => {
  const findBill = async (subject: string) => {
    const [found] = await rail.rows<{
      name: string;
      raised_at: Date;
      evidence: { differences: object[] };
    }>(sql`
      select name, status, evidence, raised_at, resolved_by, resolution from anomaly
      where kind = 'bill_changed' and subject = ${subject}`);
    return found!;
  };
  const bill = (object: string, amount: number, service = 'URA-PAYE') => ({
    type: 'bill.changed',
    object,
    data: { lines: [{ service, amount }], reason: 'A new rate' },
  });

  it('flags an assessment that is open where its lines differ, and touches no amount', async () => {
    const assessment = await assessed();
    const before = (await actor.ask(`/v1/assessments/${assessment}`)).data;
    expect((await push(bill(assessment, before.total_amount))).data.decision).toBe('bill_unchanged');
    expect((await push(bill(assessment, 500_000))).data).toEqual({
      decision: 'bill_flagged',
      intent: null,
      object: assessment,
    });
    const after = (await actor.ask(`/v1/assessments/${assessment}`)).data;
    expect(after).toEqual({ ...before, updated_at: after.updated_at });
    expect(await anomalies('bill_changed', assessment)).toMatchObject([{ status: 'Open', mda: 'URA' }]);
    expect((await messages(assessment)).at(-1)).toMatchObject({
      type: 'assessment.bill_changed',
      payload: {
        status: 'Assessed',
        differences: [{ mda: 'URA', amount: before.total_amount, agency_amount: 500_000 }],
      },
    });
    expect((await push(bill(assessment, 1, 'KCCA-TRADELIC'))).data.decision).toBe('unknown_object');
    const intent = await createPendingFor(actor, assessment, 'cash');
    expect((await timeline(intent)).map(({ summary }: { summary: string }) => summary)).toContain(
      'URA says that another amount is owed',
    );
  });

  it('adds up what is said of one service, which an assessment may have twice', async () => {
    const lines = Array.from({ length: 2 }, () => ({ service: 'URA-TCC', amount: 10_000 }));
    const service = await serviceNamed(rail, 'URA-TCC');
    const { data } = await actor.post('/v1/assessments', {
      citizen: await someCitizen(rail),
      lines: lines.map(() => ({ service })),
    });
    const say = (...named: object[]) => push({ type: 'bill.changed', object: data.name, data: { lines: named } });
    expect((await say(...lines)).data.decision).toBe('bill_unchanged');
    expect((await say(lines[0]!, { service, amount: 10_000 })).data.decision).toBe('bill_unchanged');
    expect((await say(lines[0]!)).data.decision).toBe('bill_flagged');
    expect(await anomalies('bill_changed', data.name)).toHaveLength(1);
  });

  it('opens the anomaly again once it was resolved, with what is said now', async () => {
    const assessment = await assessed();
    await push(bill(assessment, 500_000));
    const before = await findBill(assessment);
    await push(bill(assessment, 600_000));
    expect(await findBill(assessment)).toEqual(before);
    for (const amount of [9_000_000, 9_000_000]) {
      await admin.post(`/v1/ops/anomalies/${before.name}:resolve`, { note: 'A typing error' });
      rail.advance(0.1);
      expect((await push(bill(assessment, amount))).data.decision).toBe('bill_flagged');
      const again = await findBill(assessment);
      expect(again).toMatchObject({ name: before.name, status: 'Open', resolution: null, resolved_by: null });
      expect(again.evidence.differences).toMatchObject([{ agency_amount: amount }]);
      expect(again.raised_at.getTime()).toBeGreaterThan(before.raised_at.getTime());
    }
  });

  it('leaves what is paid as it is', async () => {
    const { assessment } = await paid();
    expect((await push(bill(assessment, 500_000))).data.decision).toBe('assessment_closed');
    expect(await anomalies('bill_changed', assessment)).toEqual([]);
  });
});

describe('identity.changed', () => {
  const change = (object: string, full_name?: string) => ({ type: 'identity.changed', object, data: { full_name } });
  const authority = { to: 'national_identity_authority', secret: null };

  it('flags a citizen of another name, overwrites nothing, and tells whoever has open assessments of them', async () => {
    const assessment = await assessed();
    const { citizen } = (await actor.ask(`/v1/assessments/${assessment}`)).data;
    const before = (await actor.ask(`/v1/citizens/${citizen}`)).data;
    expect((await push(change(before.nin, before.full_name.toUpperCase()), authority)).data.decision).toBe(
      'identity_unchanged',
    );
    expect((await push(change(before.nin.toLowerCase(), 'Somebody Else'), authority)).data).toEqual({
      decision: 'identity_flagged',
      intent: null,
      object: citizen,
    });
    expect((await actor.ask(`/v1/citizens/${citizen}`)).data).toEqual(before);
    expect(await anomalies('identity_mismatch', citizen)).toMatchObject([{ status: 'Open' }]);
    const [message] = (await messages(citizen)).filter(({ integrator }) => integrator === actor.integrator);
    expect(message).toMatchObject({ type: 'citizen.identity_changed' });
    expect(message!.payload['assessments']).toContain(assessment);
    expect(JSON.stringify(message!.payload)).not.toMatch(/Somebody/);
    expect((await push(change('CM99999999999Q', 'A B'), authority)).data.decision).toBe('unknown_object');
    // As often as the authority says so, each in its order.
    await Promise.all([push(change(citizen), authority), push(change(citizen, 'Another One'), authority)]);
    const { length } = await messages(citizen);
    expect((await messages(citizen)).map(({ sequence }) => sequence)).toEqual(Array.from({ length }, (_, n) => n + 1));
  });
});

describe('fiscal.document', () => {
  const document = (object: string, number: string, more: object = {}) => ({
    type: 'fiscal.document',
    object,
    data: { number, url: `https://efris.example.org/${number}`, issued_at: '2026-11-21T09:25:00Z', ...more },
  });
  const efris = { to: 'efris', secret: SECRETS.efris };

  it('is kept beside the payment event, or the assessment, and shown in the trace and the graph', async () => {
    const { assessment, intent } = await paid();
    const [event] = (await actor.ask(`/v1/payment-events?intent=${intent}`)).data;
    const number = `EF-${assessment}`;
    const first = await push(document(event.name, number), efris);
    expect(first.data).toEqual({
      decision: 'fiscal_document_recorded',
      intent: null,
      object: expect.stringMatching(/^FISC-\d{4}-\d\d-\d{6,}$/),
    });
    expect((await push(document(event.name, number), efris)).data).toEqual({
      ...first.data,
      decision: 'already_recorded',
    });
    expect((await push(document(assessment, number), efris)).data.decision).toBe('fiscal_number_taken');
    // Another issuer has numbers of its own.
    expect((await push(document(assessment, number, { url: null }))).data.decision).toBe('fiscal_document_recorded');
    const { fiscal_documents } = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data;
    expect(fiscal_documents).toMatchObject([
      {
        name: first.data.object,
        issuer: 'efris',
        number,
        assessment,
        payment_event: event.name,
        mda: 'URA',
        url: `https://efris.example.org/${number}`,
        issued_at: '2026-11-21T09:25:00.000Z',
      },
      { issuer: 'tax_authority', number, payment_event: null, mda: null, url: null },
    ]);
    const query = `{ assessment(id: "${assessment}") {
      fiscalDocuments { nodes { id issuer paymentEvent { id } agency { id } } }
      events { nodes { fiscalDocuments { nodes { number assessment { id } } } } } } }`;
    expect((await actor.post('/graphql', { query })).json.data.assessment).toEqual({
      fiscalDocuments: {
        nodes: [
          { id: fiscal_documents[1].name, issuer: 'tax_authority', paymentEvent: null, agency: null },
          { id: first.data.object, issuer: 'efris', paymentEvent: { id: event.name }, agency: { id: 'URA' } },
        ],
      },
      events: { nodes: [{ fiscalDocuments: { nodes: [{ number, assessment: { id: assessment } }] } }] },
    });
    const [message] = await messages(first.data.object);
    expect(message).toMatchObject({
      type: 'fiscal_document.issued',
      integrator: actor.integrator,
      payload: { number },
    });
    // Another integrator does not see it.
    const stranger = await makeActor(rail);
    const node = { query: `{ node(id: "${first.data.object}") { id } }` };
    expect((await stranger.post('/graphql', node)).json.data.node).toBeNull();
    expect((await actor.post('/graphql', node)).json.data.node).toEqual({ id: first.data.object });
  });
});

describe('GET /v1/integrations', () => {
  it('says where fiscal documents come from, and where not', async () => {
    const { plaintext: key } = await rail.key('catalogue.read');
    const { data } = await rail.ask('/v1/integrations', { key });
    expect([data.UG.fiscal, data.KE.fiscal]).toEqual([{ status: 'sandbox' }, { status: 'sandbox' }]);
    const { plaintext: liveKey } = await live.key('catalogue.read');
    expect((await live.ask('/v1/integrations', { key: liveKey })).data.UG.fiscal).toEqual({ status: 'live' });
  });
});

describe('what integrators are told of it', () => {
  it('fits the catalogue', async () => {
    const types = (await rail.ask('/v1/events/types')).data as { type: string; schema: object }[];
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const sent = await rail.rows<{ type: string; payload: object; sequence: number }>(
      sql`select type, payload, sequence from outbox where integrator = ${actor.integrator}`,
    );
    expect(new Set(sent.map(({ type }) => type)).size).toBeGreaterThan(7);
    for (const { type, payload, sequence } of sent) {
      const { schema } = types.find((one) => one.type === type)!;
      const message = { id: randomUUID(), type, created_at: '', sequence, data: { object: payload } };
      expect(ajv.validate(schema, message), `${type}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});
