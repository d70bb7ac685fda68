import type { GraphQLObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import type { Grants } from '../../../src/platform/access/grants.ts';
import { OPERATION_LIMITS } from '../../../src/graphql/builder.ts';
import { needsOfRecord } from '../../../src/graphql/graph/node.ts';
import { AGENCY_SCOPES, ROLES, type Role, KEY_SCOPES, type Scope } from '../../../src/platform/access/needs.ts';
import {
  type Viewer,
  anonymous,
  viewAgency,
  viewPayer,
  viewSession,
  viewStaff,
} from '../../../src/platform/access/viewer.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createAssessed } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makeLink } from '../../harness/people/link.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { issueTo, makeAround, makeOwner } from '../../harness/records.ts';
import { type Edge, RECORDS, edgesOf } from '../../harness/schema/edges.ts';
import { isOpenTo, keyWith } from '../../harness/schema/walk.ts';

const rail = testRail({ DEV_REVEAL: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' });

type Headers = Readonly<Record<string, string>>;

interface Failure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string };
}

interface Found {
  readonly __typename: string;
  readonly id: string;
}

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });

interface Caller {
  readonly headers: Headers;
  /** As the schema's declarations know them. */
  readonly viewer: Viewer;
}

const callers = new Map<string, Caller>([['nobody', { headers: {}, viewer: anonymous }]]);

/** Rows of each type that are asked for, if there are as many. */
const ROWS_OF_EACH = 3;

/** Records by their types, whoever may see them. */
const rows = new Map<string, Set<string>>(RECORDS.map(({ name }) => [name, new Set()]));
const QUERY = schema.getQueryType()!;
/** The ways from roots to records, except from oversight to what everybody may look up. */
const ROOTS = edgesOf(QUERY)
  .filter(
    ({ way, leadsTo }) => !way.startsWith('oversight.') || leadsTo.some(({ name }) => needsOfRecord(name)?.length),
  )
  .map((edge) => ({ ...edge, field: QUERY.getFields()[edge.way.split('.')[0]!]! }));

/** The ways from roots to records that are open to somebody. */
const rootsFor = ({ viewer }: Caller) => ROOTS.filter(({ field }) => isOpenTo(viewer, field));

interface Ran {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly Failure[];
  readonly extensions?: { readonly cost?: { readonly asked: number; readonly granted: number } };
}

async function run({ headers }: Caller, query: string, mayCostTooMuch = false) {
  const { json, text } = await rail.ask('/graphql', { body: { query }, headers });
  const { data, errors = [], extensions: { cost } = {} } = json as Ran;
  const { asked = 0, granted = 0 } = cost ?? {};
  const isBeyond = asked > granted || errors.some(({ message }) => /^Query exceeds|more than \d+ tokens/.test(message));
  if (mayCostTooMuch && isBeyond) return { data, errors: [], costsTooMuch: true };
  for (const { extensions } of errors)
    if (!['forbidden', 'unauthenticated', 'not_found'].includes(extensions.code)) throw new Error(`${query}: ${text}`);
  return { data, errors, costsTooMuch: false };
}

/** All records within a value. */
function foundIn(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(foundIn);
  return '__typename' in value ? [value as Found, ...within] : within;
}

interface Asked {
  readonly found: readonly Found[];
  readonly refused: boolean;
}

/** The records that each selection finds. A document has as many selections as it may, each with an alias. */
async function ask(
  caller: Caller,
  selections: readonly string[],
  together: number = OPERATION_LIMITS.aliases,
  mayCostTooMuch = false,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (let from = 0; from < selections.length; from += together) {
    const part = selections.slice(from, from + together);
    const query = `{ ${part.map((each, i) => `e${i}: ${each}`).join('\n')} }`;
    const { data, errors, costsTooMuch } = await run(caller, query, mayCostTooMuch || part.length > 1);
    if (costsTooMuch && part.length > 1) {
      asked.push(...(await ask(caller, part, Math.ceil(part.length / 2), mayCostTooMuch)));
      continue;
    }
    const refused = new Set(errors.map(({ path }) => path?.[0]));
    if (data) asked.push(...part.map((_, i) => ({ found: foundIn(data[`e${i}`]), refused: refused.has(`e${i}`) })));
    // One that may not be null was refused, and took the others with it.
    else if (part.length > 1) asked.push(...(await ask(caller, part, 1, mayCostTooMuch)));
    else asked.push({ found: [], refused: true });
  }
  return asked;
}

