import { describe, expect, it } from 'vitest';
import { drawNumber } from '../../src/collection/references/number.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { type Actor, createConfirmed, draft, makeActor, someCitizen, twoLines } from '../harness/flow.ts';
import { makeAgency } from '../harness/people/agency.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

const LABELS = { reference: 'INV 2026/0042', metadata: { branch: 'Jinja', till: '7' } };

async function createLabelled(actor: Actor, labels: object = LABELS) {
  const lines = await twoLines(rail);
  return actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines, assess: true, ...labels });
}

/** An assessment and an intent with labels, paid. */
async function createPaid(actor: Actor) {
  const assessment = (await createLabelled(actor)).data.name as string;
  const labels = { reference: 'TRY-1', metadata: { device: 'A' } };
  const made = await actor.post('/v1/payment-intents', {
    assessment,
    channel: 'mtn_momo',
    initiate: true,
    payer_msisdn: '+256700123456',
    ...labels,
  });
  const intent = made.data.name as string;
  expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
  return { assessment, intent };
}

const namesOf = async (actor: Actor, path: string) => {
  const { status, data, text } = await actor.ask(path);
  expect(status, text).toBe(200);
  return (data as { name: string }[]).map(({ name }) => name);
};

describe('a reference and metadata', () => {
  it('are kept with assessments and intents, and are in lists, CSV, the graph and messages', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPaid(actor);
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data).toMatchObject(LABELS);
    expect((await actor.ask(`/v1/payment-intents/${intent}`)).data).toMatchObject({
      reference: 'TRY-1',
      metadata: { device: 'A' },
    });
    const csv = await actor.ask('/v1/assessments', { headers: { accept: 'text/csv' } });
    expect(csv.text.split('\r\n')[1]).toContain('INV 2026/0042,"{""till"":""7"",""branch"":""Jinja""}"');
    const graph = await actor.post('/graphql', {
      query: `{ assessment(id: "${assessment}") { reference metadata intents { nodes { reference metadata } } } }`,
    });
    expect(graph.json.data.assessment).toEqual({
      ...LABELS,
      intents: { nodes: [{ reference: 'TRY-1', metadata: { device: 'A' } }] },
    });
    const messages = await rail.rows<{ type: string; reference: string; metadata: object }>(sql`
      select type, payload ->> 'reference' as reference, payload -> 'metadata' as metadata from outbox
      where integrator = ${actor.integrator} and type in ('assessment.paid', 'payment_intent.confirmed') order by type`);
    expect(messages).toEqual([
      { type: 'assessment.paid', ...LABELS },
      { type: 'payment_intent.confirmed', reference: 'TRY-1', metadata: { device: 'A' } },
    ]);
  });

  it('are null where an account gave none, and in no message', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createConfirmed(rail, actor);
    const answers = [
      await actor.ask(`/v1/assessments/${assessment}`),
      await actor.ask(`/v1/payment-intents/${intent}`),
      await createLabelled(actor, { reference: '  ', metadata: {} }),
    ];
    for (const { data } of answers) expect(data).toMatchObject({ reference: null, metadata: null });
    const [message] = await rail.rows(sql`
      select from outbox where integrator = ${actor.integrator} and (payload ? 'reference' or payload ? 'metadata')`);
    expect(message).toBeUndefined();
  });

  it('422: hold no number of a card, but a payment reference and other numbers', async () => {
    const actor = await makeActor(rail);
    const cards = [
      '4242 4242 4242 4242',
      '5555-5555-5555-4444',
      'card 378282246310005 of Ruth',
      '３０５６９３０９０２５９０４',
      '2223 0031 2200 3222',
      '6200000000000005',
      '4222222222222',
    ];
    for (const card of cards)
      for (const labels of [{ reference: card }, { metadata: { note: card } }, { metadata: { [card]: 'x' } }]) {
        const answer = await createLabelled(actor, labels);
        expect([card, answer.status]).toEqual([card, 422]);
        expect(answer.text).toContain('must not contain the number of a card');
      }
    for (const reference of [
      '4242 4242 4242 4241',
      drawNumber(),
      '424242424242',
      'INV 2026 0042 0042 004',
      '2026-11-28 10:00',
      // Times in milliseconds and microseconds that pass the check of cards, and a UUID with the digits of one.
      'order-1764333600120',
      '1764333600123458',
      '42424242-4242-4242-8424-0a1b2c3d4e5f',
    ])
      expect([reference, (await createLabelled(actor, { reference })).status]).toEqual([reference, 200]);
  });

  it('filter the lists of assessments and of intents, for the account alone', async () => {
    const [actor, other] = [await makeActor(rail), await makeActor(rail)];
    const { assessment, intent } = await createPaid(actor);
    await createPaid(other);
    await createLabelled(actor, { reference: 'another', metadata: { branch: 'Jinja' } });
    const reference = encodeURIComponent(LABELS.reference);
    expect(await namesOf(actor, `/v1/assessments?reference=${reference}`)).toEqual([assessment]);
    expect(await namesOf(actor, '/v1/assessments?reference=TRY-1')).toEqual([assessment]);
    expect(await namesOf(actor, `/v1/payment-intents?reference=${reference}`)).toEqual([intent]);
    expect(await namesOf(actor, '/v1/assessments?metadata[branch]=Jinja&metadata%5Btill%5D=7')).toEqual([assessment]);
    expect(await namesOf(actor, '/v1/assessments?metadata[branch]=Jin')).toEqual([]);
    expect(await namesOf(actor, '/v1/payment-intents?metadata[device]=A')).toEqual([intent]);
    const twice = await actor.ask('/v1/assessments?metadata[branch]=Jinja&metadata[branch]=Gulu');
    expect(twice).toMatchObject({ status: 422, code: 'validation_failed' });
  });

  it('are shown to agencies and staff as the reference alone, and found in their search', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createPaid(actor);
    const agency = await makeAgency(rail, 'URA', ['payments.read', 'assessments.read']);
    const token = await agency.token();
    const query = `{ assessment(id: "${assessment}") { reference metadata } }`;
    const seen = { reference: LABELS.reference, metadata: null };
    expect((await rail.ask('/graphql', { key: token, body: { query } })).json.data.assessment).toEqual(seen);
    const supervisor = await makeStaff(rail, 'supervisor');
    expect((await supervisor.ask('/graphql', { body: { query } })).json.data.assessment).toEqual(seen);
    const found = await supervisor.ask(`/v1/ops/find?q=${encodeURIComponent(LABELS.reference)}`);
    expect((found.data as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining([assessment, intent]),
    );
  });

  it('are in no trace, seal, fact nor view of oversight', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPaid(actor);
    const canary = `canary-${intent}`;
    const { data } = await createLabelled(actor, { reference: canary, metadata: { [canary]: canary } });
    await actor.ask(`/v1/assessments/${data.name}`, { method: 'PATCH', body: { metadata: { note: canary } } });
    const rows = await rail.rows<{ found: boolean }>(sql`
      select exists (select from trace_row t where t::text like ${`%${canary}%`})
        or exists (select from fact_change f where f::text like ${`%${canary}%`})
        or exists (select from information_schema.columns
          where table_schema = 'oversight' and column_name in ('reference', 'metadata')) as found`);
    expect(rows).toEqual([{ found: false }]);
  });
});

