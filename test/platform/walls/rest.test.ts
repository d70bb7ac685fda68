import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { findRefusal } from '../../../src/platform/access/viewer.ts';
import { OWN_LOGIN } from '../../../src/platform/access/needs.ts';
import { loadEndpoints } from '../../../rest/load.ts';
import { createAssessedFor, serviceNamed, someCitizen } from '../../harness/flow.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { cookieOf } from '../../harness/people/accounts.ts';
import { collectInShift, openShift, sendInShift } from '../../harness/people/counter.ts';
import { PASSWORD, logIn, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { A, B, type Caller, OWNED, Records, makeWorld } from './world.ts';

const rail = testRail();
/** Endpoints that are not open to everybody, and not about the caller's own login. */
const endpoints = loadEndpoints(schema).endpoints.filter(({ field }) => {
  const { need } = accessOf(field);
  return need !== undefined && need !== OWN_LOGIN;
});
type Endpoint = (typeof endpoints)[number];

let world: Awaited<ReturnType<typeof makeWorld>>;
let records: Records;
/** For each agency, one record of each type that only other agencies have, and one that it has a part in. */
const some = new Map<string, { readonly foreign: readonly string[]; readonly own: readonly string[] }>();
let service: { readonly a: string; readonly b: string };
let citizen: string;

beforeAll(async () => {
  world = await makeWorld(rail);
  records = await new Records().read(rail);
  for (const { mda } of [A, B])
    some.set(mda, {
      foreign: Object.keys(OWNED).flatMap((type) => records.of(type, mda, false).slice(0, 1)),
      own: Object.keys(OWNED).flatMap((type) => records.partly(type, mda).slice(0, 1)),
    });
  service = { a: await serviceNamed(rail, A.service), b: await serviceNamed(rail, B.service) };
  citizen = await someCitizen(rail);
});

const labelOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const mayAsk = ({ viewer }: Caller, { field }: Endpoint) => findRefusal(viewer, accessOf(field).need!) === null;

const otherThan = ({ mda }: Caller): string => (mda === A.mda ? B.mda : A.mda);

/** The records of other agencies that a text names, but for the shift that an assessment was made in. */
function foreignIn({ mda }: Caller, text: string): string[] {
  const named = text.replaceAll(/"shift":\s*"[^"]*"/g, '').match(/[A-Z]{2,}-[\w.-]+/g) ?? [];
  return named.filter((id) => records.isForeignTo(mda!, id));
}

/** Mentions of the other agency in a text, with some context. */
function otherIn(caller: Caller, text: string): string[] {
  return [...text.matchAll(new RegExp(`.{0,60}\\b${otherThan(caller)}\\b.{0,20}`, 'g'))].map(([found]) => found);
}

/** Has all who are bound try the same at once. */
const asEach = (tries: (caller: Caller) => Promise<void>) => Promise.all(world.bound.map(tries));

const LISTS = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
const LOOK_UPS = endpoints.filter(({ method, path }) => method === 'GET' && path.includes('{name}'));
const VERBS = endpoints.filter(({ method, path }) => method !== 'GET' && path.includes('{name}'));
/** Lists how all agencies are connected, for everybody who reads the catalogue. */
const OF_ALL = new Set(['GET /v1/integrations']);

describe('an endpoint that lists', () => {
  it.each(LISTS.map((endpoint) => [labelOf(endpoint), endpoint] as const))('%s', async (label, endpoint) => {
    await asEach(async (caller) => {
      const { headers } = caller;
      const ask = (query: string, more: object = {}) =>
        rail.ask(endpoint.path + query, { headers: { ...headers, ...more } });
      if (!mayAsk(caller, endpoint)) {
        expect([401, 403], caller.name).toContain((await ask('')).status);
        return;
      }
      const asFile = endpoint.formats.length > 0 ? [ask('', { accept: 'text/csv' })] : [];
      for (const { status, text } of await Promise.all([ask(''), ask(`?mda=${otherThan(caller)}`), ...asFile])) {
        expect(foreignIn(caller, text), caller.name).toEqual([]);
        if (status === 200 && !OF_ALL.has(label)) expect(otherIn(caller, text), caller.name).toEqual([]);
      }
    });
  });

  it('lists to each what is theirs', async () => {
    for (const caller of world.bound) {
      const of = async (path: string) =>
        (await rail.ask(`${path}?limit=200`, { headers: caller.headers })).data as { name: string }[];
      for (const [path, type] of [
        ['/v1/assessments', 'Assessment'],
        ['/v1/payment-intents', 'PaymentIntent'],
        ['/v1/payment-events', 'PaymentEvent'],
        ['/v1/counter-shifts', 'CounterShift'],
      ] as const) {
        if (
          !mayAsk(
            caller,
            endpoints.find((each) => labelOf(each) === `GET ${path}`)!,
          )
        )
          continue;
        expect((await of(path)).map(({ name }) => name).toSorted(), path).toEqual(
          records.of(type, caller.mda!, true).toSorted(),
        );
      }
    }
  });
});

describe('an endpoint that looks up', () => {
  it.each(LOOK_UPS.map((endpoint) => [labelOf(endpoint), endpoint] as const))('%s', async (_label, endpoint) => {
    await asEach(async (caller) => {
      const { foreign, own } = some.get(caller.mda!)!;
      const ask = (id: string) => rail.ask(endpoint.path.replace('{name}', id), { headers: caller.headers });
      if (!mayAsk(caller, endpoint)) {
        expect([401, 403], caller.name).toContain((await ask(foreign[0]!)).status);
        return;
      }
      const [refused, shown] = await Promise.all([Promise.all(foreign.map(ask)), Promise.all(own.map(ask))]);
      for (const [nth, { status }] of refused.entries()) expect(status, `${caller.name}: ${foreign[nth]}`).toBe(404);
      for (const [nth, { status, text }] of shown.entries())
        if (status === 200)
          expect([...foreignIn(caller, text), ...otherIn(caller, text)], `${caller.name}: ${own[nth]}`).toEqual([]);
    });
  });
});

describe('an endpoint that changes something', () => {
  const BODY = {
    station: 'Here',
    reason: 'A reason',
    note: 'A note',
    cash_counted: 1,
    variance_reason: 'Miscounted',
    reference: 'FT1',
    paid_on: '2026-01-01',
    provider_reference: 'CBK1',
    answer_by: '2026-01-01',
    shift: 'SHIFT-2026-01-01-001',
    as: 'transferred',
    kind: 'payout',
    amount: 1,
  };
  /** A PATCH refuses members that the record does not have. */
  const bodyOf = (method: string) => (method === 'PATCH' ? { metadata: {} } : BODY);

  it.each(VERBS.map((endpoint) => [labelOf(endpoint), endpoint] as const))('%s', async (_label, endpoint) => {
    await asEach(async (caller) => {
      const { foreign } = some.get(caller.mda!)!;
      const may = mayAsk(caller, endpoint);
      const tries = (may ? foreign : foreign.slice(0, 1)).map(async (id) => {
        const path = endpoint.path.replace('{name}', id);
        const { status, text } = await rail.ask(path, {
          method: endpoint.method,
          body: bodyOf(endpoint.method),
          headers: caller.headers,
        });
        if (may) expect(status, `${caller.name}: ${id}: ${text}`).toBe(404);
        else expect([401, 403], `${caller.name}: ${id}: ${text}`).toContain(status);
      });
      await Promise.all(tries);
    });
  });
});

describe('what is bound to an agency', () => {
  const clerkOfA = () => makeStaffOf(rail, [A.mda], 'clerk');

  it('opens shifts there alone', async () => {
    const clerk = await clerkOfA();
    expect(await clerk.post('/v1/counter-shifts', { mda: B.mda })).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: 'mda', code: 'not_found' }] } },
    });
    expect((await clerk.post('/v1/counter-shifts', { mda: A.mda })).status).toBe(200);
    expect((await clerk.ask('/v1/work/mdas')).data.map(({ name }: { name: string }) => name)).toEqual([A.mda]);
  });

  it('assesses what others are owed together with what is its own, and takes the money for both', async () => {
    const clerk = await clerkOfA();
    const shift = await openShift(clerk, { mda: A.mda });
    const lines = [{ service: service.a }, { service: service.b }];
    const alone = await clerk.post('/v1/assessments', { citizen, lines: [lines[1]] });
    expect(alone).toMatchObject({ status: 422, json: { error: { details: [{ path: 'lines' }] } } });
    const made = await clerk.post('/v1/assessments', { citizen, lines, shift });
    expect(made.data).toMatchObject({ total_amount: 145_000, lines: [{ mda: A.mda }] });
    const { name } = made.data;
    await clerk.post(`/v1/assessments/${name}:assess`);
    const splits = [{ mda: A.mda, amount: 145_000 }];
    const refused = await clerk.post('/v1/payment-intents', { assessment: name, channel: 'cash', splits });
    expect([refused.status, refused.text.includes(A.mda), refused.text.includes(B.mda)]).toEqual([422, true, false]);
    const { data: intent } = await clerk.post('/v1/payment-intents', { assessment: name, channel: 'cash' });
    expect(intent).toMatchObject({ amount: 145_000, splits: [{ mda: A.mda, amount: 10_000 }] });
    await clerk.post(`/v1/payment-intents/${intent.name}:initiate`);
    const { data: confirmed } = await clerk.post(`/v1/payment-intents/${intent.name}:confirm`);
    expect(confirmed.events).toMatchObject([{ mda: A.mda, amount: 10_000 }]);
    expect(confirmed.assessment.status).toBe('Paid');
  });

  it('reverses nothing of what others were paid', async () => {
    const supervisor = await makeStaffOf(rail, [A.mda], 'supervisor');
    const path = `/v1/assessments/${world.shared.assessment}:cancel`;
    expect(await supervisor.post(path, { reason: 'A reason' })).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await world.key.ask(`/v1/assessments/${world.shared.assessment}`)).data.status).toBe('Paid');
    const both = await makeStaffOf(rail, [A.mda, B.mda], 'supervisor');
    expect((await both.post(path, { reason: 'A reason' })).data.status).toBe('Cancelled');
  });

  it('makes nothing of what is of others: no payment, no line of their shifts, no cash in them', async () => {
    const [clerk, other] = [await clerkOfA(), await makeStaff(rail, 'clerk')];
    const { assessment } = await createAssessedFor(rail, other, B.service);
    expect(await clerk.post('/v1/payment-intents', { assessment, channel: 'cash' })).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: 'assessment', code: 'not_found' }] } },
    });
    const shift = await openShift(other, { mda: B.mda });
    const { intent } = await sendInShift(rail, other, shift, 'cash', A.service);
    expect(await clerk.post(`/v1/payment-intents/${intent}:confirm`)).toMatchObject({ status: 403 });
    expect((await other.ask(`/v1/counter-shifts/${shift}`)).data.collection_count).toBe(0);
  });

  it('names no other agency in the consent of a person', async () => {
    const clerk = await clerkOfA();
    const register = (mda: string) => clerk.post('/v1/citizens/register', { nin: 'CM98765432WXYZ', mda });
    expect(await register(B.mda)).toMatchObject({ status: 422, json: { error: { details: [{ path: 'mda' }] } } });
    expect((await register(A.mda)).status).toBe(200);
  });

  it('is bound anew from the next session on, also at shifts of theirs that are open', async () => {
    const clerk = await makeStaffOf(rail, [], 'clerk');
    const shift = await openShift(clerk, { mda: B.mda });
    await collectInShift(rail, clerk, shift, 'cash', B.service);
    const draft = { citizen, lines: [{ service: service.b }] };
    const once = { 'idempotency-key': 'the-same-request-again' };
    expect((await clerk.post('/v1/assessments', draft, once)).status).toBe(200);
    const bound = await rebind(clerk.email);
    // Nor is what they were answered before, which is stored.
    expect((await bound('/v1/assessments', draft, once)).status).toBe(422);
    expect((await clerk.ask('/v1/counter-shifts')).status).toBe(401);
    expect((await bound(`/v1/counter-shifts/${shift}`)).status).toBe(404);
    expect((await bound(`/v1/counter-shifts/active?mda=${B.mda}`)).data ?? null).toBeNull();
    const lines = [{ service: service.a }];
    expect(await bound('/v1/assessments', { citizen, lines, shift })).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: 'shift' }] } },
    });
  });
});

/** Binds a clerk to A, who logs in again; answers how they ask. */
async function rebind(email: string) {
  await addStaff(rail.rail, { email, name: 'A clerk', roles: ['clerk'], agencies: [A.mda], password: PASSWORD });
  const cookie = cookieOf(await logIn(rail, email))!;
  return (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    rail.ask(path, { headers: { cookie, ...headers }, ...(body !== undefined && { body }) });
}
