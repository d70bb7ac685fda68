import { whereSupervised, whereVisible } from '../../platform/access/owned.ts';
import { covers } from '../../platform/access/grants.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type PageArgs, ifGiven, newestFirst, whereNotAfter, readPage } from '../../platform/change/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { CounterShift } from '../../generated/prisma/client.ts';
import type { ShiftStatus, VarianceStatus } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';

export type Shift = CounterShift;

const columns = columnsOf('CounterShift');

export interface ShiftFilter {
  readonly clerk?: string | null | undefined;
  readonly mda?: string | null | undefined;
  readonly status?: ShiftStatus | null | undefined;
  readonly varianceStatus?: VarianceStatus | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/** The shifts that the caller may see, newest first. */
export function listShifts(call: Call, filter: ShiftFilter, page: PageArgs): Promise<Shift[]> {
  return listWhere(call, [whereVisible(call.viewer)], filter, page);
}

/** The shifts that the caller reviews: of the agencies that they supervise, those with a variance. */
export function listReviews(call: Call, filter: ShiftFilter, page: PageArgs): Promise<Shift[]> {
  return listWhere(
    call,
    [whereSupervisedByCaller(call), filter.varianceStatus == null ? sql`r.variance_status is not null` : null],
    filter,
    page,
  );
}

/** The shifts that are Open now at the agencies that the caller supervises. */
export function listOpen(call: Call, page: PageArgs): Promise<Shift[]> {
  return listWhere(call, [whereSupervisedByCaller(call)], { status: 'Open' }, page);
}

function whereSupervisedByCaller({ viewer }: Call): Sql {
  return whereSupervised(viewer, sql`r.mda`);
}

function listWhere(call: Call, where: readonly (Sql | null)[], filter: ShiftFilter, page: PageArgs): Promise<Shift[]> {
  return readPage<Shift>(
    call,
    {
      select: sql`select ${columns} from counter_shift r`,
      table: 'counter_shift',
      ...newestFirst,
      where: [...where],
      filters: [
        ifGiven(filter.clerk, (clerk) => sql`r.clerk = ${clerk}`),
        ifGiven(filter.mda, (mda) => sql`r.mda = ${mda}`),
        ifGiven(filter.status, (status) => sql`r.status = ${status}::shift_status`),
        ifGiven(filter.varianceStatus, (status) => sql`r.variance_status = ${status}::variance_status`),
        ifGiven(filter.from, (moment) => sql`r.opened_at >= ${moment}`),
        ifGiven(filter.to, (moment) => whereNotAfter(sql`r.opened_at`, moment)),
      ],
    },
    page,
  );
}

async function findOne({ db }: Call, condition: Sql): Promise<Shift | null> {
  return db.row<Shift>(sql`select ${columns} from counter_shift r where ${condition}`);
}

/** A shift that the caller may see. */
export async function getShift(call: Call, name: string): Promise<Shift> {
  return requireShift(
    isDocname('shift', name) ? await findOne(call, sql`r.name = ${name} and ${whereVisible(call.viewer)}`) : null,
  );
}

/** A shift of an agency that the caller supervises. */
export async function reviewShift(call: Call, name: string): Promise<Shift> {
  return requireShift(
    isDocname('shift', name) ? await findOne(call, sql`r.name = ${name} and ${whereSupervisedByCaller(call)}`) : null,
  );
}

function requireShift(shift: Shift | null): Shift {
  if (!shift) throw new Refusal('not_found', 'The shift does not exist');
  return shift;
}

/** The caller's own Open shift at an agency, or null. */
export function findActiveShift(call: Call, mda: string): Promise<Shift | null> {
  return findOne(call, sql`r.mda = ${mda} and r.clerk = ${call.viewer.actor} and r.status = 'Open'`);
}

/** Whether a shift's expected cash is kept from a viewer until it is counted. */
export function isBlind({ config, viewer }: Call, { status, mda }: Pick<Shift, 'status' | 'mda'>): boolean {
  return config.blindCount && status === 'Open' && !covers(viewer.supervises, mda);
}
