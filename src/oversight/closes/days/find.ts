import { BY_AGENCY, whereWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { raw, sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../../platform/reading/page.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { AGENCY_CODE } from '../../../kernel/text/identifiers.ts';
import { say } from '../../../kernel/text/said.ts';
import { formatDay } from '../../../kernel/time.ts';

export type AgencyDay = Stored<'AgencyDay'>;

/** The code of an agency, a dot, and a day: no code has a dot. */
export const DAY_NAME = new RegExp(`${AGENCY_CODE.source.slice(0, -1)}\\.\\d{4}-\\d{2}-\\d{2}$`);

interface DayFilter {
  readonly agency?: string | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  readonly confirmed?: boolean | null | undefined;
}

const select = sql`select ${columnsOf('AgencyDay')} from agency_day r`;

function listing({ viewer }: Call, { agency, fromDate, toDate, confirmed }: DayFilter): Listing {
  return {
    select,
    table: 'agency_day',
    ...newestFirst,
    where: [whereWithin(viewer, BY_AGENCY)],
    filters: [
      ifGiven(agency, (mda) => sql`r.mda = ${mda}`),
      ifGiven(fromDate, (day) => sql`r.day >= ${formatDay(day)}::date`),
      ifGiven(toDate, (day) => sql`r.day <= ${formatDay(day)}::date`),
      ifGiven(confirmed, (is) => sql`(r.confirmed_at is not null) = ${is}`),
    ],
  };
}

/** The closed days that the caller may see, newest first. */
export function listDays(call: Call, filter: DayFilter, page: PageArgs): Promise<Page<AgencyDay>> {
  return readPage(call, listing(call, filter), page);
}

/** Those of one agency. */
export function listDaysOf(call: Call, mda: string, filter: DayFilter, page: PageArgs): Promise<Page<AgencyDay>> {
  return readPageOf(call, listing(call, filter), raw('r.mda'), mda, page);
}

/** The closed days that the caller may see, by docname. */
export const dayLoader = loadByName<AgencyDay>(({ db, viewer }, names) =>
  db.rows(sql`${select} where r.name = any(${names}) and ${whereWithin(viewer, BY_AGENCY)}`),
);

/** One of the closed days that the caller may see. */
export async function getDay(call: Call, name: string): Promise<AgencyDay> {
  const day = DAY_NAME.test(name) ? await dayLoader.load(call, name) : null;
  if (!day) throw new Refusal('not_found', say`The day is not closed, or not there`);
  return day;
}

/** A day as messages to its agency and to operators have it. */
export function snapshotDay({ name, mda, day, payload, signature, kid, head, createdAt }: AgencyDay) {
  return {
    name,
    mda,
    day: formatDay(day),
    payload,
    signature,
    kid,
    head,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
