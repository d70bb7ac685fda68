import { listIntegrators } from '../../accounts/integrators/find.ts';
import {
  type AssessmentFilter,
  assessmentLoader,
  listAssessments,
  listAssessmentsOf,
} from '../../collection/assessments/find.ts';
import { listActiveAgencies, listServices } from '../../collection/catalogue/find.ts';
import { type Names, namesOf } from '../../collection/catalogue/names.ts';
import { assessedLoader, findMasked, listCitizens } from '../../collection/citizens/find.ts';
import { type IntentFilter, listIntents } from '../../collection/payments/find.ts';
import { listPropagations } from '../../collection/propagation/find.ts';
import { findNode, typenameOf } from '../../graphql/graph/node.ts';
import { listStaff } from '../../identity/staff/find.ts';
import type { Need } from '../../platform/access/needs.ts';
import { covers } from '../../platform/access/grants.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Decimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { foldForSearch } from '../../kernel/text/matching.ts';
import { type Asked, readAsked } from './asked.ts';

/** The kinds of what is found, in the order in which it is answered. */
export const FOUND_KINDS = {
  person: 'A citizen, as the rail knows them.',
  payment: 'A payment intent of any state.',
  assessment: 'An assessment of any state.',
  notice: 'A notice to an agency of a payment (propagation).',
  account: 'The account of an integrator.',
  agency: 'An agency of the catalogue.',
  service: 'A service of an agency.',
  staff: 'A member of staff.',
  record: 'Another record, by its ID: a shift, an anomaly, a message, a key and the like.',
} as const;

export type FoundKind = keyof typeof FOUND_KINDS;

/** A record that was found, with what tells it from others. */
export interface Finding {
  readonly kind: FoundKind;
  readonly subject: string;
  readonly title: string | null;
  /** Its names in other languages. */
  readonly names: Names;
  readonly status: string | null;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly at: Date | null;
  /** The payer, agency or organisation that it is of. */
  readonly whose: string | null;
}

/** The most records of one kind, and of the assessments of one person. */
const MOST_OF_A_KIND = 10;
const MOST_OF_A_PERSON = 5;
const FIRST = { first: MOST_OF_A_KIND };
const LEAST_CHARACTERS = 2;

/** Finds what the caller may see, by anything that it is known by. Each person shown is counted and booked. */
export async function find(call: Call, q: string): Promise<Finding[]> {
  const asked = readAsked(q);
  if (asked.reference.length < LEAST_CHARACTERS) return [];
  const found = (
    await Promise.all([
      findById(call, asked),
      ifMay(call, 'citizens.read', () => findPeople(call, asked)),
      ifMay(call, 'payments.read', () => findPayments(call, asked)),
      ifMay(call, 'payments.read', () => findPaymentsOf(call, asked)),
      ifMay(call, 'assessments.read', () => findAssessments(call, asked)),
      ifMay(call, 'propagation.read', () => findNotices(call, asked)),
      ifMay(call, 'operations.read', () => findAccountsAndStaff(call, asked)),
      ifMay(call, 'catalogue.read', () => findInCatalogue(call, asked)),
    ])
  ).flat();
  const order = Object.keys(FOUND_KINDS);
  return [...new Map(found.map((one) => [one.subject, one])).values()].toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind),
  );
}

async function ifMay(call: Call, need: Need, read: () => Promise<Finding[]>): Promise<Finding[]> {
  return findRefusal(call.viewer, need) === null ? read() : [];
}

const nothing = { title: null, names: {}, status: null, amount: null, currency: null, at: null, whose: null } as const;

/** Types of records that have a kind of their own; all others are records. */
const KIND_OF: Readonly<Record<string, FoundKind>> = {
  Citizen: 'person',
  PaymentIntent: 'payment',
  Assessment: 'assessment',
  Propagation: 'notice',
  Integrator: 'account',
  Agency: 'agency',
  Service: 'service',
  Staff: 'staff',
};

/** Records that are shown with what they are a part of: the member that names it. */
const PARTS: Readonly<Record<string, 'intent' | 'assessment' | 'run'>> = {
  PaymentEvent: 'intent',
  Receipt: 'intent',
  PaymentReference: 'assessment',
  FiscalDocument: 'assessment',
  ReconciliationItem: 'run',
};

async function findById(call: Call, { ids }: Asked): Promise<Finding[]> {
  for (const id of ids) {
    const part: Described | null = await findVisible(call, id);
    const whole = part && PARTS[typenameOf(part)];
    const record = (whole && (await findVisible(call, part[whole]!))) ?? part;
    if (!record) continue;
    const found = await describe(call, typenameOf(record), record);
    return found.kind === 'person' ? [found, ...(await findOwed(call, found))] : [found];
  }
  return [];
}

/** The record of an ID; null where there is none, and where the caller may see none of its kind. */
async function findVisible(call: Call, id: string): Promise<object | null> {
  try {
    return await findNode(call, id);
  } catch (error) {
    if (error instanceof Refusal && ['forbidden', 'unauthenticated'].includes(error.code)) return null;
    throw error;
  }
}

/** Members that tell records of any type apart, as far as this one has them. */
interface Described {
  readonly name?: string;
  readonly email?: string;
  readonly fullName?: string;
  readonly organisation?: string;
  readonly serviceName?: string;
  readonly mdaName?: string;
  readonly names?: unknown;
  readonly status?: string;
  readonly totalAmount?: Decimal;
  readonly amount?: Decimal;
  readonly feeAmount?: Decimal;
  readonly currency?: string;
  readonly mda?: string;
  readonly citizen?: string;
  readonly assessment?: string;
  readonly intent?: string;
  readonly run?: string;
  readonly createdAt?: Date;
  readonly raisedAt?: Date;
  readonly at?: Date;
}