/** The types of records as `node` answers them to a caller, by their IDs; without those that it does not answer. */
async function lookUp(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  for (let from = 0; from < ids.length; from += 100) {
    const part = ids.slice(from, from + 100);
    const { data } = await run(caller, `{ nodes(ids: ${JSON.stringify(part)}) { __typename id } }`);
    for (const { id, __typename } of foundIn(data)) types.set(id, __typename);
  }
  return types;
}

/** The records that a caller reaches from the roots. */
const reach = (caller: Caller) =>
  ask(
    caller,
    rootsFor(caller).map(({ selection }) => selection),
  );

beforeAll(async () => {
  const admin = await makeStaff(rail, 'admin');
  const other = await makeOwner(rail, admin);
  const owner = await makeOwner(rail, admin);
  const { clerk } = await makeAround(rail, admin, [owner.assessment, owner.intent, owner.shift], owner.intent);
  const mine = owner.actor.integrator;
  const [anomaly] = await rail.rows<{ name: string }>(sql`select min(name) as name from anomaly`);
  const assigned = await admin.ask(`/v1/ops/anomalies/${anomaly!.name}:assign`, { body: { assignee: admin.email } });
  expect(assigned.status).toBe(200);
  await rail.rows(sql`
    update webhook_delivery set status = 'dead'
    where name = (select min(name) from webhook_delivery where integrator = ${mine})`);
  const add = (name: string, key: string, scopes: readonly Scope[], grants: Partial<Grants> = {}) =>
    callers.set(name, { headers: bearer(key), viewer: { ...keyWith(...scopes), ...grants } });
  add('the owner', owner.actor.key, KEY_SCOPES);
  add('another integrator', other.actor.key, KEY_SCOPES);
  for (const scope of KEY_SCOPES)
    add(`the owner with ${scope} alone`, await issueTo(admin, mine, { scopes: [scope] }), [scope]);
  for (const supervises of [['URA'], ['KCCA']]) {
    const key = await issueTo(admin, other.actor.integrator, { scopes: KEY_SCOPES, supervises });
    add(`another integrator that supervises ${supervises.join()}`, key, KEY_SCOPES, { supervises });
  }
  const session = viewSession({ id: 'any', integrator: mine });
  callers.set('the account of the owner', { headers: { cookie: owner.cookie }, viewer: session });
  const addStaff = (name: string, { cookie, email }: StaffActor, role: Role, agencies: readonly string[] = []) =>
    callers.set(name, { headers: { cookie }, viewer: viewStaff({ id: 'any', email, roles: [role], agencies }) });
  for (const role of ROLES) addStaff(`staff: ${role}`, await makeStaff(rail, role), role);
  const both = await makeStaff(rail, 'auditor', 'clerk');
  callers.set('staff: an auditor at a counter', {
    headers: { cookie: both.cookie },
    viewer: viewStaff({ id: 'any', email: both.email, roles: ['auditor', 'clerk'], agencies: [] }),
  });
  addStaff('the clerk of a shift', clerk, 'clerk');
  const bound = await makeStaffOf(rail, ['URA'], 'clerk');
  addStaff('staff: a clerk of URA', bound, 'clerk', ['URA']);
  for (const mda of ['URA', 'KCCA']) {
    const agency = await makeAgency(rail, mda, [...AGENCY_SCOPES]);
    const { key } = agency;
    const viewer = viewAgency({ mda, key, scopes: AGENCY_SCOPES });
    const headers = bearer(await agency.token());
    callers.set(`the agency ${mda}`, { headers, viewer });
    const url = 'https://example.com/hooks';
    expect((await rail.ask(`/v1/agency/${mda}/webhook-endpoints`, { headers, body: { url } })).status).toBe(200);
  }
  const link = await makeLink(rail, owner.actor, await createAssessed(rail, owner.actor));
  callers.set('a payer', { headers: bearer(link.token), viewer: viewPayer({ link: link.name, token: link.token }) });
  await Promise.all([rail.rail.audit.flush(), rail.rail.citizenAccess.flush()]);

  for (const name of [
    'the owner',
    'staff: admin',
    'staff: auditor',
    'the account of the owner',
    'the owner with oversight.read alone',
  ])
    for (const { __typename, id } of (await reach(callers.get(name)!)).flatMap(({ found }) => found))
      if (rows.get(__typename)!.size < ROWS_OF_EACH) rows.get(__typename)!.add(id);
  // Records that no root lists, or lists late.
  for (const { type, name } of await rail.rows<{ type: string; name: string }>(sql`
    select 'Agency' as type, 'URA' as name
    union all select 'Staff', unnest(${[clerk.email, bound.email]}::text[])
    union all select 'Anomaly', ${anomaly!.name}
    union all select 'ConsentEvent', name from consent_event
    union all select 'FiscalDocument', name from fiscal_document
    union all select 'Assessment', assessment from fiscal_document
    union all select 'PaymentReference', number from payment_reference
    union all select 'Assessment', assessment from payment_reference
    union all select 'PaymentLink', name from payment_link
    union all select 'PaymentIntent', name from payment_intent where link is not null
    union all select 'PaymentIntent', paid_by from payment_reference where paid_by is not null
    union all select 'MoneyReceived', name from money_received
    union all select 'PaymentEvent', payment_event from fiscal_document
    union all select 'Receipt', name from receipt
    union all select 'Refund', name from refund
    union all select 'PaymentEvent', name from payment_event where refund is not null
    union all select 'PaymentIntent', intent from refund where intent is not null
    union all select 'Propagation', name from propagation where refund is not null
    union all select 'ReconciliationItem', name from reconciliation_item
    union all select 'WebhookEndpoint', name from webhook_endpoint where agency is not null
    union all select 'Assessment', unnest(array[name, replaces]) from assessment where replaces is not null
    union all select 'Citizen', citizen from assessment`))
    rows.get(type)!.add(name);
});

