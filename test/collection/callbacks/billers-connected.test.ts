import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawNumber } from '../../../src/collection/references/number.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createAssessedFor, makeActor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-billers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const POINT = { name: 'stanbic', country: 'UG', currencies: ['UGX'], channels: ['bank', 'ussd'] };

function connect(billers: readonly object[], more: object = {}): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, JSON.stringify({ billers, ...more }));
  return path;
}

const SECRETS = ['signs-for-the-bank-now', 'signed-for-the-bank-before'] as const;
const env = {
  CONNECTIONS: connect([POINT, { ...POINT, name: 'kcb', country: 'KE', currencies: ['KES'], channels: ['agent'] }]),
  WEBHOOK_SECRET_STANBIC: SECRETS.join(','),
  WEBHOOK_SECRET_KCB: 'signs-for-the-other-one',
};
const rail = testRail(env);
const live = testRail({ ...LIVE, ...env });
const bank = makePoint(rail, 'stanbic', SECRETS[0]);
const abroad = makePoint(rail, 'kcb', env.WEBHOOK_SECRET_KCB);

let actor: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
});

async function issue(): Promise<{ number: string; amount: number }> {
  const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
  return (await actor.post(`/v1/assessments/${assessment}:issue-reference`)).data;
}

describe('a payment point that is connected', () => {
  it('200: signs, by either of two secrets; 401: a wrong signature in both modes, and none in live mode', async () => {
    const { number, amount } = await issue();
    for (const secret of SECRETS)
      expect((await makePoint(rail, 'stanbic', secret).lookUp(number)).data.state).toBe('payable');
    const forger = makePoint(rail, 'stanbic', 'another-secret-altogether');
    expect(await forger.lookUp(number)).toMatchObject({ status: 401, code: 'invalid_signature' });
    expect(await forger.pay({ reference: number, amount })).toMatchObject({ status: 401, code: 'invalid_signature' });
    expect(await makePoint(live, 'stanbic').lookUp(number)).toMatchObject({ status: 401, code: 'invalid_signature' });
    expect((await makePoint(live, 'bank').lookUp(number)).status).toBe(404);
    expect((await makePoint(rail, 'bank').lookUp(number)).status).toBe(404);
    expect((await bank.pay({ reference: number, amount })).data.decision).toBe('confirmed');
  });

  it('200: a live one pays by its signature, since nobody is there to ask', async () => {
    const { plaintext: key } = await live.keyGranted({}, 'assessments.write', 'payments.initiate');
    await live.rows(sql`update integrator set tier = 'live'`);
    const owner: Pick<Actor, 'post'> = { post: (path, body = {}) => live.ask(path, { key, body }) };
    const { assessment, amount } = await createAssessedFor(live, owner, 'URA-PAYE');
    const issued = await owner.post(`/v1/assessments/${assessment}:issue-reference`);
    const report = { reference: issued.data.number, amount };
    expect((await makePoint(live, 'stanbic', SECRETS[0]).pay(report)).data.decision).toBe('confirmed');
  });

  it('200: knows references of its country and currencies alone; money by a channel that it does not have counts', async () => {
    const { number, amount } = await issue();
    expect((await abroad.lookUp(number)).data.state).toBe('unknown');
    expect((await abroad.pay({ reference: number, amount })).data.decision).toBe('unknown_reference');
    const { intent } = (await bank.pay({ reference: number, amount, channel: 'agent' })).data;
    expect((await actor.ask(`/v1/payment-intents/${intent}`)).data.channel).toBe('agent');
  });

  it('429: after 20 unknown references in a minute, with one anomaly; another is not held up', async () => {
    const { number } = await issue();
    const admin = await makeStaff(rail, 'admin');
    for (let misses = 0; misses < 20; misses++) expect((await bank.lookUp(drawNumber())).data.state).toBe('unknown');
    const probing = async () => (await admin.ask('/v1/ops/anomalies?kind=reference_probing')).data;
    expect(await probing()).toEqual([]);
    for (let more = 0; more < 3; more++)
      expect(await bank.lookUp(number)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await probing()).toMatchObject([{ subject: expect.stringMatching(/^stanbic:\d{4}-\d\d-\d\d$/) }]);
    expect((await abroad.lookUp(number)).status).toBe(200);
  });

  it('200: is told to be there, and its statement is compared like that of an aggregator', async () => {
    const { number, amount } = await issue();
    await bank.pay({ reference: number, amount, txn_id: 'S-1' });
    const integrations = (await rail.ask('/v1/integrations', { key: (await rail.key('catalogue.read')).plaintext }))
      .data;
    const open = integrations.UG.payment.find(({ status }: { status: string }) => status === 'sandbox').channels;
    expect(open).toEqual(expect.arrayContaining(['bank', 'ussd']));
    expect(open).not.toContain('agent');
    const paid = rail.rail.now().toISOString();
    const admin = await makeStaff(rail, 'admin');
    const statement = await admin.ask('/v1/ops/reconciliation/statements?provider=stanbic', {
      body: `txn_id,amount,currency,paid_at\nS-1,${amount},UGX,${paid}\nS-2,5,UGX,${paid}\n`,
      headers: { 'content-type': 'text/csv' },
    });
    expect(statement.data).toMatchObject({ matched: 1, missing_here: 1, amount_differs: 0 });
  });

  it('200: its statement matches money that paid nothing, and misses what is not in it', async () => {
    const { number, amount } = await issue();
    for (const txn_id of ['M-1', 'M-2', 'M-3']) await bank.pay({ reference: number, amount: amount - 1, txn_id });
    const paid = rail.rail.now().toISOString();
    const admin = await makeStaff(rail, 'admin');
    const rows = [`M-1,${amount - 1},UGX,${paid}`, `M-2,${amount},UGX,${paid}`, `M-1,${amount - 1},UGX,${paid}`];
    const { data } = await admin.ask('/v1/ops/reconciliation/statements?provider=stanbic', {
      body: ['txn_id,amount,currency,paid_at', ...rows, ''].join('\n'),
      headers: { 'content-type': 'text/csv' },
    });
    expect(data).toMatchObject({ matched: 1, missing_here: 0, amount_differs: 1, duplicate: 1 });
    const items = await rail.rows<{ outcome: string; reference: string; intent: string | null }>(sql`
      select outcome, reference, intent from reconciliation_item where run = ${data.name} and reference like 'M-%'
      order by idx`);
    expect(items).toEqual([
      { outcome: 'matched', reference: 'M-1', intent: null },
      { outcome: 'amount_differs', reference: 'M-2', intent: null },
      { outcome: 'duplicate', reference: 'M-1', intent: null },
      { outcome: 'missing_there', reference: 'M-3', intent: null },
    ]);
  });
});

describe('its connection', () => {
  it('needs a secret in live mode, a name of its own, and what people pay by', () => {
    const read =
      (billers: readonly object[], more: object = {}) =>
      () =>
        readConfig({ ...LIVE, CONNECTIONS: connect(billers), ...more });
    expect(read([POINT])).toThrow('WEBHOOK_SECRET_STANBIC: needed in live mode');
    expect(read([POINT], { WEBHOOK_SECRET_STANBIC: SECRETS[0] })().billers).toMatchObject([POINT]);
    expect(read([POINT, POINT])).toThrow('stanbic is the name of two connections');
    expect(read([{ ...POINT, name: 'mtn_momo' }])).toThrow('mtn_momo is the name of two connections');
    expect(read([{ ...POINT, channels: ['card'] }])).toThrow('channels');
    expect(read([])().billers).toEqual([]);
  });
});
