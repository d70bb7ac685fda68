import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { initiatePayment } from '../../../src/collection/payments/initiate.ts';
import { expireNow } from '../../../src/collection/payments/enquiries/expire.ts';
import { openPayerEmail } from '../../../src/collection/payments/payer/payer.ts';
import { type Actor, createAssessed, createPendingFor, makeActor } from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { planNext, startOutsideRail } from '../../harness/outside.ts';

const held = startOutsideRail({ LOG_LEVEL: 'trace' });
const { rail } = held;

const HOST = 'shop.example.com';
const RETURN_URL = `https://${HOST}/paid?basket=7&lang=lg`;

/** An account that registered a host to send payers back to. */
async function makeMerchant(): Promise<Actor> {
  const actor = await makeActor(rail);
  await rail.rows(sql`update integrator set return_hosts = ${[HOST]}::text[] where code = ${actor.integrator}`);
  return actor;
}

async function pay(actor: Actor, channel: string, more: object = {}, headers: Record<string, string> = {}) {
  const assessment = await createAssessed(rail, actor);
  return actor.post('/v1/payment-intents', { assessment, channel, initiate: true, ...more }, headers);
}

/** One whose requests are refused, so that its assessment stays as it is. */
let refused: Promise<{ actor: Actor; assessment: string }> | undefined;

async function payRefused(more: object) {
  refused ??= makeMerchant().then(async (actor) => ({ actor, assessment: await createAssessed(rail, actor) }));
  const { actor, assessment } = await refused;
  return actor.post('/v1/payment-intents', { assessment, channel: 'card', initiate: true, ...more });
}

const payerOf = (intent: string) => held.outside.card.payers.get(intent)!;

const emailOf = async (intent: string) => {
  const [row] = await rail.rows<{ email: Buffer | null }>(
    sql`select payer_email as email from payment_intent where name = ${intent}`,
  );
  return row!.email;
};

describe('the next action of an intent', () => {
  it('is the page of the aggregator, wherever the intent is answered, until it is final', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card', { outcome: 'never' });
    const { data } = await pay(actor, 'card');
    const next = { type: 'redirect', url: expect.stringContaining('/pay/'), expires_at: null };
    expect(data).toMatchObject({ status: 'Sent', next_action: next, adapter_response: expect.anything() });
    expect(data.next_action.url).toBe(data.adapter_response.data.link);
    const read = await actor.ask(`/v1/payment-intents/${data.name}`);
    expect(read.data.next_action).toEqual(data.next_action);
    const list = await actor.ask(`/v1/payment-intents?assessment=${data.assessment}`);
    expect(list.data[0].next_action).toEqual(data.next_action);
    await expireNow(callOf(rail.rail, actAsSystem('test'), 'test'), data.name);
    expect((await actor.ask(`/v1/payment-intents/${data.name}`)).data).toMatchObject({
      status: 'Expired',
      next_action: null,
    });
  });

  it.each(['mtn_momo', 'airtel_money'] as const)('is to answer the phone with %s', async (channel) => {
    const actor = await makeActor(rail);
    planNext(held.outside, channel, { outcome: 'never' });
    const { data } = await pay(actor, channel, { payer_msisdn: '+256772123456' });
    expect(data.next_action).toEqual({ type: 'push', url: null, expires_at: null });
  });

  it('is nothing for cash, and unknown before the aggregator is asked', async () => {
    const actor = await makeActor(rail);
    expect((await pay(actor, 'cash')).data.next_action).toEqual({ type: 'none', url: null, expires_at: null });
    expect((await pay(actor, 'cash', { initiate: false })).data.next_action).toBeNull();
  });

  it('is answered again to the same request, also by a process that did not ask the aggregator', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card', { outcome: 'never' });
    const intent = await createPendingFor(actor, await createAssessed(rail, actor), 'card');
    const initiate = () => actor.post(`/v1/payment-intents/${intent}:initiate`, {}, { 'idempotency-key': 'same' });
    const first = await initiate();
    expect(first.data.intent.next_action.type).toBe('redirect');
    expect((await initiate()).data).toEqual(first.data);
    await rail.rows(sql`update idempotency set body = null, http_status = null, created_at = created_at - interval '1 hour'
      where subject = ${intent} and key = 'same'`);
    expect((await initiate()).data.intent.next_action).toEqual(first.data.intent.next_action);
  });

  it('hides the page from staff, who see what kind of action it is', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card', { outcome: 'never' });
    const { data } = await pay(actor, 'card');
    const staff = await makeStaff(rail, 'system_manager');
    const seen = await staff.ask(`/v1/payment-intents/${data.name}`);
    expect(seen.data.next_action).toEqual({ type: 'redirect', url: null, expires_at: null });
  });
});

