import { coversAll } from '../../platform/access/grants.ts';
import type { AccessPurpose } from '../../platform/audit/citizen-access.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { nameByMoment } from '../../platform/reading/moment-names.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';

/** Record that somebody was shown a citizen. */
export type AccessEntry = Omit<Stored<'CitizenAccess'>, 'id'> & { readonly name: string };

export interface AccessFilter {
  readonly citizen?: string | null | undefined;
  readonly actor?: string | null | undefined;
  readonly purpose?: AccessPurpose | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

const names = nameByMoment('at', 'ACCESS-');

const entries = sql`(select ${names.column} as name, * from citizen_access)`;

const entrySelect = sql`select r.name, ${columnsOf('CitizenAccess', { without: ['id'] })} from ${entries} r`;

/** Form of an entry's name. */
export const ENTRY_NAME = names.pattern;

/** Views of citizens' data, newest first. */
export function listAccesses(call: Call, filter: AccessFilter, page: PageArgs): Promise<Page<AccessEntry>> {
  return readPage(
    call,
    {
      select: entrySelect,
      table: entries.text,
      named: names.isNamed,
      order: ['at', 'id'],
      direction: 'desc',
      where: [whereUnbound(call)],
      filters: [
        ifGiven(filter.citizen, (citizen) => sql`r.citizen = ${citizen}`),
        ifGiven(filter.actor, (actor) => sql`r.actor = ${actor}`),
        ifGiven(filter.purpose, (purpose) => sql`r.purpose = ${purpose}`),
        ifGiven(filter.fromDate, (day) => sql`r.at >= ${day}`),
        // A day includes its end.
        ifGiven(filter.toDate, (day) => sql`r.at < ${day}::timestamptz + interval '1 day'`),
      ],
    },
    page,
  );
}

/** The registry belongs to no agency: people who are bound to some do not see who reads it. */
function whereUnbound({ viewer }: Call): Sql {
  return coversAll(viewer.agencies) ? sql`true` : sql`false`;
}

/** Entries of the log by name. */
export const accessLoader = loadByName<AccessEntry>((call, asked) => {
  const parts = asked.map((name) => names.partsOf(name)).filter((each) => each !== null);
  const [times, ids] = [parts.map(({ at }) => at), parts.map(({ id }) => id)];
  return call.db.rows(sql`
    ${entrySelect} where (r.at, r.id) in (select * from unnest(${times}::timestamptz[], ${ids}::uuid[]))
      and ${whereUnbound(call)}`);
});
