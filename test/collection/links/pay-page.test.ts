import { beforeAll, describe, expect, it } from 'vitest';
import { isObjectType } from 'graphql';
import { schema } from '../../../src/app/schema.ts';
import { simulateOutcome } from '../../../src/collection/links/page/simulate.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { OF_PAYER } from '../../../src/platform/access/needs.ts';
import { anonymous, findEdgeRefusal, findRefusal, viewPayer } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createAssessed, createAssessedFor, createPendingFor, makeActor } from '../../harness/flow.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { LinkHolder, makeLink } from '../../harness/people/link.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { CALLERS } from '../../harness/schema/walk.ts';
import { selectField } from '../../platform/walls/selection.ts';

const rail = testRail();
const PHONE = '+256700123456';
let actor: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
});

const assessed = async () => (await createAssessedFor(rail, actor, 'URA-PAYE')).assessment;
const holder = async (more: object = {}) => makeLink(rail, actor, await assessed(), more);
const start = (payer: LinkHolder, channel: string, headers = {}) =>
  payer.change(`startPayment(channel: ${channel}${channel === 'card' ? '' : `, payerMsisdn: "${PHONE}"`})`, headers);
const attemptOf = async (payer: LinkHolder, channel: string) => {
  const { data, text } = await start(payer, channel);
  if (!data?.startPayment) throw new Error(text);
  return data.startPayment.attempt;
};
const refusedWith = ({
  json,
}: {
  json: { errors?: { extensions: { code: string; details?: { code: string }[] } }[] };
}) => {
  const { code, details } = json.errors![0]!.extensions;
  return details?.[0]?.code ?? code;
};
const intentsOf = async (payer: LinkHolder) =>
  (
    await rail.rows<{ name: string }>(sql`select name from payment_intent where link = ${payer.name} order by name`)
  ).map(({ name }) => name);
const report = (intent: string, status: 'SUCCESSFUL' | 'FAILED', amount = 450_000, provider = 'mtn_momo') =>
  rail.ask(`/v1/webhooks/${provider}`, {
    body: {
      event_id: `${intent}-${status}`,
      intent,
      status,
      amount,
      currency: 'UGX',
      txn_id: intent,
      reason: 'PAYER_DECLINED',
    },
  });

describe('who came by a payment link', () => {
  const roots = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.values(type.getFields()));
  const payer = viewPayer({ link: 'LINK-2026-11-000001', token: 'pay_' });

  it('may use one query and three mutations of all that needs something, and nobody else may', () => {
    const needing = roots.filter((field) => accessOf(field).need !== undefined);
    expect(needing.length).toBeGreaterThan(150);
    const open = needing.filter((field) => findRefusal(payer, accessOf(field).need!) === null);
    expect(open.map(({ name }) => name)).toEqual(['payPage', 'showReference', 'simulateOutcome', 'startPayment']);
    for (const [, viewer] of CALLERS.filter(([, { kind }]) => kind !== 'payer'))
      expect(findRefusal(viewer, OF_PAYER)?.code).toMatch(/^(forbidden|unauthenticated)$/);
  });

  it('may follow no edge of any type that needs something', () => {
    const edges = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !['Query', 'Mutation', 'Subscription'].includes(name))
      .flatMap((type) => Object.values(type.getFields()))
      .flatMap((field) => accessOf(field).need ?? []);
    expect(edges.length).toBeGreaterThan(20);
    expect(edges.filter((need) => findEdgeRefusal(payer, need) === null)).toEqual([]);
  });

  it('is answered by what is open to everybody as nobody is', async () => {
    const link = await holder();
    let asked = 0;
    for (const field of Object.values(schema.getQueryType()!.getFields())) {
      const selection = accessOf(field).need === undefined ? selectField(anonymous, field) : null;
      if (selection === null) continue;
      const [own, others] = await Promise.all([
        link.ask(`{ ${selection} }`),
        rail.ask('/graphql', { body: { query: `{ ${selection} }` } }),
      ]);
      if (!/At|now/.test(field.name)) expect(own.data, field.name).toEqual(others.data);
      asked++;
    }
    expect(asked).toBeGreaterThan(8);
  });

  it('gets nothing of REST that takes a credential', async () => {
    const { token } = await holder();
    for (const path of ['/v1/payment-links', '/v1/payment-intents', '/v1/me', '/v1/citizens', '/v1/work/shifts'])
      expect((await rail.ask(path, { key: token })).status, path).toBeGreaterThanOrEqual(401);
  });

  it('is nobody with a token that is mistyped, and is stopped where they guess; who has a link is not', async () => {
    const link = await holder();
    const flipped = link.token.slice(0, -1) + (link.token.endsWith('A') ? 'B' : 'A');
    const guesses = [flipped, 'pay_', `${link.token}A`, `pay_${'é'.repeat(43)}`, `pay_${'A'.repeat(10_000)}`];
    for (const guess of guesses)
      expect((await rail.ask('/graphql', { key: guess, body: { query: '{ payPage { state } }' } })).status).toBe(401);
    const open = (token: string) => new LinkHolder(rail, { name: '', url: `/${token}` }).open();
    for (let misses = guesses.length; misses < 10; misses++) expect((await open(flipped)).status).toBe(404);
    const stopped = await open(flipped);
    expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    expect((await link.open()).status).toBe(200);
    expect((await link.page()).state).toBe('payable');
    rail.advance(1);
  });
});