async function describe(call: Call, typename: string, record: Described): Promise<Finding> {
  const { fullName, organisation, serviceName, mdaName } = record;
  const amount = record.totalAmount ?? record.amount ?? record.feeAmount ?? null;
  const kind = KIND_OF[typename] ?? 'record';
  const payer = kind === 'payment' ? await payerOf(call, record.assessment!) : null;
  return {
    kind,
    subject: kind === 'staff' ? record.email! : record.name!,
    title: fullName ?? organisation ?? serviceName ?? mdaName ?? null,
    names: namesOf({ names: record.names ?? {} }),
    status: record.status ?? null,
    amount,
    currency: amount && (record.currency ?? null),
    at: record.createdAt ?? record.raisedAt ?? record.at ?? null,
    whose: payer ?? (kind === 'assessment' ? await nameOf(call, record.citizen!) : (record.mda ?? null)),
  };
}

async function payerOf(call: Call, assessment: string): Promise<string | null> {
  const owed = await assessmentLoader.load(call, assessment);
  return owed && nameOf(call, owed.citizen);
}

/** The name of who owes an assessment that the caller sees, for those who see people. */
async function nameOf(call: Call, citizen: string): Promise<string | null> {
  if (findRefusal(call.viewer, 'citizens.read') !== null) return null;
  return (await assessedLoader.load(call, citizen))?.fullName ?? null;
}

const describeAll = (call: Call, typename: string, records: readonly Described[]) =>
  Promise.all(records.map((record) => describe(call, typename, record)));

/** People, each with what they owe and paid last. */
async function findPeople(call: Call, { person }: Asked): Promise<Finding[]> {
  if (person === null) return [];
  const { rows } = await listCitizens(call, person, FIRST);
  const people = await describeAll(call, 'Citizen', rows);
  const owed = await Promise.all(people.map((one) => findOwed(call, one)));
  return [...people, ...owed.flat()];
}

async function findOwed(call: Call, { subject: name, title: fullName }: Finding): Promise<Finding[]> {
  if (findRefusal(call.viewer, 'assessments.read') !== null) return [];
  const { rows } = await listAssessmentsOf(call, 'citizen', name, {}, { first: MOST_OF_A_PERSON });
  return rows.map((row) => ({
    ...nothing,
    kind: 'assessment',
    subject: row.name,
    status: row.status,
    amount: row.totalAmount,
    currency: row.currency,
    at: row.createdAt,
    whose: fullName,
  }));
}

async function findPayments(call: Call, { text, reference, amount }: Asked): Promise<Finding[]> {
  const references = [...new Set([reference, text])];
  const filters: IntentFilter[] = [
    ...references.map((one) => ({ reference: one })),
    ...(amount ? [{ of: amount }] : []),
  ];
  const pages = await Promise.all(filters.map((filter) => listIntents(call, filter, FIRST)));
  return describeAll(
    call,
    'PaymentIntent',
    pages.flatMap(({ rows }) => rows),
  );
}

/** Payments of a person whom the caller may not see: by what was typed, with the payer's initials. */
async function findPaymentsOf(call: Call, { person }: Asked): Promise<Finding[]> {
  if (person === null || findRefusal(call.viewer, 'citizens.read') === null) return [];
  const payers = await findMasked(call, person, MOST_OF_A_KIND);
  const found = payers.map(async ({ name: payer, initials }) => {
    const { rows } = await listIntents(call, { payer }, { first: MOST_OF_A_PERSON });
    return (await describeAll(call, 'PaymentIntent', rows)).map((one) => ({ ...one, whose: initials }));
  });
  return (await Promise.all(found)).flat();
}

async function findAssessments(call: Call, { text, amount }: Asked): Promise<Finding[]> {
  const filters: AssessmentFilter[] = [{ ownReference: text }, ...(amount ? [{ of: amount }] : [])];
  const pages = await Promise.all(filters.map((filter) => listAssessments(call, filter, FIRST)));
  return describeAll(
    call,
    'Assessment',
    pages.flatMap(({ rows }) => rows),
  );
}

async function findNotices(call: Call, { reference }: Asked): Promise<Finding[]> {
  return describeAll(call, 'Propagation', (await listPropagations(call, { receipt: reference }, FIRST)).rows);
}

async function findAccountsAndStaff(call: Call, { name }: Asked): Promise<Finding[]> {
  if (name === null) return [];
  const [accounts, staff] = await Promise.all([
    listIntegrators(call, { q: name }, FIRST),
    listStaff(call, { q: name }, FIRST),
  ]);
  return [...(await describeAll(call, 'Integrator', accounts.rows)), ...(await describeAll(call, 'Staff', staff.rows))];
}

async function findInCatalogue(call: Call, { name }: Asked): Promise<Finding[]> {
  if (name === null) return [];
  const [agencies, services] = await Promise.all([
    listActiveAgencies(call),
    listServices(call, { q: name }, { first: MOST_OF_A_KIND }),
  ]);
  const sought = foldForSearch(name);
  const known = agencies
    .filter((one) => foldForSearch(one.name, one.mdaName, ...Object.values(namesOf(one))).includes(sought))
    .slice(0, MOST_OF_A_KIND);
  return [
    ...(await describeAll(call, 'Agency', known)),
    ...(await describeAll(
      call,
      'Service',
      services.rows.filter(({ mda }) => covers(call.viewer.agencies, mda)),
    )),
  ];
}
