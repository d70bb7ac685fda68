import type { AssessmentStatus, PaymentReferenceStatus } from '../../generated/prisma/enums.ts';
import { holds } from '../../platform/access/viewer.ts';
import { whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { loadByKey, loadByOwner } from '../../platform/reading/batch.ts';
import { type Listing, type Page, type PageArgs, readPageOf } from '../../platform/reading/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { networkOf } from '../../kernel/network.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { OF_ITS_AGENCIES } from '../assessments/find.ts';
import { readNumber } from './number.ts';

/** A payment reference, with its number for a name. Its `status` is as stored: `referenceStatusOf` tells that of a moment. */
export interface Reference extends Stored<'PaymentReference'> {
  readonly name: string;
}

/** A payment reference as anybody may see it: what leads to its assessment is null where that is not for them. */
export type ShownReference = Pick<Reference, 'name' | 'number' | 'amount' | 'currency' | 'status' | 'expiresAt'> & {
  readonly [Hidden in 'assessment' | 'paidBy' | 'createdAt' | 'updatedAt']: Reference[Hidden] | null;
};

const columns = sql`r.number as name, ${columnsOf('PaymentReference')}`;

/** The caller's payment references by number. */
export const referenceLoader = loadByKey<Reference>(
  'number',
  ({ number }) => number,
  ({ db, viewer }, numbers) =>
    db.rows(sql`
      select ${columns} from payment_reference r
      where r.number = any(${numbers}) and ${whereVisible(viewer, OF_ITS_AGENCIES)}`),
);

/** The caller's payment references by the intent that paid them. */
export const paidReferenceLoader = loadByKey<Reference>(
  'paidBy',
  ({ paidBy }) => paidBy!,
  ({ db, viewer }, intents) =>
    db.rows(sql`
      select ${columns} from payment_reference r
      where r.paid_by = any(${intents}) and ${whereVisible(viewer, OF_ITS_AGENCIES)}`),
);

/** The caller's payment references of one assessment, newest first. */
export function listReferencesOf(call: Call, assessment: string, page: PageArgs): Promise<Page<Reference>> {
  const listing: Listing = {
    select: sql`select ${columns} from payment_reference r`,
    table: 'payment_reference',
    named: (typed) => {
      const number = readNumber(typed);
      return number === null ? null : sql`r.number = ${number}`;
    },
    order: ['created_at', 'number'],
    direction: 'desc',
    where: [whereVisible(call.viewer, OF_ITS_AGENCIES)],
  };
  return readPageOf(call, listing, sql`r.assessment`, assessment, page);
}

/** The reference that an assessment has, if it is Issued, be its time over or not. */
export function findOwnIssued({ db }: Call, assessment: string): Promise<Reference | null> {
  return db.row<Reference>(sql`
    select ${columns} from payment_reference r where r.assessment = ${assessment} and r.status = 'Issued'`);
}

/** One of the caller's payment references. */
export async function getReference(call: Call, typed: string): Promise<Reference> {
  const number = readNumber(typed);
  const reference = number !== null ? await referenceLoader.load(call, number) : null;
  if (!reference) throw refuseUnknown();
  return reference;
}

/** A payment reference as the caller may see it, who may be anybody. Who guesses is stopped. */
export async function lookUpReference(call: Call, typed: string): Promise<ShownReference> {
  const number = readNumber(typed);
  const { viewer, transport, db, rail } = call;
  const who = viewer.integrator ?? viewer.session ?? viewer.key ?? networkOf(transport.source.address);
  const visible = holds(viewer, 'payments.read') ? whereVisible(viewer, OF_ITS_AGENCIES) : sql`false`;
  const found = await rail.limits.countMisses({ of: 'caller', who }, async () =>
    number !== null
      ? db.row<Reference & { readonly visible: boolean }>(sql`
          select ${columns}, ${visible} as visible from payment_reference r where r.number = ${number}`)
      : null,
  );
  if (!found) throw refuseUnknown();
  const hidden = { assessment: null, paidBy: null, createdAt: null, updatedAt: null };
  return found.visible ? found : { ...found, ...hidden };
}

function refuseUnknown(): Refusal {
  return new Refusal('not_found', 'The payment reference does not exist');
}

/** The agencies that references are owed to, by code. Anybody may know them who has the number. */
export const agenciesOf = loadByOwner<{ readonly number: string; readonly mda: string }>(
  ({ number }) => number,
  ({ db }, numbers) =>
    db.rows(sql`
      select distinct p.number, l.mda from payment_reference p join assessment_line l on l.assessment = p.assessment
      where p.number = any(${numbers}) order by p.number, l.mda`),
);

/** A reference for a payment point, and the facts that decide on a payment. */
export interface Payable extends Reference {
  /** True if its assessment is still to be paid. */
  readonly owed: boolean;
  readonly citizen: string;
  readonly mdas: readonly string[];
  readonly countries: readonly string[];
}

/** The reference of a number for a payment point. */
export async function findPayable({ db }: Call, typed: string): Promise<Payable | null> {
  const number = readNumber(typed);
  if (number === null) return null;
  const found = await db.row<Omit<Payable, 'owed'> & { readonly assessmentStatus: AssessmentStatus }>(sql`
    select ${columns}, a.status as "assessmentStatus", a.citizen, o.mdas, o.countries
    from payment_reference r join assessment a on a.name = r.assessment cross join lateral (
      select array_agg(distinct l.mda) as mdas, array_agg(distinct m.country) as countries
      from assessment_line l join mda m on m.name = l.mda where l.assessment = r.assessment) o
    where r.number = ${number}`);
  if (!found) return null;
  const { assessmentStatus, ...reference } = found;
  const status = reference.status === 'Issued' ? STATUS_BY_ASSESSMENT[assessmentStatus] : reference.status;
  return { ...reference, status, owed: assessmentStatus === 'Assessed' };
}

/** State at a payment point of a reference that is stored as Issued, by its assessment. */
const STATUS_BY_ASSESSMENT = {
  Draft: 'Issued',
  Assessed: 'Issued',
  Paid: 'Paid',
  Cancelled: 'Withdrawn',
} as const satisfies Record<AssessmentStatus, PaymentReferenceStatus>;