describe('payPage', () => {
  it('shows what is owed to whom and how to pay it, and of the payer the initials alone', async () => {
    const link = await makeLink(rail, actor, await createAssessed(rail, actor));
    const { ways, ...page } = await link.page();
    expect(page).toMatchObject({
      state: 'payable',
      totalAmount: 585_000,
      paidByNumber: true,
      attempt: null,
      receipts: [],
    });
    expect(page.payerInitials).toMatch(/^[A-Z]{1,4}$/);
    expect(ways).toEqual([
      { channel: 'mtn_momo', needsPhone: true },
      { channel: 'airtel_money', needsPhone: true },
      { channel: 'card', needsPhone: false },
    ]);
    const [citizen] = await rail.rows<Record<string, string>>(sql`
      select c.nin, c.full_name, c.phone from citizen c join assessment a on a.citizen = c.name
      join payment_link l on l.assessment = a.name where l.name = ${link.name}`);
    const answers = JSON.stringify(page) + (await link.open()).text + (await link.open('/wait')).text;
    for (const secret of Object.values(citizen!)) expect(answers).not.toContain(secret);
  });

  it('offers the channels of the link alone, and those that its account may use', async () => {
    const card = await holder({ channels: ['card', 'bank'] });
    expect(await card.page()).toMatchObject({ ways: [{ channel: 'card' }], paidByNumber: true });
    expect(refusedWith(await start(card, 'mtn_momo'))).toBe('channel_closed');
    const phone = await holder({ channels: ['mtn_momo'] });
    expect(await phone.page()).toMatchObject({ ways: [{ channel: 'mtn_momo' }], paidByNumber: false });
    expect(refusedWith(await phone.change('showReference'))).toBe('channel_closed');
    const all = await holder();
    await rail.rows(sql`update integrator set allowed_channels = '{card}' where code = ${actor.integrator}`);
    expect(await all.page()).toMatchObject({ ways: [{ channel: 'card' }], paidByNumber: false });
    await rail.rows(sql`update integrator set allowed_channels = '{*}' where code = ${actor.integrator}`);
  });

  it('is closed once the link has expired or its account is suspended, and says no more of what is owed', async () => {
    const CLOSED = {
      state: 'closed',
      totalAmount: null,
      payerInitials: null,
      lines: [],
      receipts: [],
      reference: null,
    };
    const link = await holder();
    await rail.rows(sql`update integrator set status = 'Suspended' where code = ${actor.integrator}`);
    expect(await link.page()).toMatchObject(CLOSED);
    await rail.rows(sql`update integrator set status = 'Active' where code = ${actor.integrator}`);
    expect((await link.page()).state).toBe('payable');
    rail.advance(73);
    expect(await link.page()).toMatchObject(CLOSED);
    for (const field of ['startPayment(channel: card)', 'showReference'])
      expect(refusedWith(await link.change(field))).toBe('link_closed');
  });

  it('is closed once the assessment is cancelled', async () => {
    const assessment = await assessed();
    const link = await makeLink(rail, actor, assessment);
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Test' });
    expect((await link.page()).state).toBe('closed');
    expect(refusedWith(await start(link, 'card'))).toBe('assessment_not_payable');
  });
});

