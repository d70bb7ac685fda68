import { beforeAll, describe, expect, it } from 'vitest';
import {
  createAssessed,
  createAssessedFor,
  createPendingFor,
  makeActor,
  someCitizen,
  twoLines,
} from '../../harness/flow.ts';
import type { Actor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { openShift } from '../../harness/people/counter.ts';
import { letGoLive, makeTrialAccount } from '../../harness/people/going-live.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const sandbox = testRail();
const live = testRail(LIVE);

const operators = new Map<typeof sandbox, StaffActor>();
beforeAll(async () => {
  for (const rail of [sandbox, live]) operators.set(rail, await makeStaff(rail, 'admin'));
});

const amend = (rail: typeof sandbox, { integrator }: Pick<Actor, 'integrator'>, body: object) =>
  operators.get(rail)!.ask(`/v1/ops/integrators/${integrator}`, { method: 'PATCH', body });

function expectForbidden(answer: Answer, code: string, path?: string): void {
  expect(answer, answer.text).toMatchObject({ status: 403, code: 'forbidden' });
  expect(answer.json.error.details).toMatchObject([{ code, ...(path && { path }) }]);
}

describe('the agencies that operators let an account use', () => {
  it('bound what it assesses, opens, splits and collects; from the next request on', async () => {
    const actor = await makeActor(sandbox);
    const lines = await twoLines(sandbox);
    const create = async (given: object[]) =>
      actor.post('/v1/assessments', { citizen: await someCitizen(sandbox), lines: given });
    const drafted = (await create(lines)).data.name;
    const assessed = await createAssessed(sandbox, actor);
    const intent = await createPendingFor(actor, assessed);
    await amend(sandbox, actor, { allowed_agencies: ['URA'] });
    expectForbidden(await create(lines), 'agency_not_allowed', 'lines[1].service');
    expect((await create(lines.slice(0, 1))).status).toBe(200);
    expectForbidden(await actor.post(`/v1/assessments/${drafted}:assess`), 'agency_not_allowed', 'lines[1].service');
    const open = (body: object) => actor.post('/v1/payment-intents', { channel: 'mtn_momo', ...body });
    expectForbidden(await open({ assessment: assessed }), 'agency_not_allowed', 'assessment');
    const { assessment, amount } = await createAssessedFor(sandbox, actor, 'URA-TCC');
    const splits = [{ mda: 'URSB', amount }];
    expectForbidden(await open({ assessment, splits }), 'agency_not_allowed', 'splits[0].mda');
    expect((await open({ assessment, splits: [{ mda: 'URA', amount }] })).status).toBe(200);
    const initiate = () => actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700000009' });
    expectForbidden(await initiate(), 'agency_not_allowed');
    expectForbidden(
      await actor.post('/v1/counter-shifts', { mda: 'URSB', counter_label: 'A', opening_float: 0 }),
      'agency_not_allowed',
      'mda',
    );
    await amend(sandbox, actor, { allowed_agencies: ['*'] });
    expect((await initiate()).status).toBe(200);
  });
});

describe('the channels that operators let an account use', () => {
  it('bound the intents that it opens and initiates; from the next request on', async () => {
    const actor = await makeActor(sandbox);
    const assessment = await createAssessed(sandbox, actor);
    const intent = await createPendingFor(actor, assessment, 'card');
    await amend(sandbox, actor, { allowed_channels: ['mtn_momo'] });
    expectForbidden(
      await actor.post('/v1/payment-intents', { assessment, channel: 'card' }),
      'channel_not_allowed',
      'channel',
    );
    expectForbidden(await actor.post(`/v1/payment-intents/${intent}:initiate`), 'channel_not_allowed');
    expect((await actor.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' })).status).toBe(200);
    await amend(sandbox, actor, { allowed_channels: [] });
    expectForbidden(
      await actor.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' }),
      'channel_not_allowed',
    );
  });

  it('bound cash beside the grant of a counter, and the Open shift there', async () => {
    const actor = await makeActor(live, { counters: ['URA'] });
    const { assessment } = await createAssessedFor(live, actor, 'URA-TCC');
    const take = () => actor.post('/v1/payment-intents', { assessment, channel: 'cash' });
    expectForbidden(await take(), 'cash_needs_shift');
    await openShift(actor, { opening_float: 0 });
    const { name } = (await take()).data;
    await actor.post(`/v1/payment-intents/${name}:initiate`);
    await amend(live, actor, { allowed_channels: ['mtn_momo', 'card'] });
    expectForbidden(await take(), 'channel_not_allowed');
    expectForbidden(await actor.post(`/v1/payment-intents/${name}:confirm`), 'channel_not_allowed');
    // More than a live account had takes two operators.
    const { pending_approval: asked } = (await amend(live, actor, { allowed_channels: ['cash'] })).data;
    await (await makeStaff(live, 'admin')).post(`/v1/ops/approvals/${asked.name}:approve`);
    expect((await actor.post(`/v1/payment-intents/${name}:confirm`)).data.assessment.status).toBe('Paid');
  });

  it('leave an approved account without a counter where it was: no cash', async () => {
    const account = await makeTrialAccount(live);
    await letGoLive(live, account, operators.get(live)!, { agencies: ['URA'] });
    const body = { label: 'Live', scopes: ['citizens.read', 'assessments.write', 'payments.initiate'] };
    const { plaintext: key } = (await live.ask('/v1/me/keys', { key: account.key, body })).data;
    const post = (path: string, given: object = {}) => live.ask(path, { key, body: given });
    const { assessment } = await createAssessedFor(live, { post }, 'URA-TCC');
    expectForbidden(await post('/v1/payment-intents', { assessment, channel: 'cash' }), 'cash_needs_counter');
  });
});

describe('operators', () => {
  it('change what an account may use with an audit entry; nobody else does', async () => {
    const actor = await makeActor(sandbox);
    const changes = {
      tier: 'live',
      pricing_tier: 'premium',
      allowed_channels: ['card', 'card'],
      allowed_agencies: ['KCCA', 'URA'],
      limit_per_minute: 1_000,
    };
    const after = { ...changes, allowed_channels: ['card'] };
    expect((await amend(sandbox, actor, { ...changes, reason: 'Contract' })).data).toMatchObject(after);
    const me = await actor.ask('/v1/me');
    expect(me.data).toMatchObject(after);
    expect(me.headers.get('ratelimit-policy')).toBe('"key";q=1000;w=60');
    expect((await amend(sandbox, actor, { limit_per_minute: null })).data.limit_per_minute).toBe(null);
    expect((await actor.ask('/v1/me')).headers.get('ratelimit-policy')).toBe('"key";q=6000;w=60');
    // Nothing is changed, nor audited.
    await amend(sandbox, actor, { ...changes, limit_per_minute: null });
    const operator = operators.get(sandbox)!;
    expect(
      (await operator.ask(`/v1/ops/audit?subject=${actor.integrator}&action=integrator.amend`)).data,
    ).toMatchObject([
      { before: { limit_per_minute: 1_000 }, after: { limit_per_minute: null } },
      {
        actor: operator.email,
        reason: 'Contract',
        before: { tier: 'sandbox', pricing_tier: 'free', allowed_channels: ['*'], limit_per_minute: null },
        after,
      },
    ]);
    for (const wrong of [
      { pricing_tier: 'gold' },
      { allowed_channels: ['cheque'] },
      { allowed_channels: ['*', 'card'] },
      { allowed_agencies: ['NOBODY'] },
      { limit_per_minute: 0 },
      { limit_per_minute: 1_000_001 },
    ])
      expect((await amend(sandbox, actor, wrong)).status, JSON.stringify(wrong)).toBe(422);
    expect((await actor.ask('/v1/me', { method: 'PATCH', body: { allowed_agencies: ['*'] } })).status).toBe(422);
    const clerk = await makeStaff(sandbox, 'clerk');
    const path = `/v1/ops/integrators/${actor.integrator}`;
    expect((await clerk.ask(path, { method: 'PATCH', body: { tier: 'sandbox' } })).status).toBe(403);
  });

  it('vouch for the accounts that they open: those of a live rail are live, and unbounded until they say otherwise', async () => {
    const actor = await makeActor(live);
    expect(actor.key).toMatch(/^rail_live_/);
    expect((await actor.ask('/v1/me')).data).toMatchObject({
      tier: 'live',
      allowed_channels: ['*'],
      allowed_agencies: ['*'],
    });
  });
});
