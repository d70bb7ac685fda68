import { type Wall, whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { loadByName, loadByOwner } from '../../platform/reading/batch.ts';
import { type Money, ifGiven, whereNotAfter, whereOfAmount } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { columnsOf, fromJson, jsonOf } from '../../platform/database/record.ts';
import { type Sql, raw, sql } from '../../platform/database/sql.ts';
import type { Assessment as AssessmentRecord, AssessmentLine } from '../../generated/prisma/client.ts';
import type { AssessmentStatus } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { HOUR_MS, formatDay } from '../../kernel/time.ts';
import { whereMetadata } from './labels.ts';

export type Assessment = AssessmentRecord & { readonly lines: AssessmentLine[] };

const columns = columnsOf('Assessment');

/** An assessment belongs to the agencies that its lines are owed to. */
const WITH_A_LINE: Wall = (agencies) =>
  sql`exists (select from assessment_line w where w.assessment = r.name and w.mda = any(${agencies}))`;

/** The records of an assessment, which `r.assessment` names, belong to the same agencies. */
export const OF_ITS_AGENCIES: Wall = (agencies) =>
  sql`exists (select from assessment_line w where w.assessment = r.assessment and w.mda = any(${agencies}))`;

/** The lines of `r` as one JSON value. */
const lines = sql`(
  select jsonb_agg(${jsonOf('AssessmentLine', 'l')} order by l.idx) from assessment_line l
  where l.assessment = r.name) as lines`;

export interface AssessmentFilter {
  readonly citizen?: string | null | undefined;
  readonly status?: AssessmentStatus | null | undefined;
  readonly shift?: string | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  readonly dueFromDate?: Date | null | undefined;
  readonly dueToDate?: Date | null | undefined;
  /** Assessed, and past its due day. */
  readonly overdue?: boolean | null | undefined;
  /** With this amount, in one currency or any. */
  readonly of?: Money | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  readonly minAmount?: Decimal | null | undefined;
  readonly maxAmount?: Decimal | null | undefined;
  /** Reference of it, of one of its payments, or of the aggregator's collection, given by anybody. */
  readonly reference?: string | null | undefined;
  /** Reference that its account gave it. */
  readonly ownReference?: string | null | undefined;
  /** Metadata that it has all of. */
  readonly metadata?: unknown;
  readonly orderBy?: AssessmentOrder | null | undefined;
}

export type AssessmentOrder = 'created_desc' | 'created_asc' | 'amount_desc' | 'amount_asc';

const ORDERS: Readonly<Record<AssessmentOrder, Pick<Listing, 'order' | 'direction'>>> = {
  created_desc: newestFirst,
  created_asc: { ...newestFirst, direction: 'asc' },
  amount_desc: { order: ['total_amount', 'name'], direction: 'desc' },
  amount_asc: { order: ['total_amount', 'name'], direction: 'asc' },
};

/** The conditions of a state, with the times by which indexes hold those of it that are few. */
const IN_STATE: Readonly<Record<AssessmentStatus, Sql>> = {
  Draft: sql`r.status = 'Draft' and r.assessed_at is null and r.cancelled_at is null`,
  Assessed: sql`r.status = 'Assessed'`,
  Paid: sql`r.status = 'Paid'`,
  // A check of the table says that these are one.
  Cancelled: sql`r.cancelled_at is not null`,
};

/** Hours by which the day is ahead of UTC where it begins first. */
const FIRST_HOURS = 14;

/** The condition that the due day of `r` is over by the clock of the agency of its first line. */
export function isPastDue(at: Date): Sql {
  // An index finds those that are past it somewhere.
  return sql`r.due_on < ${formatDay(new Date(at.getTime() + FIRST_HOURS * HOUR_MS))}::date and r.due_on < (
    select (${at}::timestamptz at time zone z.time_zone)::date from assessment_line l join agency_calendar z on z.mda = l.mda
    where l.assessment = r.name order by l.idx limit 1)`;
}

function listing(call: Call, filter: AssessmentFilter): Listing {
  const overdue = sql`(r.status = 'Assessed' and ${isPastDue(call.now())})`;
  return {
    select: sql`select ${columns} from assessment r`,
    table: 'assessment',
    amount: 'total_amount',
    ...ORDERS[filter.orderBy ?? 'created_desc'],
    where: [whereVisible(call.viewer, WITH_A_LINE)],
    filters: [
      ifGiven(filter.citizen, (citizen) => sql`r.citizen = ${citizen}`),
      ifGiven(filter.status, (status) => IN_STATE[status]),
      ifGiven(filter.shift, (shift) => sql`r.shift = ${shift}`),
      ifGiven(filter.of, (money) => whereOfAmount('assessment', 'total_amount', money)),
      ifGiven(filter.fromDate, (day) => sql`r.created_at >= ${day}`),
      // A day includes its end.
      ifGiven(filter.toDate, (day) => sql`r.created_at < ${day}::timestamptz + interval '1 day'`),
      ifGiven(filter.dueFromDate, (day) => sql`r.due_on >= ${formatDay(day)}::date`),
      ifGiven(filter.dueToDate, (day) => sql`r.due_on <= ${formatDay(day)}::date`),
      ifGiven(filter.overdue, (is) => (is ? overdue : sql`${overdue} is not true`)),
      ifGiven(filter.from, (moment) => sql`r.created_at >= ${moment}`),
      ifGiven(filter.to, (moment) => whereNotAfter(sql`r.created_at`, moment)),
      ifGiven(filter.minAmount, (amount) => sql`r.total_amount >= ${amount}`),
      ifGiven(filter.maxAmount, (amount) => sql`r.total_amount <= ${amount}`),
      ifGiven(
        filter.reference,
        (reference) => sql`r.name in (
          select ${reference}
          union all select name from assessment where reference = ${reference}
          union all select assessment from payment_intent
            where name = ${reference} or aggregator_reference = ${reference} or reference = ${reference}
          union all select assessment from payment_event where txn_id = ${reference})`,
      ),
      ifGiven(filter.ownReference, (reference) => sql`r.reference = ${reference}`),
      ifGiven(filter.metadata, (metadata) => whereMetadata(call.viewer, metadata)),
    ],
  };
}

/** The caller's assessments, newest first unless asked otherwise, without their lines. */
export function listAssessments(call: Call, filter: AssessmentFilter, page: PageArgs): Promise<Page<AssessmentRecord>> {
  return readPage(call, listing(call, filter), page);
}

/** The caller's assessments of one citizen or shift. */
export function listAssessmentsOf(
  call: Call,
  of: 'citizen' | 'shift',
  name: string,
  filter: AssessmentFilter,
  page: PageArgs,
): Promise<Page<AssessmentRecord>> {
  return readPageOf(call, listing(call, filter), raw(`r.${of}`), name, page);
}

/** The caller's assessments by docname, without their lines. */
export const assessmentLoader = loadByName<AssessmentRecord>(({ db, viewer }, names) =>
  db.rows(
    sql`select ${columns} from assessment r where r.name = any(${names}) and ${whereVisible(viewer, WITH_A_LINE)}`,
  ),
);

/** The lines of an assessment, in order. */
export const readLinesOf = loadByOwner<AssessmentLine>(
  ({ assessment }) => assessment,
  ({ db }, names) =>
    db.rows(sql`
      select ${columnsOf('AssessmentLine', { as: 'l' })} from assessment_line l where l.assessment = any(${names})
      order by l.assessment, l.idx`),
);

/** The caller's assessments that replace one, in the order in which they are due. */
export const readReplacing = loadByOwner<AssessmentRecord>(
  ({ replaces }) => replaces!,
  ({ db, viewer }, names) =>
    db.rows(sql`
      select ${columns} from assessment r where r.replaces = any(${names}) and ${whereVisible(viewer, WITH_A_LINE)}
      order by r.replaces, r.due_on, r.name`),
);

/** One of the caller's assessments with its lines, or null. */
export async function findAssessment(call: Call, name: string): Promise<Assessment | null> {
  if (!isDocname('assessment', name)) return null;
  const row = await call.db.row<Whole>(sql`
    select ${columns}, ${lines} from assessment r where r.name = ${name} and ${whereVisible(call.viewer, WITH_A_LINE)}`);
  return row && withLines(row);
}

/** Those of the caller's assessments that have these names, each with its lines, by its name. */
export async function findAssessments(call: Call, names: readonly string[]): Promise<Map<string, Assessment>> {
  const rows = await call.db.rows<Whole>(sql`
    select ${columns}, ${lines} from assessment r where r.name = any(${[...names]}) and ${whereVisible(call.viewer, WITH_A_LINE)}`);
  return new Map(rows.map((row) => [row.name, withLines(row)]));
}

/** An assessment as it is read with its lines. */
type Whole = AssessmentRecord & { readonly lines: readonly object[] };

function withLines(row: Whole): Assessment {
  return { ...row, lines: row.lines.map((line) => fromJson('AssessmentLine', line)) };
}

/** Facts of an assessment for a receipt that it does not have itself. */
export interface Payer {
  readonly payerName: string;
  /** The clock of the agency that is owed the most, in minutes ahead of UTC. */
  readonly utcOffset: number;
}

/** An assessment that is about to be paid, with its payer, by one statement. */
export async function getWithPayer(call: Call, name: string, at: Date): Promise<Assessment & Payer> {
  const row = await call.db.row<Whole & Payer>(sql`
    select ${columns}, ${lines}, c.full_name as "payerName", (
        select (extract(epoch from (${at}::timestamptz at time zone z.time_zone)
          - (${at}::timestamptz at time zone 'UTC')) / 60)::int
        from assessment_line l join agency_calendar z on z.mda = l.mda where l.assessment = r.name
        group by l.mda, z.time_zone order by sum(l.amount) desc, l.mda limit 1) as "utcOffset"
    from assessment r join citizen c on c.name = r.citizen
    where r.name = ${name} and ${whereVisible(call.viewer, WITH_A_LINE)}`);
  if (!row) throw new Refusal('not_found', say`The assessment does not exist`);
  return { ...row, lines: row.lines.map((line) => fromJson('AssessmentLine', line)) };
}

export async function getAssessment(call: Call, name: string): Promise<Assessment> {
  const assessment = await findAssessment(call, name);
  if (!assessment) throw new Refusal('not_found', say`The assessment does not exist`);
  return assessment;
}