describe('PATCH /v1/assessments/{name}', () => {
  it('200: replaces the metadata in any status, and an empty object removes it', async () => {
    const actor = await makeActor(rail);
    const { assessment } = await createPaid(actor);
    const patch = (metadata: unknown, who = actor) =>
      who.ask(`/v1/assessments/${assessment}`, { method: 'PATCH', body: { metadata } });
    const { updated_at: before } = (await actor.ask(`/v1/assessments/${assessment}`)).data;
    const changed = await patch({ branch: 'Gulu' });
    expect(changed.data).toMatchObject({ status: 'Paid', reference: LABELS.reference, metadata: { branch: 'Gulu' } });
    expect(changed.data.updated_at > before).toBe(true);
    expect((await patch({})).data.metadata).toBeNull();
    expect(await patch({}, await makeActor(rail))).toMatchObject({ status: 404 });
    expect(await patch(undefined)).toMatchObject({ status: 422 });
  });

  it('403: for anybody else who can see it', async () => {
    const name = await draft(rail, await makeActor(rail));
    const admin = await makeStaff(rail, 'admin');
    const answer = await admin.ask(`/v1/assessments/${name}`, { method: 'PATCH', body: { metadata: { a: 'b' } } });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

const long = (count: number) => 'x'.repeat(count);
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('what an account may say', () => {
  it.each<[string, object]>([
    ['a reference of 64 characters', { reference: long(64) }],
    ['letters of any script', { reference: 'Ñandú ŋ 文' }],
    ['20 keys', { metadata: keys(20) }],
    ['the longest key and value', { metadata: { [long(40)]: long(200) } }],
    ['a formula', { reference: '=1+1', metadata: { a: '<script>alert(1)</script>' } }],
  ])('200: %s', async (_what, labels) => {
    expect((await createLabelled(await makeActor(rail), labels)).data).toMatchObject(labels);
  });

  it.each<[string, object, string | undefined]>([
    ['a reference of 65 characters', { reference: long(65) }, 'reference_too_long'],
    ['10 KB in a reference', { reference: long(10_000) }, undefined],
    ['two lines in a reference', { reference: 'a\nb' }, undefined],
    ['a number as a reference', { reference: 7 }, undefined],
    ['21 keys', { metadata: keys(21) }, 'metadata_invalid'],
    ['a key of 41 characters', { metadata: { [long(41)]: 'a' } }, 'metadata_invalid'],
    ['an empty key', { metadata: { '': 'a' } }, 'metadata_invalid'],
    ['a key that begins with a space', { metadata: { ' a': 'a' } }, 'metadata_invalid'],
    ['a key of a space alone', { metadata: { ' ': 'a' } }, 'metadata_invalid'],
    ['a value of 201 characters', { metadata: { a: long(201) } }, 'metadata_invalid'],
    ['a value that is no text', { metadata: { a: 1 } }, 'metadata_invalid'],
    ['an object in it', { metadata: { a: { b: 'c' } } }, 'metadata_invalid'],
    ['a list', { metadata: ['a'] }, 'metadata_invalid'],
    ['text', { metadata: 'a' }, 'metadata_invalid'],
    ['NUL', { metadata: { a: 'b\0' } }, 'metadata_invalid'],
    ['the name of a prototype', JSON.parse('{"metadata":{"__proto__":"a"}}') as object, 'metadata_invalid'],
    ['a constructor', { metadata: { constructor: 'a' } }, 'metadata_invalid'],
  ])('422: %s', async (_what, labels, reason) => {
    const actor = await makeActor(rail);
    const answer = await createLabelled(actor, labels);
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details[0].code).toBe(reason);
    expect(await namesOf(actor, '/v1/assessments')).toEqual([]);
  });

  it('413: a megabyte', async () => {
    const answer = await createLabelled(await makeActor(rail), { metadata: { a: long(1024 * 1024) } });
    expect(answer).toMatchObject({ status: 413, code: 'payload_too_large' });
  });
});