describe('startPayment', () => {
  it('has the payer asked to pay for the account, and the receipt follows', async () => {
    const link = await holder();
    const attempt = await attemptOf(link, 'mtn_momo');
    expect(attempt).toMatchObject({ status: 'Sent', channel: 'mtn_momo', nextAction: { type: 'push', url: null } });
    expect((await link.page()).state).toBe('waiting');
    const own = (await actor.ask(`/v1/payment-intents/${attempt.id}`)).data;
    expect(own).toMatchObject({ status: 'Sent', payer_msisdn: '**********456' });
    expect(await rail.rows(sql`select distinct actor from trace_row where intent = ${attempt.id}`)).toEqual([
      { actor: link.name },
    ]);
    await report(attempt.id, 'SUCCESSFUL');
    const page = await link.page();
    expect(page).toMatchObject({ state: 'paid', attempt: { status: 'Confirmed' } });
    expect(page.receipts).toMatchObject([{ status: 'Issued', contents: { kind: 'payment', amount: 450_000 } }]);
    expect((await start(link, 'card')).data.startPayment.state).toBe('paid');
    expect(await intentsOf(link)).toHaveLength(1);
  });

  it('answers the payment that is under way to who asks again, from two tabs at once too', async () => {
    const link = await holder();
    const answers = await Promise.all(Array.from({ length: 5 }, () => start(link, 'card')));
    for (const answer of answers) if (answer.json.errors) expect(refusedWith(answer)).toBe('being_initiated');
    const { id } = await attemptOf(link, 'card');
    expect(await intentsOf(link)).toEqual([id]);
  });

  it('begins one payment of each channel, by however many links of the bill at once', async () => {
    const assessment = await assessed();
    const links = await Promise.all(Array.from({ length: 5 }, () => makeLink(rail, actor, assessment)));
    const channels = ['mtn_momo', 'card'];
    const answers = await Promise.all(links.flatMap((link) => channels.map((channel) => start(link, channel))));
    for (const answer of answers) if (answer.json.errors) expect(refusedWith(answer)).toBe('being_initiated');
    expect(
      await rail.rows(sql`
        select channel::text, count(*)::int from payment_intent where assessment = ${assessment} group by 1 order by 1`),
    ).toEqual([
      { channel: 'card', count: 1 },
      { channel: 'mtn_momo', count: 1 },
    ]);
    const [begun] = await Promise.all(links.map((link) => attemptOf(link, 'card')));
    for (const link of links) expect((await attemptOf(link, 'card')).id).toBe(begun.id);
  });

  it('answers the same to the same request under its key', async () => {
    const link = await holder();
    const first = await start(link, 'card', { 'idempotency-key': link.name });
    expect((await start(link, 'card', { 'idempotency-key': link.name })).json.data).toEqual(first.json.data);
    expect(await intentsOf(link)).toHaveLength(1);
  });

  it('answers the payment of another link, or of the account itself, that is under way in the same way', async () => {
    const assessment = await assessed();
    const intent = await createPendingFor(actor, assessment, 'card');
    await actor.post(`/v1/payment-intents/${intent}:initiate`);
    const link = await makeLink(rail, actor, assessment);
    expect((await attemptOf(link, 'card')).id).toBe(intent);
    expect(await intentsOf(link)).toEqual([]);
  });

  it('may be asked for in another way meanwhile; what is paid twice has two receipts, and says so', async () => {
    const link = await holder();
    const [push, card] = [await attemptOf(link, 'mtn_momo'), await attemptOf(link, 'card')];
    await report(push.id, 'SUCCESSFUL');
    await report(card.id, 'SUCCESSFUL', 450_000, 'card');
    const { receipts } = await link.page();
    expect(receipts.map(({ contents }: { contents: { kind: string } }) => contents.kind)).toEqual([
      'duplicate',
      'payment',
    ]);
  });

  it('begins another once the one before failed or expired', async () => {
    const link = await holder({ expires_in_hours: 2_000 });
    const failed = await attemptOf(link, 'mtn_momo');
    await report(failed.id, 'FAILED');
    expect(await link.page()).toMatchObject({
      state: 'payable',
      attempt: { status: 'Failed', failureReason: 'PAYER_DECLINED' },
    });
    const late = await attemptOf(link, 'mtn_momo');
    rail.advance(rail.rail.config.intentTtlHours + 1);
    expect((await link.page()).state).toBe('payable');
    const again = await attemptOf(link, 'mtn_momo');
    expect(await intentsOf(link)).toEqual([failed.id, late.id, again.id]);
  });

  it('ends as it ends where the link is withdrawn meanwhile, which still shows the receipt', async () => {
    const link = await holder();
    const attempt = await attemptOf(link, 'mtn_momo');
    await actor.post(`/v1/payment-links/${link.name}:withdraw`);
    expect(await link.page()).toMatchObject({ state: 'closed', totalAmount: null, attempt: { status: 'Sent' } });
    await report(attempt.id, 'SUCCESSFUL');
    expect(await link.page()).toMatchObject({ state: 'paid', totalAmount: 450_000, receipts: [{ status: 'Issued' }] });
  });

  it('tries again what the aggregator did not answer, and collects once', async () => {
    const link = await holder();
    const lost = await link.change('startPayment(channel: mtn_momo, payerMsisdn: "+256700000002")');
    expect(refusedWith(lost)).toBe('adapter_timeout');
    const attempt = await attemptOf(link, 'mtn_momo');
    expect(attempt.status).toBe('Sent');
    expect(await intentsOf(link)).toEqual([attempt.id]);
  });
});