interface Cell {
  readonly name: string;
  readonly selection: string;
}

/** Each edge of each row, as it is called and as it is asked. */
function cells(select: (edge: Edge) => string): Cell[] {
  return RECORDS.flatMap((type) =>
    edgesOf(type).flatMap((edge) =>
      [...rows.get(type.name)!].map((id) => ({
        name: `${type.name}.${edge.way}`,
        selection: `node(id: ${JSON.stringify(id)}) { ... on ${type.name} { ${select(edge)} } }`,
      })),
    ),
  );
}

/** The ways from roots that are open to a caller. */
const cellsOfRoots = (caller: Caller, select: (edge: Edge) => string): Cell[] =>
  rootsFor(caller).map((edge) => ({ name: `Query.${edge.way}`, selection: select(edge) }));

const whole = ({ selection }: Edge) => selection;
/** No row is read for it where the edge knows the ID. */
const idAlone = ({ around }: Edge) => around('... on Node { __typename id }');

/** Records that a caller reaches by edges but cannot look up. Adds the types that were answered to `answered`. */
async function holesOf(name: string, caller: Caller, asked: readonly Cell[], answered: Set<string>): Promise<string[]> {
  const reached = await ask(
    caller,
    asked.map(({ selection }) => selection),
  );
  const lookedUp = await lookUp(caller, [...new Set(reached.flatMap(({ found }) => found.map(({ id }) => id)))]);
  return reached.flatMap(({ found }, i) =>
    found.flatMap(({ __typename, id }) => {
      answered.add(asked[i]!.name);
      // Or a form without personal data, of what the caller may see whole; or the former name of an approval.
      const type = lookedUp.get(id) ?? 'nothing';
      return [
        __typename,
        __typename.replace(/^Overseen|^AdminGrant$/, (form) => (form === 'AdminGrant' ? 'Approval' : '')),
      ].includes(type)
        ? []
        : [`${name}: ${asked[i]!.name} → ${__typename} ${id}, which node answers as ${type}`];
    }),
  );
}

