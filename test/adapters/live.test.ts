import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { makeActor, createPending } from '../harness/flow.ts';
import { LIVE } from '../harness/live.ts';
import { makeStaff } from '../harness/people/staff.ts';
import {
  CHANNELS,
  booksOf,
  collect,
  expectBooksAgree,
  startOutsideRail,
  planNext,
  statusOf,
} from '../harness/outside.ts';
import { CALLBACK_SECRETS } from '../../src/sandbox/simulators/outside.ts';

/** A rail as a ministry runs it, but for the addresses of what is outside. */
const held = startOutsideRail({ ...LIVE, JOBS: 'on' });
const { rail } = held;

const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  rail.ask(`/v1/webhooks/${path}`, { body, headers });

describe('a live rail', () => {
  it('warns where its database role could switch off what keeps records from being rewritten', () => {
    expect(rail.logged.join('')).toMatch(/database role is a superuser/);
  });

  it('says what is live, and what is not to be had', async () => {
    const { plaintext: key } = await rail.key('catalogue.read');
    expect((await rail.ask('/v1/integrations', { key })).data).toEqual({
      UG: {
        identity: { status: 'live' },
        fiscal: { status: 'live' },
        payment: [
          { status: 'live', channels: ['mtn_momo', 'airtel_money', 'card', 'cash'] },
          { status: 'unavailable', channels: ['bank', 'agent', 'ussd'] },
        ],
      },
      KE: {
        identity: { status: 'unavailable' },
        fiscal: { status: 'unavailable' },
        payment: [
          { status: 'live', channels: ['mtn_momo', 'airtel_money', 'card', 'cash'] },
          { status: 'unavailable', channels: ['bank', 'agent', 'ussd'] },
        ],
      },
    });
  });

  it.each(CHANNELS)('collects through %s over TLS, and tells the agencies', async (channel) => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel, { callback: 'lost' });
    const { intent, assessment, answer } = await collect(rail, actor, channel);
    expect(answer.status).toBe(200);
    await expect
      .poll(() => {
        rail.advance(3 / 3_600);
        return statusOf(actor, intent);
      })
      .toBe('Confirmed');
    await expect.poll(() => held.outside.agencies['tax authority']!.notices.has(`${assessment}:URA`)).toBe(true);
    await expect.poll(() => held.outside.agencies['business registry']!.notices.has(`${assessment}:URSB`)).toBe(true);
    await expectBooksAgree(held, [channel]);
    const accounts = await rail.rows<{ account: string }>(sql`select collection_account as account from mda`);
    const stored = JSON.stringify(await rail.rows(sql`select detail from trace_row where intent = ${intent}`));
    const admin = await makeStaff(rail, 'admin');
    const path = `/v1/payment-intents/${intent}/trace`;
    const [seen, byOperator] = [(await actor.ask(path)).text, (await admin.ask(path)).text];
    for (const { account } of accounts)
      for (const text of [stored, seen, byOperator, answer.text]) expect(text).not.toContain(account);
    const last4 = new Set(
      accounts.map(({ account }) => `*${account.slice(-4)}`).filter((end) => byOperator.includes(end)),
    );
    expect(last4.size).toBe(2);
    for (const end of last4) expect(seen).not.toContain(end);
  });

  it('401: refuses what is not proven, in any form', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'mtn_momo', { callback: 'lost', settleMs: 0 });
    const { intent } = await collect(rail, actor, 'mtn_momo');
    await expect.poll(() => booksOf(held.outside, 'mtn_momo').byIntent(intent)!.state).toBe('paid');
    const native = { externalId: intent, status: 'SUCCESSFUL', amount: '585000', currency: 'UGX' };
    const own = { event_id: 'x', intent, status: 'SUCCESSFUL', amount: 585_000, currency: 'UGX' };
    for (const answer of [
      await call(`mtn_momo?intent=${intent}`, native),
      await call('mtn_momo', native),
      await call('mtn_momo', own),
      await call('airtel_money', { transaction: { id: intent, status_code: 'TS' } }),
      await call('card', { event: 'charge.completed', data: { tx_ref: intent, status: 'successful' } }),
    ]) {
      expect(answer).toMatchObject({ status: 401, code: 'invalid_signature' });
    }
    const proof = createHmac('sha256', CALLBACK_SECRETS.mtn_momo).update(`callback ${intent}`).digest('hex');
    expect((await call(`mtn_momo?intent=${intent}&proof=${proof}`, {})).data).toEqual({
      decision: expect.stringMatching(/^(confirmed|already_final)$/),
      intent,
    });
  });

  it('gives MTN an address of its own, with a proof', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'mtn_momo', { callback: 'lost' });
    const { intent } = await collect(rail, actor, 'mtn_momo');
    const { callbackUrl } = booksOf(held.outside, 'mtn_momo').byIntent(intent)!;
    expect(callbackUrl).toMatch(
      new RegExp(`^https://rail\\.example\\.org/v1/webhooks/mtn_momo\\?intent=${intent}&proof=[0-9a-f]{64}$`),
    );
  });

  it('makes nobody up', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask('/v1/citizens/search?nin=CM0000000000AA')).data).toMatchObject({
      source: 'nira',
      stub: false,
    });
    await expect(
      rail.rail.agencies.notify('tax authority', 'KE', {
        assessment: 'A',
        mda: 'KE-KRA',
        currency: 'KES',
        amount: 1,
        paid_at: null,
        lines: [],
      }),
    ).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(rail.rail.aggregators.get('cash')!.adapter.stub).toBe(false);
    expect((await createPending(rail, actor)).intent).toMatch(/^PI-/);
  });
});
