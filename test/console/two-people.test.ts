import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  execute,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
  getNamedType,
  parse,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/app/schema.ts';
import { readShippedProfiles } from '../../src/collection/catalogue/loading/profile.ts';
import { updateStaff } from '../../src/identity/members/update.ts';
import { shapeOf } from '../../src/graphql/input/shapes.ts';
import { accessOf } from '../../src/graphql/plugins/access.ts';
import { areIndependent } from '../../src/platform/access/independence.ts';
import { type Viewer, viewStaff } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { joined, raw, sql } from '../../src/platform/database/sql.ts';
import { seedRandom } from '../harness/chaos/tampering.ts';
import { createAssessedFor } from '../harness/flow.ts';
import { LIVE } from '../harness/live.ts';
import { makeAgency, makePair } from '../harness/people/agency.ts';
import { closeWith, collectInShift, openShift, sendInShift } from '../harness/people/counter.ts';
import { letGoLive, makeTrialAccount } from '../harness/people/going-live.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';
import { drawSeed } from '../harness/run/seed.ts';
import { sizeOf } from '../harness/chaos/size.ts';

const rail = testRail(LIVE);
const seed = drawSeed('what operators try alone');
const random = seedRandom(seed);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
const some = <T>(values: readonly T[]): T[] => values.filter(() => random() < 0.4);

/** All staff roles; a member with all of them may do everything. */
const ROLES = ['admin', 'system_manager', 'supervisor', 'finance_officer', 'clerk'] as const;
/** Roles that move money or decide on it. */
const TAKE_TWO = ['admin', 'system_manager', 'supervisor', 'finance_officer', 'clerk'];

/**
 * Facts that need two people to change, each with a name. Members that are lists, amounts or texts are compared by
 * `NARROWS`.
 */
const facts = sql`
  select 'agency ' || name as name, jsonb_build_object('account', collection_account, 'country', country) as value from mda
  union all select 'cash at ' || m.name, jsonb_build_object('cash', coalesce(m.cash_limit, c.cash_limit), 'shift_cash',
    coalesce(m.shift_cash_limit, c.shift_cash_limit)) from mda m join country c on c.code = m.country
  union all select 'currency of ' || code, jsonb_build_object('currency', currency) from country where currency is not null
  union all select 'service ' || code, jsonb_build_object('mda', mda, 'currency', currency,
    'fee', case when fee_in_force then fee_amount end,
    'coming_fee', case when abs(next_fee_amount - fee_amount) > fee_amount / 10 then next_fee_amount end) from service
  union all select 'member ' || email, jsonb_build_object('roles', array(select unnest(roles) intersect select unnest(${TAKE_TWO}::text[])),
    'agencies', agencies) from staff where roles && ${TAKE_TWO}::text[] and deactivated_at is null
  union all select 'key ' || name, jsonb_build_object('supervises', supervises, 'counters', counters, 'manages', manages_account,
    'scopes', array(select unnest(scopes) intersect select 'payments.split')) from api_key where status = 'active'
  union all select 'account ' || code, jsonb_build_object('allowed', allowed_agencies, 'channels', allowed_channels,
    'limit', limit_per_minute, 'pricing', array_position('{free,standard,premium}', pricing_tier::text)) from integrator
    where tier = 'live' and code <> 'COUNTERS-OFFICE'
  union all select 'agency key ' || name, '{"active": true}' from agency_key where status = 'active'
  union all select 'endpoint ' || name, jsonb_build_object('url', url, 'types', types, 'agencies', agencies) from webhook_endpoint
    where integrator = 'COUNTERS-OFFICE' and url is not null
  union all select 'approved ' || name, '{"approved": true}' from approval where status = 'Approved'
  union all select 'approved ' || name, '{"approved": true}' from account_change where status = 'Approved'
  union all select 'event ' || name, '{"proved": true}' from payment_event where channel <> 'cash' or kind = 'reversal'`;

type Value = Readonly<Record<string, unknown>>;
type Facts = ReadonlyMap<string, Value>;