describe('showReference', () => {
  it('shows one number, and the receipt of what was paid with it while the link is open', async () => {
    const assessment = await assessed();
    const [link, other] = [await makeLink(rail, actor, assessment), await makeLink(rail, actor, assessment)];
    const { reference } = (await link.change('showReference')).data.showReference;
    expect(reference).toMatchObject({ status: 'Issued' });
    expect((await link.change('showReference')).data.showReference.reference).toEqual(reference);
    await actor.post(`/v1/payment-links/${other.name}:withdraw`);
    await makePoint(rail).pay({ reference: reference.number, amount: 450_000 });
    expect(await link.page()).toMatchObject({ state: 'paid', reference: null, receipts: [{ status: 'Issued' }] });
    expect(await other.page()).toMatchObject({ state: 'closed', receipts: [] });
  });
});

describe('simulateOutcome', () => {
  it('has the payment under way of a sandbox end', async () => {
    const link = await holder();
    expect(refusedWith(await link.change('simulateOutcome(outcome: succeed)'))).toBe('not_pending');
    await attemptOf(link, 'mtn_momo');
    const failed = (await link.change('simulateOutcome(outcome: fail)')).data.simulateOutcome;
    expect(failed).toMatchObject({ state: 'payable', attempt: { status: 'Failed', madeUp: false } });
    expect((await attemptOf(link, 'card')).madeUp).toBe(true);
    expect((await link.change('simulateOutcome(outcome: succeed)')).data.simulateOutcome.state).toBe('paid');
  });

  it('is not there on a live rail', async () => {
    const link = await holder();
    const { config } = rail.rail;
    const call = callOf(
      { ...rail.rail, config: { ...config, mode: 'live' } },
      viewPayer({ link: link.name, token: link.token }),
      'a-request',
    );
    await expect(simulateOutcome(call, 'succeed')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a reversal', () => {
  it('leaves the receipt at the link, void', async () => {
    const assessment = await assessed();
    const link = await makeLink(rail, actor, assessment);
    await attemptOf(link, 'card');
    await link.change('simulateOutcome(outcome: succeed)');
    const supervisor = await makeStaff(rail, 'supervisor');
    expect((await supervisor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Test' })).status).toBe(200);
    expect(await link.page()).toMatchObject({ state: 'closed', receipts: [{ status: 'Void' }] });
  });
});

describe('a refund', () => {
  it('is told to who paid, on its way and once it is paid, and not before it is decided on', async () => {
    const assessment = await assessed();
    const link = await makeLink(rail, actor, assessment);
    const { id: intent } = await attemptOf(link, 'card');
    await link.change('simulateOutcome(outcome: succeed)');
    const finance = await makeStaff(rail, 'finance_officer');
    const { data } = await finance.post('/v1/refunds', {
      intent,
      amount: 5_000,
      reason_code: 'overpaid',
      method: 'transfer',
    });
    const told = async () => {
      const [, said] = /<p class="notice">([^<]*bank transfer[^<]*)<\/p>/.exec((await link.open('/done')).text) ?? [];
      return said?.replaceAll('\u00a0', ' ') ?? null;
    };
    expect(await told()).toBe('UGX 5,000 is on its way back to you, by bank transfer.');
    await rail.rows(sql`update refund set status = 'Requested' where name = ${data.name}`);
    expect(await told()).toBeNull();
    await rail.rows(sql`update refund set status = 'Approved' where name = ${data.name}`);
    const paid_on = rail.rail.now().toISOString().slice(0, 10);
    await finance.post(`/v1/refunds/${data.name}:prove`, { reference: 'FT1', paid_on });
    expect(await told()).toMatch(/^UGX 5,000 was paid back by bank transfer on \d+ \w+ \d{4}\.$/);
    expect((await link.open()).text).toContain('was paid back by bank transfer');
  });
});

describe('the token of a link', () => {
  it('is nowhere in the database or the log after every use', async () => {
    const link = await holder({ return_url: null });
    await link.open();
    await link.send('/start', { channel: 'card', _mark: 'a-form' });
    await link.open('/wait?status=cancelled&tx_ref=1');
    await link.send('/simulate', { outcome: 'succeed', _mark: 'another' });
    await link.open('/done');
    await link.open('/nowhere');
    await rail.rail.audit.flush();
    const secret = link.token.slice(4);
    const tables = await rail.rows<{ name: string }>(sql`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables)
      expect(await rail.query(`select 1 from ${name} t where t::text like '%${secret}%'`), name).toEqual([]);
    expect(rail.logged.filter((line) => line.includes(secret))).toEqual([]);
    expect(rail.logged.some((line) => line.includes('GET /pay/{token}/wait'))).toBe(true);
  });
});
