import { BY_AGENCY, whereSupervised, whereVisible, whereWithin } from '../../platform/access/owned.ts';
import { covers } from '../../platform/access/grants.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, raw, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven, whereNotAfter } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import type { CounterShift } from '../../generated/prisma/client.ts';
import type { ShiftStatus, VarianceStatus } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

export type Shift = CounterShift;

const columns = columnsOf('CounterShift');

export interface ShiftFilter {
  readonly clerk?: string | null | undefined;
  readonly agency?: string | null | undefined;
  readonly status?: ShiftStatus | null | undefined;
  readonly varianceStatus?: VarianceStatus | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  readonly orderBy?: ShiftOrder | null | undefined;
}

/** Orders of a list of shifts; by variance where every row has one. */
export type ShiftOrder = 'created_desc' | 'created_asc';
export type ReviewOrder = ShiftOrder | 'variance_asc' | 'variance_desc';

const ORDERS: Readonly<Record<ReviewOrder, Pick<Listing, 'order' | 'direction'>>> = {
  created_desc: newestFirst,
  created_asc: { ...newestFirst, direction: 'asc' },
  variance_asc: { order: ['variance', 'name'], direction: 'asc' },
  variance_desc: { order: ['variance', 'name'], direction: 'desc' },
};

/** The shifts that the caller may see, newest first unless asked otherwise. */
export function listShifts(call: Call, filter: ShiftFilter, page: PageArgs): Promise<Page<Shift>> {
  return readPage(call, listing([whereVisible(call.viewer, BY_AGENCY)], filter), page);
}

/** The shifts that the caller reviews: of the agencies that they supervise, those with a variance. */
export function listReviews(
  call: Call,
  filter: Omit<ShiftFilter, 'orderBy'> & { readonly orderBy?: ReviewOrder | null | undefined },
  page: PageArgs,
): Promise<Page<Shift>> {
  const { orderBy, ...rest } = filter;
  const reviewed = listing(
    [whereSupervisedByCaller(call), filter.varianceStatus == null ? sql`r.variance_status is not null` : null],
    rest,
  );
  return readPage(call, { ...reviewed, ...ORDERS[orderBy ?? 'created_desc'] }, page);
}

/** The shifts that are Open now at the agencies that the caller supervises. */
export function listOpen(call: Call, page: PageArgs): Promise<Page<Shift>> {
  return readPage(call, listing([whereSupervisedByCaller(call)], { status: 'Open' }), page);
}

/** The shifts of an agency that the caller supervises, or those of a clerk that the caller may see. */
export function listShiftsOf(
  call: Call,
  of: 'mda' | 'clerk',
  key: string,
  filter: ShiftFilter,
  page: PageArgs,
): Promise<Page<Shift>> {
  const seen = of === 'mda' ? whereSupervisedByCaller(call) : whereSeen(call);
  return readPageOf(call, listing([seen], filter), raw(`r.${of}`), key, page);
}

function whereSupervisedByCaller({ viewer }: Call): Sql {
  return whereSupervised(viewer, sql`r.mda`);
}

/** The condition under which the caller sees a shift of `r`, or what belongs to it: as its clerk, or as who supervises. */
export function whereSeen(call: Call): Sql {
  return sql`(${whereVisible(call.viewer, BY_AGENCY)} or ${whereSupervisedByCaller(call)})`;
}

function listing(where: readonly (Sql | null)[], filter: ShiftFilter): Listing {
  return {
    select: sql`select ${columns} from counter_shift r`,
    table: 'counter_shift',
    ...ORDERS[filter.orderBy ?? 'created_desc'],
    where,
    filters: [
      ifGiven(filter.clerk, (clerk) => sql`r.clerk = ${clerk}`),
      ifGiven(filter.agency, (mda) => sql`r.mda = ${mda}`),
      ifGiven(filter.status, (status) => sql`r.status = ${status}::shift_status`),
      ifGiven(filter.varianceStatus, (status) => sql`r.variance_status = ${status}::variance_status`),
      ifGiven(filter.from, (moment) => sql`r.opened_at >= ${moment}`),
      ifGiven(filter.to, (moment) => whereNotAfter(sql`r.opened_at`, moment)),
    ],
  };
}

/** Shifts by docname, as their clerk or supervisors see them. */
export const shiftLoader = loadByName<Shift>((call, names) =>
  call.db.rows(sql`select ${columns} from counter_shift r where r.name = any(${names}) and ${whereSeen(call)}`),
);

async function findOne({ db }: Call, condition: Sql): Promise<Shift | null> {
  return db.row<Shift>(sql`select ${columns} from counter_shift r where ${condition}`);
}

/** A shift that the caller may see. */
export async function getShift(call: Call, name: string): Promise<Shift> {
  return requireShift(
    isDocname('shift', name)
      ? await findOne(call, sql`r.name = ${name} and ${whereVisible(call.viewer, BY_AGENCY)}`)
      : null,
  );
}

/** A shift of an agency that the caller supervises. */
export async function reviewShift(call: Call, name: string): Promise<Shift> {
  return requireShift(
    isDocname('shift', name) ? await findOne(call, sql`r.name = ${name} and ${whereSupervisedByCaller(call)}`) : null,
  );
}

function requireShift(shift: Shift | null): Shift {
  if (!shift) throw new Refusal('not_found', say`The shift does not exist`);
  return shift;
}

/** The caller's own Open shift at an agency, or null. */
export function findActiveShift(call: Call, mda: string): Promise<Shift | null> {
  const own = sql`r.clerk = ${call.viewer.actor} and ${whereWithin(call.viewer, BY_AGENCY)}`;
  return findOne(call, sql`r.mda = ${mda} and ${own} and r.status = 'Open'`);
}

/** True if a shift's expected cash is hidden from a viewer until it is counted. */
export function isBlind({ config, viewer }: Call, { status, mda }: Pick<Shift, 'status' | 'mda'>): boolean {
  return config.blindCount && status === 'Open' && !covers(viewer.supervises, mda);
}