describe('the return address', () => {
  it('goes to the aggregator with the intent and its reference, and brings the payer back', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card');
    const { data } = await pay(actor, 'card', { return_url: RETURN_URL });
    const about = { basket: '7', lang: 'lg', intent: data.name, reference: data.aggregator_reference };
    expect(Object.fromEntries(new URL(payerOf(data.name).back).searchParams)).toEqual(about);
    const left = await fetch(data.next_action.url, { method: 'POST', redirect: 'manual' });
    const back = new URL(left.headers.get('location')!);
    expect(back.host).toBe(HOST);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ ...about, status: 'successful', tx_ref: data.name });
  });

  it('is the rail where none was given', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'card', { outcome: 'never' });
    const { data } = await pay(actor, 'card');
    expect(payerOf(data.name).back).toBe(rail.origin);
  });

  it('can be another for one try, which is kept nowhere', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card', { outcome: 'never' });
    const assessment = await createAssessed(rail, actor);
    const { data } = await actor.post('/v1/payment-intents', { assessment, channel: 'card', return_url: RETURN_URL });
    const call = callOf(rail.rail, actAsSystem('test'), 'test');
    await initiatePayment(call, { name: data.name }, 'now', `${rail.origin}/pay/canary-of-a-token/wait`);
    expect(new URL(payerOf(data.name).back).pathname).toBe('/pay/canary-of-a-token/wait');
    expect(await whereIs('canary-of-a-token')).toEqual([]);
    expect(rail.logged.join('')).not.toContain('canary-of-a-token');
  });

  it.each([
    ['http', `http://${HOST}/paid`],
    ['a user name', `https://user@${HOST}/paid`],
    ['a password', `https://user:secret@${HOST}/paid`],
    ['a port', `https://${HOST}:8443/paid`],
    ['an address', 'https://203.0.113.7/paid'],
    ['an address in hex', 'https://0xcb007107/paid'],
    ['an address of IPv6', 'https://[2001:db8::1]/paid'],
    ['a fragment', `https://${HOST}/paid#done`],
    ['an empty fragment', `https://${HOST}/paid#`],
    ['10 KB', `https://${HOST}/${'x'.repeat(10_240)}`],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', `//${HOST}/paid`],
    ['a path alone', '/paid'],
    ['nothing', ''],
  ])('422: %s', async (_what, return_url) => {
    const answer = await payRefused({ return_url });
    expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path: 'return_url' }] } } });
    expect(answer.json.error.details[0].code).not.toBe('return_url_not_registered');
  });

  it.each([
    'https://evil.example.com/paid',
    `https://www.${HOST}/paid`,
    `https://${HOST}.evil.example.org/paid`,
    `https://xn--shp-sna.example.com/paid`,
    'https://shöp.example.com/paid',
  ])('422, return_url_not_registered: %s', async (return_url) => {
    const answer = await payRefused({ return_url });
    expect(answer).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: 'return_url', code: 'return_url_not_registered' }] } },
    });
  });

  it('is read as a browser reads it: what looks like another host is a path of the registered one', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card', { outcome: 'never' });
    const { data } = await pay(actor, 'card', { return_url: `https://SHOP.example.com:443\\@evil.example.org/` });
    expect(new URL(payerOf(data.name).back)).toMatchObject({ host: HOST, pathname: '/@evil.example.org/' });
  });

  it('of a foreign account counts for nothing', async () => {
    await makeMerchant();
    const answer = await pay(await makeActor(rail), 'card', { return_url: RETURN_URL });
    expect(answer.json.error.details[0].code).toBe('return_url_not_registered');
  });
});

