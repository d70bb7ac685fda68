import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createAssessed, createAssessedFor, draft, makeActor } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makeLink } from '../../harness/people/link.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const HOST = 'shop.example.com';

let actor: Actor;
let other: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
  other = await makeActor(rail);
  await rail.rows(sql`update integrator set return_hosts = array[${HOST}] where code = ${actor.integrator}`);
});

const assessed = async (code = 'URA-PAYE') => (await createAssessedFor(rail, actor, code)).assessment;
const create = (assessment: string, more: object = {}, by: Pick<Actor, 'post'> = actor) =>
  by.post('/v1/payment-links', { assessment, ...more });
const get = (name: string, by: Pick<Actor, 'ask'> = actor) => by.ask(`/v1/payment-links/${name}`);
const withdraw = (name: string, by: Pick<Actor, 'post'> = actor) => by.post(`/v1/payment-links/${name}:withdraw`);
const reasonOf = ({ json }: { json: { error: { details: { code: string }[] } } }) => json.error.details[0]!.code;
const hoursLeft = ({ expires_at }: { expires_at: string }) =>
  Math.round((Date.parse(expires_at) - rail.rail.now().getTime()) / 3_600_000);

describe('POST /v1/payment-links', () => {
  it('200: makes a link for 72 hours unless asked otherwise, and shows its address once', async () => {
    const assessment = await assessed();
    const { status, data } = await create(assessment);
    expect(status).toBe(200);
    const { url, ...link } = data;
    expect(link).toMatchObject({ assessment, channels: [], return_url: null, status: 'Open' });
    expect(link.name).toMatch(/^LINK-\d{4}-\d\d-\d{6}$/);
    expect(url).toMatch(new RegExp(`^${rail.origin}/pay/pay_[\\w-]{43}$`));
    expect(hoursLeft(data)).toBe(72);
    expect(hoursLeft((await create(assessment, { expires_in_hours: 2_160 })).data)).toBe(2_160);
    expect((await get(data.name)).data).toEqual(link);
    const trace = sql`select summary from trace_row where assessment = ${assessment} and doc = ${data.name}`;
    expect(await rail.rows(trace)).toEqual([{ summary: ['Payment link {0} created', data.name] }]);
  });

  it('200: the same address for the same request under its key again', async () => {
    const body = { assessment: await assessed() };
    const headers = { 'idempotency-key': `link-${body.assessment}` };
    const first = await actor.post('/v1/payment-links', body, headers);
    expect(await actor.post('/v1/payment-links', body, headers)).toMatchObject({ status: 200, text: first.text });
    expect(await rail.count(sql`select from payment_link where assessment = ${body.assessment}`)).toBe(1);
  });

  it('200: another address where the process died before it could answer, and the one before opens nothing', async () => {
    const body = { assessment: await assessed() };
    const headers = { 'idempotency-key': `died-${body.assessment}` };
    const before = (await actor.post('/v1/payment-links', body, headers)).data;
    await rail.rows(sql`
      update idempotency set body = null, http_status = null, created_at = created_at - interval '1 minute'
      where key = ${headers['idempotency-key']}`);
    const after = (await actor.post('/v1/payment-links', body, headers)).data;
    expect(after).toMatchObject({ name: before.name });
    expect(after.url).not.toBe(before.url);
    const open = (url: string) => rail.ask(new URL(url).pathname, { headers: { accept: 'text/html' } });
    expect([(await open(before.url)).status, (await open(after.url)).status]).toEqual([404, 200]);
  });

  it('200: with channels, and a return address on a host of the account', async () => {
    const more = { channels: ['card', 'mtn_momo', 'card'], return_url: `https://${HOST}/back?cart=7` };
    const { data } = await create(await assessed(), more);
    expect(data).toMatchObject({ channels: ['card', 'mtn_momo'], return_url: `https://${HOST}/back?cart=7` });
  });

  it('422: what cannot be paid, expiries of 0 and 2,161 hours, cash, and what is no channel', async () => {
    expect(reasonOf(await create(await draft(rail, actor)))).toBe('assessment_not_payable');
    expect(reasonOf(await create('ASMT-2020-01-000001'))).toBe('not_found');
    expect(reasonOf(await create(await assessed(), {}, other))).toBe('not_found');
    const assessment = await assessed();
    for (const bad of [
      { expires_in_hours: 0 },
      { expires_in_hours: 2_161 },
      { channels: ['cash'] },
      { channels: ['x'] },
    ])
      expect(await create(assessment, bad)).toMatchObject({ status: 422 });
  });

  it.each([
    ['of another host', 'https://evil.example.com/', 'return_url_not_registered'],
    ['of a host below', `https://a.${HOST}/`, 'return_url_not_registered'],
    ['with a user', `https://${HOST}@evil.example.com/`, undefined],
    ['with a port', `https://${HOST}:8443/`, undefined],
    ['of an address', 'https://127.0.0.1/', undefined],
    ['without TLS', `http://${HOST}/`, undefined],
    ['that is a script', 'javascript:alert(1)', undefined],
    ['of 10 KB', `https://${HOST}/${'a'.repeat(10_000)}`, undefined],
  ])('422: a return address %s', async (_what, return_url, reason) => {
    const refused = await create(await assessed(), { return_url });
    expect(refused.status).toBe(422);
    expect(reasonOf(refused)).toBe(reason);
  });

  it('401, 403: nobody, a key that may not initiate, and staff of no counter', async () => {
    const body = { assessment: await assessed() };
    const reader = await rail.key('assessments.write', 'payments.read');
    expect((await rail.ask('/v1/payment-links', { body })).status).toBe(401);
    expect((await rail.ask('/v1/payment-links', { body, key: reader.plaintext })).status).toBe(403);
    expect((await create(body.assessment, {}, await makeStaff(rail, 'finance_officer'))).status).toBe(403);
  });

  it('200, 403, 422: staff of a counter, and an agency by its token for what is its own alone', async () => {
    expect((await create(await assessed(), {}, await makeStaff(rail, 'clerk'))).status).toBe(200);
    const key = await (await makeAgency(rail, 'URA', ['references.issue', 'payments.read'])).token();
    const by = { post: (path: string, body: unknown = {}) => rail.ask(path, { key, body }) };
    const { data } = await create(await assessed(), {}, by);
    expect(data.status).toBe('Open');
    expect((await create(await createAssessed(rail, actor), {}, by)).status).toBe(403);
    expect(reasonOf(await create(await assessed('URSB-COMPANY'), {}, by))).toBe('not_found');
    expect(reasonOf(await create(await assessed(), { return_url: `https://${HOST}/` }, by))).toBe(
      'return_url_not_registered',
    );
    const shared = (await create(await createAssessed(rail, actor))).data.name;
    expect((await withdraw(shared, by)).status).toBe(403);
    expect((await withdraw(data.name, by)).data.status).toBe('Withdrawn');
  });
});

