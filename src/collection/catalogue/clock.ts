import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';

/** From this hour on, by the clock that counts, mail of a day is sent. */
const FROM_HOUR = 6;

/** The clock of the rail: that of its first agency, which its pages show. */
export const CLOCK = sql`coalesce((select time_zone from agency_calendar order by mda collate "C" limit 1), 'UTC')`;

/** The clock of the first of some agencies, an array of their codes; that of the rail where there are none. */
export function clockOf(agencies: Sql): Sql {
  return sql`coalesce((
    select time_zone from agency_calendar where mda = any(${agencies}) order by mda collate "C" limit 1), ${CLOCK})`;
}

/** Local time of a clock: a timestamp without a time zone. */
export function localTime({ now }: Pick<Call, 'now'>, clock: Sql): Sql {
  return sql`(${now()}::timestamptz at time zone ${clock})`;
}

/** The day that it is by a clock; by that of the rail where none is named. */
export function localDay(call: Pick<Call, 'now'>, clock = CLOCK): Sql {
  return sql`${localTime(call, clock)}::date`;
}

/** True once the morning has begun by a clock. */
export function isMorning(call: Pick<Call, 'now'>, clock = CLOCK): Sql {
  return sql`extract(hour from ${localTime(call, clock)}) >= ${FROM_HOUR}`;
}