/** The tables with a row that holds a text, in bytes too. */
async function whereIs(text: string): Promise<string[]> {
  const tables = await rail.rows<{ name: string }>(sql`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const hex = Buffer.from(text).toString('hex');
  const holds = await Promise.all(
    tables.map(async ({ name }) => {
      const query = `select 1 from ${name} t where t::text like '%${text}%' or t::text like '%${hex}%' limit 1`;
      return (await rail.query<unknown>(query)).length > 0;
    }),
  );
  return tables.filter((_table, nth) => holds[nth]).map(({ name }) => name);
}

describe("the payer's e-mail address", () => {
  const EMAIL = 'canary.of.a.payer@example.com';

  it('reaches the aggregator, and nobody else', async () => {
    const actor = await makeMerchant();
    planNext(held.outside, 'card', { outcome: 'never' });
    const answers = [
      await pay(actor, 'card', { payer_email: ` ${EMAIL.toUpperCase()}` }, { 'idempotency-key': 'mail' }),
    ];
    const { name } = answers[0]!.data as { name: string };
    expect(payerOf(name).email).toBe(EMAIL);
    answers.push(await actor.ask(`/v1/payment-intents/${name}`), await actor.ask(`/v1/payment-intents/${name}/trace`));
    for (const { text } of answers) expect(text.toLowerCase()).not.toContain(EMAIL);
    expect(await emailOf(name)).not.toBeNull();
    expect(await whereIs(EMAIL)).toEqual([]);
    expect(rail.logged.join('').toLowerCase()).not.toContain(EMAIL);
  });

  it('is kept from creating to initiating, where another may take its place', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'card', { outcome: 'never' });
    const kept = (await pay(actor, 'card', { initiate: false, payer_email: EMAIL })).data.name;
    await actor.post(`/v1/payment-intents/${kept}:initiate`);
    expect(payerOf(kept).email).toBe(EMAIL);
    const other = (await pay(actor, 'card', { initiate: false, payer_email: EMAIL })).data.name;
    await actor.post(`/v1/payment-intents/${other}:initiate`, { payer_email: 'other@example.com' });
    expect(payerOf(other).email).toBe('other@example.com');
  });

  it('is nobody, where none was given', async () => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'card', { outcome: 'never' });
    const { data } = await pay(actor, 'card');
    expect(payerOf(data.name).email).toBe(`${data.name.toLowerCase()}@payer.invalid`);
  });

  it('is no part of what a refusal of the aggregator says', async () => {
    const email = EMAIL.replace('.com', '.test');
    const answer = await payRefused({ payer_email: email });
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details).toMatchObject([{ code: 'collection_refused' }]);
    expect(answer.json.error.message).toContain('customer.email … is not valid');
    expect(await whereIs('customer.email … is not valid')).toContain('public.trace_row');
    expect([answer.text, rail.logged.join('')].join('')).not.toContain(email);
    expect(await whereIs(email)).toEqual([]);
  });

  it.each([
    ['Confirmed', 'paid'],
    ['Failed', 'declined'],
    ['Expired', 'never'],
  ] as const)('is gone once the intent is %s', async (status, outcome) => {
    const actor = await makeActor(rail);
    planNext(held.outside, 'card', { outcome });
    const { data } = await pay(actor, 'card', { payer_email: EMAIL });
    if (status === 'Expired') await expireNow(callOf(rail.rail, actAsSystem('test'), 'test'), data.name);
    await expect.poll(async () => (await actor.ask(`/v1/payment-intents/${data.name}`)).data.status).toBe(status);
    expect(await emailOf(data.name)).toBeNull();
  });

  it('is still read by a step of the statement that ends the intent', async () => {
    const actor = await makeActor(rail);
    const { data } = await pay(actor, 'card', { initiate: false, payer_email: EMAIL });
    const [row] = await rail.rows<{ email: Buffer; after: Buffer | null }>(sql`
      with before as (select payer_email from payment_intent where name = ${data.name}),
        ended as (update payment_intent set status = 'Failed' where name = ${data.name} returning payer_email)
      select before.payer_email as email, ended.payer_email as after from before, ended`);
    expect(openPayerEmail(rail.rail, data.name, row!.email)).toBe(EMAIL);
    expect(row!.after).toBeNull();
  });

  it.each(['nobody', 'a@b', 'a@example.com, b@example.com', `${'a'.repeat(250)}@example.com`, ''])(
    '422: %j',
    async (payer_email) => {
      const answer = await payRefused({ payer_email });
      expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path: 'payer_email' }] } } });
    },
  );
});