describe('GET /v1/payment-links', () => {
  it('200: lists those of the caller, by assessment and status, newest first', async () => {
    const assessment = await assessed();
    const [short, gone, open] = [
      await create(assessment, { expires_in_hours: 1 }),
      await create(assessment),
      await create(assessment),
    ].map(({ data }) => data.name as string);
    await withdraw(gone!);
    rail.advance(2);
    const list = async (query: string, by: Pick<Actor, 'ask'> = actor) =>
      (await by.ask(`/v1/payment-links?assessment=${assessment}${query}`)).data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await list('')).toEqual([open, gone, short]);
    expect(await list('&status=Open')).toEqual([open]);
    expect(await list('&status=Expired')).toEqual([short]);
    expect(await list('&status=Withdrawn')).toEqual([gone]);
    expect(await list('', other)).toEqual([]);
    expect((await get(short!)).data.status).toBe('Expired');
  });

  it('200: leads both ways in the graph', async () => {
    const assessment = await assessed();
    const payer = await makeLink(rail, actor, assessment);
    const { id } = (await payer.change('startPayment(channel: card)')).data.startPayment.attempt;
    const query = `{ assessment(id: "${assessment}") { paymentLinks { nodes { id assessment { id } intents { totalCount
      nodes { id paymentLink { id status } } } } } } }`;
    const { data } = await rail.ask('/graphql', { key: actor.key, body: { query } });
    expect(data.assessment.paymentLinks.nodes).toEqual([
      {
        id: payer.name,
        assessment: { id: assessment },
        intents: { totalCount: 1, nodes: [{ id, paymentLink: { id: payer.name, status: 'Open' } }] },
      },
    ]);
  });

  it('404: a link that is not there, or not the caller’s', async () => {
    const { name } = (await create(await assessed())).data;
    for (const answer of [await get(name, other), await withdraw(name, other), await get('LINK-2020-01-000001')])
      expect(answer.status).toBe(404);
  });
});

describe('POST /v1/payment-links/{name}:withdraw', () => {
  it('200: once, and again the same; nothing is paid by it any more', async () => {
    const assessment = await assessed();
    const payer = await makeLink(rail, actor, assessment);
    expect((await withdraw(payer.name)).data.status).toBe('Withdrawn');
    expect((await withdraw(payer.name)).data.status).toBe('Withdrawn');
    expect(reasonOf(await payer.change('startPayment(channel: card)').then(asRest))).toBe('link_closed');
    const trace = sql`select summary from trace_row where doc = ${payer.name} order by id`;
    expect(await rail.rows(trace)).toEqual([
      { summary: ['Payment link {0} created', payer.name] },
      { summary: ['Payment link {0} withdrawn', payer.name] },
    ]);
  });
});

/** A refusal of the graph in the form of REST. */
function asRest({ json }: { json: { errors: { extensions: object }[] } }) {
  return { json: { error: json.errors[0]!.extensions as { details: { code: string }[] } } };
}
