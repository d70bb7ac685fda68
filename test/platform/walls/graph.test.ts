import { type GraphQLField, type GraphQLObjectType, execute, getNamedType, isRequiredArgument, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { OWN_LOGIN } from '../../../src/platform/access/needs.ts';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { Refusal, rootOf } from '../../../src/kernel/refusal.ts';
import { testRail } from '../../harness/rail.ts';
import { isOpenTo, mayLookUp } from '../../harness/schema/walk.ts';
import { selectAll, selectField } from './selection.ts';
import { A, B, type Caller, OWNED, Records, SHARED, makeWorld } from './world.ts';

const rail = testRail();
let world: Awaited<ReturnType<typeof makeWorld>>;
let records: Records;

beforeAll(async () => {
  world = await makeWorld(rail);
  records = await new Records().read(rail);
});

type Field = GraphQLField<unknown, unknown>;
const rootsOf = (caller: Caller) => openTo(caller, schema.getQueryType()!);
/** Root fields that are open to a caller, but not to everybody. */
const openTo = ({ viewer }: Caller, type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter((field) => accessOf(field).need !== undefined && isOpenTo(viewer, field));
const isConnection = (field: Field) => getNamedType(field.type).name.endsWith('Connection');
const requiredOf = ({ args }: Field) => args.filter(isRequiredArgument).map(({ name }) => name);
const recordType = (name: string) => schema.getType(name) as GraphQLObjectType;

async function run({ viewer }: Caller, query: string) {
  const contextValue = callOf(rail.rail, viewer, 'a-request');
  const { data, errors = [] } = await execute({ schema, document: parse(query), contextValue });
  return { data, errors };
}

interface Seen {
  readonly typename: string;
  readonly id: string | undefined;
  readonly object: Readonly<Record<string, unknown>>;
}

function objectsIn(value: unknown): Seen[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(objectsIn);
  const { __typename: typename, id } = value as { __typename?: string; id?: string };
  return typename === undefined ? within : [{ typename, id, object: value as Seen['object'] }, ...within];
}

/** The text of an object, without the objects within it that have types of their own. */
function wordsOf(object: Seen['object']): string {
  const own = Object.entries(object).filter(([, value]) => objectsIn(value).length === 0);
  return JSON.stringify(Object.fromEntries(own));
}

/** Values of other agencies in an answer to a caller bound to one agency. */
function leaksOf({ mda, viewer }: Caller, value: unknown): string[] {
  const other = mda === A.mda ? B.mda : A.mda;
  const named = new RegExp(`\\b${other}\\b`);
  return objectsIn(value).flatMap(({ typename, id, object }) => {
    if (SHARED.has(typename)) return [];
    const isNode = recordType(typename)
      .getInterfaces()
      .some(({ name }) => name === 'Node');
    if (isNode && !(typename in OWNED) && id !== viewer.actor)
      return [`${typename} ${id}, which belongs to nobody known`];
    if (id !== undefined && records.isForeignTo(mda!, id)) return [`${typename} ${id}`];
    return named.test(wordsOf(object)) ? [`${typename} ${id ?? ''} says ${wordsOf(object)}`] : [];
  });
}

const typesSeen = (value: unknown) => objectsIn(value).map(({ typename }) => typename);
const cases = (names: readonly string[]) => names.map((name) => [name] as const);
const callerOf = (name: string) => world.callers.find((each) => each.name === name)!;
const BOUND = ["A's officer", "B's officer", "A's clerk", "A's supervisor", "A's admin", "A's token"];
const OWN_OF_STAFF = ['Assessment', 'PaymentIntent', 'PaymentEvent', 'CounterShift'];
const SEEN: Readonly<Record<string, readonly string[]>> = {
  "A's officer": [...OWN_OF_STAFF, 'Propagation', 'MoneyReceived'],
  "B's officer": [...OWN_OF_STAFF, 'Propagation', 'MoneyReceived'],
  "A's clerk": OWN_OF_STAFF,
  "A's supervisor": OWN_OF_STAFF,
  "A's admin": [...OWN_OF_STAFF, 'Propagation'],
  "A's token": [...OWN_OF_STAFF, 'Propagation'],
};

describe.each(cases(BOUND))('%s', (name) => {
  it('finds by every query what is theirs, and nothing else', async () => {
    const caller = callerOf(name);
    const seen = new Set<string>();
    for (const field of rootsOf(caller)) {
      const selection = selectField(caller.viewer, field);
      if (selection === null) continue;
      const { data } = await run(caller, `{ ${selection} }`);
      expect(leaksOf(caller, data), field.name).toEqual([]);
      for (const type of typesSeen(data)) seen.add(type);
    }
    expect([...seen]).toEqual(expect.arrayContaining([...SEEN[name]!]));
  });

  it('counts no more than what is theirs', async () => {
    const caller = callerOf(name);
    let counted = 0;
    for (const field of rootsOf(caller)) {
      const connection = getNamedType(field.type) as GraphQLObjectType;
      const of = connection.name.replace(/Connection$/, '');
      if (of === connection.name || !(of in OWNED) || requiredOf(field).length > 0) continue;
      const { data } = await run(caller, `{ ${field.name} { totalCount nodes { id } } }`);
      const { totalCount, nodes } = data![field.name] as { totalCount: number; nodes: unknown[] };
      expect(totalCount, field.name).toBe(nodes.length);
      if (field.name !== 'shiftReviews') expect(totalCount, field.name).toBe(records.of(of, caller.mda!, true).length);
      counted += 1;
    }
    expect(counted).toBeGreaterThan(2);
  });

  it('finds nothing else by any filter, and pages from no row that is not theirs', async () => {
    const caller = callerOf(name);
    const other = caller.mda === A.mda ? B.mda : A.mda;
    let filtered = 0;
    for (const field of rootsOf(caller)) {
      const of = getNamedType(field.type).name.replace(/Connection$/, '');
      if (!(of in OWNED) || !isConnection(field)) continue;
      if (field.args.some(({ name: each }) => each === 'agency')) {
        const selection = selectField(caller.viewer, field, `(agency: "${other}")`)!;
        expect(leaksOf(caller, (await run(caller, `{ ${selection} }`)).data), field.name).toEqual([]);
        filtered++;
      }
      for (const cursor of records.of(of, caller.mda!, false).slice(0, 2)) {
        const { errors } = await run(caller, `{ ${field.name}(after: "${cursor}") { nodes { id } } }`);
        expect(
          errors.map((error) => rootOf(error)),
          field.name,
        ).toMatchObject([{ code: 'validation_failed' }]);
      }
    }
    expect(filtered).toBeGreaterThan(0);
  });

  it('looks up by their IDs all of what is theirs, whole, and nothing else', async () => {
    const caller = callerOf(name);
    const lookUp = async (id: string) => {
      const type = recordType(records.typeOf(id));
      const { data } = await run(
        caller,
        `{ node(id: "${id}") { ... on ${type.name} { ${selectAll(caller.viewer, type)} } } }`,
      );
      return data?.['node'] as object | null | undefined;
    };
    for (const id of records.foreignTo(caller.mda!)) expect(await lookUp(id), id).toBeFalsy();
    for (const type of Object.keys(OWNED).filter((each) => mayLookUp(caller.viewer, each)))
      for (const id of records.of(type, caller.mda!, true)) {
        const found = await lookUp(id);
        expect(found, id).toMatchObject({ __typename: type, id });
        expect(leaksOf(caller, found), id).toEqual([]);
      }
  });

  it('finds nothing else from what is shared, and from their own login', async () => {
    const caller = callerOf(name);
    const shared = await rail.rows<{ type: string; id: string }>(sql`
      select 'Agency' as type, name as id from mda where name = any(${[A.mda, B.mda]})
      union all select 'Service', name from service where code = any(${[A.service, B.service]})
      union all select distinct 'Citizen', citizen from assessment`);
    const own = caller.viewer.kind === 'staff' ? [{ type: 'Staff', id: caller.viewer.actor }] : [];
    let found = 0;
    for (const { type, id } of [...shared, ...own].filter((each) => mayLookUp(caller.viewer, each.type))) {
      // Each field on its own: all figures at once are more than one query may ask for.
      for (const field of Object.values(recordType(type).getFields())) {
        const selection = selectField(caller.viewer, field, undefined, field.name === 'figures' ? 2 : undefined);
        if (selection === null) continue;
        const { data, errors } = await run(caller, `{ node(id: "${id}") { ... on ${type} { ${selection} } } }`);
        expect(leaksOf(caller, data), id).toEqual([]);
        expect(errors.map((error) => rootOf(error)).filter((root) => !(root instanceof Refusal))).toEqual([]);
        found += typesSeen(data).filter((each) => each in OWNED).length;
      }
    }
    if (caller.viewer.supervises.length > 0) expect(found).toBeGreaterThan(0);
  });

  it('gets nothing else by a query that takes an ID', async () => {
    const caller = callerOf(name);
    const own = new Set<string>();
    for (const field of rootsOf(caller)) {
      const [argument, ...more] = requiredOf(field);
      const takesId = field.args.some(({ name: each, type }) => each === argument && getNamedType(type).name === 'ID');
      if (!takesId || more.length > 0) continue;
      for (const id of Object.keys(OWNED).flatMap((type) => [
        ...records.of(type, caller.mda!, false),
        ...records.of(type, caller.mda!, true),
      ])) {
        const { data } = await run(caller, `{ ${selectField(caller.viewer, field, `(${argument}: "${id}")`)} }`);
        const answered = data?.[field.name];
        if (records.isForeignTo(caller.mda!, id)) expect(answered ?? null, `${field.name} ${id}`).toBeNull();
        else expect(leaksOf(caller, answered), `${field.name} ${id}`).toEqual([]);
        if (answered) own.add(field.name);
      }
    }
    if (caller.viewer.scopes.has('payments.read')) expect([...own]).toContain('paymentTrace');
  });
});

describe('the figures of an agency', () => {
  const ofAgency = (id: string) =>
    `{ agency(id: "${id}") { seal { sequence } statements { provider } figures { nodes { revenue { net } } } } }`;

  it.each(cases(["A's officer", "A's supervisor", "A's admin", "A's token"]))('are for %s, of theirs', async (name) => {
    const own = await run(callerOf(name), ofAgency(A.mda));
    expect(own.errors).toEqual([]);
    expect(own.data).toMatchObject({ agency: { figures: { nodes: [{ revenue: { net: expect.anything() } }] } } });
    const { data, errors } = await run(callerOf(name), ofAgency(B.mda));
    expect(data).toEqual({ agency: { seal: null, statements: null, figures: null } });
    expect(errors.map((error) => rootOf(error))).toMatchObject(
      Array.from({ length: 3 }, () => ({ code: 'forbidden' })),
    );
  });

  it('are not for a clerk', async () => {
    const { data } = await run(callerOf("A's clerk"), ofAgency(A.mda));
    expect(data).toEqual({ agency: { seal: null, statements: null, figures: null } });
  });

  it('are of each agency for an officer of all', async () => {
    const { data } = await run(callerOf('an officer of all'), '{ ownAgencies { id } }');
    expect((data as { ownAgencies: unknown[] }).ownAgencies).toEqual(
      expect.arrayContaining([{ id: A.mda }, { id: B.mda }]),
    );
  });
});

describe('who is bound to none', () => {
  it.each(cases(['a clerk of all', 'an officer of all']))('%s sees what is of each agency', async (name) => {
    const caller = callerOf(name);
    const { data } = await run(caller, '{ counterShifts { nodes { id } } }');
    const shifts = (data as { counterShifts: { nodes: { id: string }[] } }).counterShifts.nodes.map(({ id }) => id);
    for (const { mda } of [A, B]) expect(shifts).toEqual(expect.arrayContaining(records.of('CounterShift', mda, true)));
  });

  it('a key sees its own alone, of each agency', async () => {
    const caller = callerOf('a standard key');
    const { data } = await run(caller, '{ paymentEvents { nodes { id agencyId } } }');
    const { nodes } = (data as { paymentEvents: { nodes: { id: string; agencyId: string }[] } }).paymentEvents;
    expect(nodes.map(({ agencyId }) => agencyId).toSorted()).toEqual([A.mda, B.mda]);
  });
});

/**
 * Mutations that create something without an ID, or change nothing that belongs to an agency. Each has its own test.
 */
const MADE_ANEW = new Set([
  'createAssessment',
  // For an agency that the caller is bound to, of its services alone.
  'importAssessments',
  // Of accounts of agencies that the caller is bound to.
  'uploadBankStatements',
  'createPaymentIntent',
  'createPaymentLink',
  // Of an agency that the caller is bound to.
  'confirmAgencyDay',
  'requestExemption',
  // Of an intent that the caller sees, and of its shares in it alone.
  'requestRefund',
  // Of money and an assessment that the caller sees, which is theirs in full.
  'allocateMoney',
  'openShift',
  'registerCitizen',
  'registerBusiness',
  'registerAtCounter',
  'createCitizen',
  'createOrganisation',
  'confirmCitizen',
  // Belongs to the caller, whose rights decide what it shows.
  'embedChart',
  'saveView',
]);

describe('a verb', () => {
  const GIVEN: Readonly<Record<string, string>> = {
    Decimal: '0',
    String: '"A reason"',
    ID: '"X"',
    Boolean: 'true',
    Int: '1',
    Metadata: '{}',
    Date: '"2026-01-01"',
    MoneyClosing: 'transferred',
    BankLineKind: 'payout',
  };

  const TABLES = [
    'assessment',
    'payment_intent',
    'payment_event',
    'refund',
    'agency_day',
    'exemption',
    'counter_shift',
    'propagation',
    'payment_reference',
    'payment_link',
    'money_received',
    'bank_line',
    'anomaly',
    'trace_row',
  ];
  const digest = () =>
    Promise.all(
      TABLES.map((table) => rail.rows(sql`select md5(string_agg(t::text, ',' order by t::text)) from ${raw(table)} t`)),
    );

  it.each(cases(BOUND))('does nothing to what is of others, which is not there for %s', async (name) => {
    const caller = callerOf(name);
    const before = await digest();
    for (const field of openTo(caller, schema.getMutationType()!)) {
      if (accessOf(field).need === OWN_LOGIN) continue;
      const takesId = field.args.some(({ name: argument }) => argument === 'id');
      expect(takesId || MADE_ANEW.has(field.name), `${field.name}: say how it keeps to walls`).toBe(true);
      if (!takesId) continue;
      const others = requiredOf(field).filter((argument) => argument !== 'id');
      const given = others.map((argument) => {
        const { type } = field.args.find((each) => each.name === argument)!;
        return `${argument}: ${GIVEN[getNamedType(type).name]}`;
      });
      for (const id of records.foreignTo(caller.mda!)) {
        const selection = selectField(caller.viewer, field, `(${[`id: "${id}"`, ...given].join(', ')})`)!;
        const { data, errors } = await run(caller, `mutation { ${selection} }`);
        expect(data?.[field.name] ?? null, `${field.name} ${id}`).toBeNull();
        expect(
          errors.map((error) => rootOf(error)),
          `${field.name} ${id}`,
        ).toMatchObject([{ code: 'not_found' }]);
      }
    }
    expect(await digest()).toEqual(before);
  });
});