async function readFacts(): Promise<Facts> {
  const rows = await rail.rows<{ name: string; value: Value }>(facts);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** True if a list allows nothing that the former one did not. */
const isWithin = (list: unknown, former: unknown) => {
  const [own, others] = [list, former ?? []] as string[][];
  return others!.includes('*') || own!.every((each) => others!.includes(each));
};

const isEmpty = (list: unknown) => (list as string[]).length === 0;

/** The same of a list that allows everything where it is empty. */
const isAmong = (list: unknown, former: unknown) => isEmpty(former) || (!isEmpty(list) && isWithin(list, former));

/** The same of a maximum; null stands for none. */
const isAtMost = (value: unknown, former: unknown) =>
  former === null || (value !== null && Number(value) <= Number(former));

/** Members that can grow or shrink, with their comparison. Any change of other members needs two people. */
const NARROWS: Readonly<Record<string, (value: unknown, former: unknown) => boolean>> = {
  cash: isAtMost,
  shift_cash: isAtMost,
  pricing: isAtMost,
  // One of their own replaces that of the pricing tier.
  limit: (value, former) => value !== null && former !== null && Number(value) <= Number(former),
  roles: isWithin,
  supervises: isWithin,
  counters: isWithin,
  scopes: isWithin,
  allowed: isWithin,
  channels: isWithin,
  coming_fee: (value) => value === null,
  // None stands for all.
  agencies: isAmong,
  types: isAmong,
};

/** A new record changes nothing by belonging to an agency or country, or by having the same limits as existing ones. */
const NEWLY = ['country', 'currency', 'mda', 'cash', 'shift_cash', 'agencies', 'types'];

function widens(member: string, value: unknown, former: unknown, isNew: boolean): boolean {
  if (JSON.stringify(value) === JSON.stringify(former)) return false;
  if (isNew && (NEWLY.includes(member) || value === null || value === false || value === 0)) return false;
  return !(NARROWS[member]?.(value, former) ?? false);
}

function listWidened(before: Facts, after: Facts): string[] {
  return [...after].flatMap(([name, value]) => {
    const members = Object.entries(value).filter(([member, one]) =>
      widens(member, one, before.get(name)?.[member], !before.has(name)),
    );
    return members.map(
      ([member, one]) => `${name}: ${member} ${JSON.stringify(before.get(name)?.[member])} → ${JSON.stringify(one)}`,
    );
  });
}

/** All IDs there are, by which arguments find those of their form. */
async function readIds(): Promise<readonly string[]> {
  const tables = [
    'mda',
    'service',
    'approval',
    'account_change',
    'live_request',
    'api_key',
    'agency_key',
    'anomaly',
    'counter_shift',
    'assessment',
    'payment_intent',
    'receipt',
    'citizen',
    'service_notice',
    'alert_rule',
    'webhook_endpoint',
    'reconciliation_run',
    'payment_link',
    'propagation',
    'webhook_delivery',
  ];
  const rows = await rail.rows<{ id: string }>(sql`
    ${joined(
      tables.map((table) => sql`select name as id from ${raw(table)}`),
      ' union all ',
    )}
    union all select code from integrator union all select email from staff`);
  return rows.map(({ id }) => id);
}

let count = 0;
const shipped = readShippedProfiles().find(({ country }) => country === 'KE')!;

/** A catalogue file that is the shipped one, but for one thing. */
function someProfile(): object {
  const profile = structuredClone(shipped);
  const [one, other] = profile.agencies;
  const changes: (() => object)[] = [
    () => ({ fiscal_year_month: 1 }),
    () => ({ fiscal_year_month: 7 }),
    () => ({ currency: 'USD' }),
    () => ({ country: 'BI' }),
    () => ({ cash_limit: 9e12 }),
    () => ({ shift_cash_limit: null }),
    () => {
      other!.services.push(one!.services.pop()!);
      return {};
    },
    () => {
      one!.services[0]!.fee += 100;
      return {};
    },
    () => {
      one!.collection_account = 'KE-ACC-9999';
      return {};
    },
  ];
  return { ...profile, ...pick(changes)() };
}

/** Values for arguments by name: existing ones, or ones that would do harm. */
const NAMED: Readonly<Record<string, () => unknown>> = {
  url: () => `https://example.com/${++count}`,
  code: () => `NEW-${++count}`,
  email: () => pick([`new-${++count}@example.com`, 'sock@example.com']),
  country: () => pick(['UG', 'KE']),
  currency: () => 'UGX',
  collectionAccount: () => `ACC-${++count}-0000`,
  nin: () => 'CF93042100ABCD',
  ownerNin: () => 'CF93042100ABCD',
  payerMsisdn: () => '+256700123456',
  profile: someProfile,
  publicKey: async () => (await makePair()).jwk,
  provider: () => 'mtn_momo',
  feeAmount: () => pick([0, 51_000, 450_000, 90_000_000]),
  cashLimit: () => pick([null, 0, 9e9]),
  shiftCashLimit: () => pick([null, 0, 9e9]),
  effectiveFrom: () => new Date(rail.rail.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10),
  origins: () => ['https://dashboard.example.org'],
  channels: () => pick([['*'], [], ['mtn_momo'], ['mtn_momo', 'cash']]),
  allowedChannels: () => pick([['*'], [], ['mtn_momo'], ['mtn_momo', 'cash']]),
  limitPerMinute: () => pick([null, 10, 1_000, 100_000]),
  types: () => pick([[], ['payment_intent.*'], ['payment_intent.*', 'receipt.*']]),
  phone: () => '+256700000001',
};

/** Arguments that would cause most tries of a mutation to be refused. */
const UNSENT = new Set(['agency', 'part', 'parts', 'revision', 'shift', 'withdrawNextFee']);

function listOfAgencies(): string[] {
  return pick([['*'], [], ['URA'], ['URA', 'KCCA'], ['NIRA', 'KCCA', 'URSB']]);
}

async function someValue(
  { name, type, extensions }: Pick<GraphQLArgument, 'name' | 'type' | 'extensions'>,
  ids: readonly string[],
): Promise<unknown> {
  const given = NAMED[name];
  const plain = getNullableType(type);
  if (given && !(isListType(plain) && getNamedType(plain).name === 'Channel')) return given();
  return someOf(name, plain, shapeOf({ extensions }), ids);
}

async function someOf(
  name: string,
  type: GraphQLInputType,
  shape: ReturnType<typeof shapeOf>,
  ids: readonly string[],
): Promise<unknown> {
  if (isListType(type)) {
    if (/agencies|supervises|counters/i.test(name)) return listOfAgencies();
    const of = getNullableType(type.ofType);
    if (isEnumType(of)) {
      const values = some(
        shape.items?.enum?.map((value) => value.replace('.', '_')) ?? of.getValues().map((value) => value.name),
      );
      return values.length > 0 ? values : [pick(of.getValues()).name];
    }
    return [await someOf(name, of, shape.items ?? {}, ids)];
  }
  if (isInputObjectType(type)) {
    const values: Record<string, unknown> = {};
    for (const field of Object.values(type.getFields()))
      if (isNonNullType(field.type)) values[field.name] = await someValue(field, ids);
    return values;
  }
  if (isEnumType(type)) return pick(type.getValues()).name;
  if (!isScalarType(type)) throw new Error(`${name} is of ${String(type)}`);
  if (type.name === 'Boolean') return random() < 0.6;
  if (type.name === 'Int') return shape.minimum ?? 1;
  if (type.name === 'Decimal') return pick([0, 50_000]);
  if (type.name === 'Date' || type.name === 'DateTime')
    return new Date(rail.rail.now().getTime() + 86_400_000).toISOString().slice(0, type.name === 'Date' ? 10 : 24);
  if (type.name === 'JSON' || type.name === 'Metadata') return {};
  if (type.name === 'Byte')
    return Buffer.from('Id,External Transaction Id,Date,Status,Amount,Currency\n').toString('base64');
  if (shape.examples?.includes('URA')) return pick(['URA', 'URA', 'KCCA', 'KE-KRA']);
  const known =
    shape.format === 'email'
      ? ids.filter((id) => id.includes('@'))
      : ids.filter((id) => shape.pattern && new RegExp(shape.pattern, 'u').test(id));
  return known.length > 0 ? pick(known) : `a ${name}`;
}

/** Calls a mutation as somebody, with what its arguments may be; the error's message where it refuses. */
async function tryOnce(viewer: Viewer, field: GraphQLField<unknown, unknown>): Promise<string | null> {
  const ids = await readIds();
  const variableValues: Record<string, unknown> = {};
  for (const argument of field.args)
    if (isNonNullType(argument.type) || (!UNSENT.has(argument.name) && random() < 0.5))
      variableValues[argument.name] = await someValue(argument, ids);
  const given = field.args.filter(({ name }) => name in variableValues);
  const declared = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const text = `mutation ${declared && `(${declared})`} { ${field.name} ${passed && `(${passed})`} ${selection} }`;
  const contextValue = callOf(rail.rail, viewer, `try-${++count}`);
  const { errors } = await execute({ schema, document: parse(text), contextValue, variableValues });
  return errors ? errors[0]!.message : null;
}

const mutations = Object.values(schema.getMutationType()!.getFields());

/** Has some people try each mutation so many times; answers what they widened, and the mutations that did something. */
async function tryAll(viewers: readonly Viewer[], times: (field: GraphQLField<unknown, unknown>) => number) {
  const widened: string[] = [];
  const done = new Set<string>();
  const tries = mutations.flatMap((field) => Array.from({ length: times(field) }, () => field));
  const shuffled = tries.map((field) => ({ field, at: random() })).toSorted((one, other) => one.at - other.at);
  let before = await readFacts();
  for (const { field } of shuffled) {
    const refusal = await tryOnce(pick(viewers), field);
    if (refusal === null) done.add(field.name);
    const after = await readFacts();
    widened.push(...listWidened(before, after).map((what) => `${field.name}: ${what}`));
    before = after;
  }
  return { widened, done };
}

const timesOf = (field: GraphQLField<unknown, unknown>) => {
  const { people } = accessOf(field);
  return sizeOf({ fast: people === undefined ? 1 : people === 'alone' ? 2 : 15, long: 60 });
};

/** Somebody as the rail knows them for as long as they try: what they do to their own login stops nobody. */
const viewAs = ({ email }: StaffActor): Viewer =>
  viewStaff({ id: '00000000-0000-4000-8000-000000000000', email, roles: ROLES, agencies: [] });

/** A live rail on which there is one of everything that takes two people. */
async function fillRail(): Promise<readonly [StaffActor, StaffActor]> {
  const [one, other] = [await makeStaff(rail, ...ROLES), await makeStaff(rail, ...ROLES)];
  await makeStaff(rail, 'admin');
  await letGoLive(rail, await makeTrialAccount(rail), await makeStaff(rail, 'admin'), {
    agencies: ['URA'],
    channels: ['mtn_momo'],
  });
  await makeStaffOf(rail, ['URA'], 'supervisor');
  await makeStaffOf(rail, ['URA'], 'finance_officer');
  const left = await makeStaff(rail, 'supervisor');
  await rail.rows(sql`update staff set active = false, deactivated_at = now() where email = ${left.email}`);
  const { key } = await makeTrialAccount(rail);
  await rail.ask('/v1/me:request-live', { key, body: { agencies: ['URA'], channels: ['mtn_momo'] } });
  const clerk = await makeStaffOf(rail, ['URA'], 'clerk');
  const shift = await openShift(clerk);
  await collectInShift(rail, clerk, shift);
  await sendInShift(rail, clerk, shift);
  // Some are cancelled by the tries, and there is to be one that is replaced.
  for (let each = 0; each < 12; each++) await createAssessedFor(rail, clerk, 'URA-TCC', { shift });
  await closeWith(rail, -15_000);
  await makeAgency(rail, 'URA');
  await rail.rows(sql`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified,
      scopes, created_at, updated_at)
    values ('COUNTERS-OFFICE', 'Operators', 'no address', 'Operators', 'live', 'free', 'Active', true, '{}', now(), now())`);
  await rail.rows(sql`
    insert into webhook_endpoint (name, integrator, place, label, url, types, agencies, secret, created_at, updated_at)
    select 'EP-2020-00000' || place, 'COUNTERS-OFFICE', place, 'Ours', 'https://example.com/ours', '{payment_intent.*}', '{URA}',
      'sealed', now(), now() from generate_series(0, 5) place`);
  await rail.rows(sql`update mda set cash_limit = 1000, shift_cash_limit = 5000 where name = 'URA'`);
  return [one, other];
}

it(`one operator alone, and two who depend on each other, widen nothing that takes two people (SEED=${seed})`, async () => {
  const [one, other] = await fillRail();
  const alone = await tryAll([viewAs(one)], timesOf);
  expect.soft(alone.widened).toEqual([]);
  // One that a try has changed depends already, and may have roles by now that are for all agencies.
  if (await areIndependent(rail.rail, [one.email], [other.email]))
    await updateStaff(callOf(rail.rail, viewAs(one), 'relate'), { id: other.email, agencies: ['URA'] });
  expect(await areIndependent(rail.rail, [one.email], [other.email])).toBe(false);
  const together = await tryAll([viewAs(one), viewAs(other)], timesOf);
  expect.soft(together.widened).toEqual([]);
  // It tried what it is about: each of these did something, if less.
  const done = new Set([...alone.done, ...together.done]);
  const idle = mutations.filter((field) => accessOf(field).people === 'two where it widens' && !done.has(field.name));
  expect(idle.map(({ name }) => name)).toEqual([]);
});