describe('on real rows', () => {
  it('all types of records have some', () => {
    expect([...rows].filter(([, ids]) => ids.size === 0)).toEqual([]);
  });

  it('no edge leads anybody to a record that is not theirs to look up', async () => {
    const answered = new Set<string>();
    const ofRows = cells(whole);
    const holes = await Promise.all(
      [...callers].map(([name, caller]) =>
        holesOf(name, caller, [...cellsOfRoots(caller, whole), ...ofRows], answered),
      ),
    );
    expect(holes.flat()).toEqual([]);
    const names = [...ROOTS.map(({ way }) => `Query.${way}`), ...ofRows.map(({ name }) => name)];
    // `node` answers what was an `AdminGrant` as the `Approval` that it is.
    // Nothing but roles waits for an approval in a sandbox.
    const never = [
      'AgencyKey',
      'ApiKey',
      'Assessment',
      'Integrator',
      'LiveRequest',
      'MoneyReceived',
      'Refund',
      'Service',
      'WebhookEndpoint',
    ].map((type) => `${type}.pendingApproval`);
    // Only receipts of former versions were wrong, and payers read no exemption.
    const others = ['defaultEndpoint.pendingApproval', 'payPage.lines.exemption'].map((name) => `Query.${name}`);
    expect([...new Set(names)].filter((name) => !answered.has(name)).toSorted()).toEqual(
      ['AdminGrant.staff', 'Receipt.replacedBy', ...others, ...never].toSorted(),
    );
  });

  it.each(['another integrator that supervises URA', 'staff: clerk'])(
    'nor does any for the ID alone: %s',
    async (name) => {
      const caller = callers.get(name)!;
      const asked = [...cellsOfRoots(caller, idAlone), ...cells(idAlone)];
      expect(await holesOf(name, caller, asked, new Set())).toEqual([]);
    },
  );
});

describe('from oversight', () => {
  const PERSONAL = /^(citizenId|fullName|nin|phone|payerMsisdn|email|clerkId|actor)$/;
  const isPersonal = (type: GraphQLObjectType) => Object.keys(type.getFields()).some((name) => PERSONAL.test(name));

  /** All ways of so many edges to the first type that names a person, by where they end. */
  function waysFrom(type: GraphQLObjectType, most: number): string[] {
    if (most === 0) return [];
    return edgesOf(type).flatMap(({ leadsTo, around, selection }) =>
      leadsTo.flatMap((to) =>
        isPersonal(to)
          ? [selection]
          : waysFrom(to, most - 1).map((further) => around(`... on ${to.name} { __typename ${further} }`)),
      ),
    );
  }

  it('no way to a type that names a person is answered', async () => {
    const oversight = schema.getType('Oversight') as GraphQLObjectType;
    const ways = waysFrom(oversight, 4);
    expect(ways.length).toBeGreaterThan(30);
    const caller = callers.get('the owner with oversight.read alone')!;
    const personal = new Set(RECORDS.filter(isPersonal).map(({ name }) => name));
    const asked = await ask(
      caller,
      ways.map((way) => `oversight { ${way} }`),
      15,
      // A way through a quarter and figures costs more than an operation may; what is answered of it is looked at.
      true,
    );
    const found = asked.flatMap((each) => each.found.map(({ __typename }) => __typename));
    expect(found.filter((type) => personal.has(type))).toEqual([]);
    expect(asked.filter(({ refused }) => refused).length).toBeGreaterThan(15);
  });
});

describe('node', () => {
  it('answers the form without personal data to oversight, and the whole one to who may see it', async () => {
    const typesFor = async (name: string, ids: ReadonlySet<string>) => [
      ...new Set((await lookUp(callers.get(name)!, [...ids])).values()),
    ];
    const [events, anomalies] = [rows.get('PaymentEvent')!, rows.get('Anomaly')!];
    const OVERSIGHT = 'the owner with oversight.read alone';
    expect(await typesFor(OVERSIGHT, events)).toEqual(['OverseenPaymentEvent']);
    expect(await typesFor('the owner with payments.initiate alone', events)).toEqual(['PaymentEvent']);
    expect(await typesFor('staff: admin', events)).toEqual(['PaymentEvent']);
    expect(await typesFor(OVERSIGHT, anomalies)).toEqual(['OverseenAnomaly']);
    expect(await typesFor('staff: admin', anomalies)).toEqual(['Anomaly']);
    expect(await typesFor('nobody', new Set([...events, ...anomalies]))).toEqual([]);
  });
});
