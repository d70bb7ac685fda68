import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';

/** From this hour on, by the clock of the rail, mail of a day is sent. */
const FROM_HOUR = 6;

/** The clock of the rail: that of its first agency, which its pages show. */
const CLOCK = sql`coalesce((select time_zone from agency_calendar order by mda collate "C" limit 1), 'UTC')`;

/** The day that it is by the clock of the rail. */
export function localDay({ now }: Pick<Call, 'now'>): Sql {
  return sql`(${now()}::timestamptz at time zone ${CLOCK})::date`;
}

/** That a view `v` is due to its recipient `m`: its day, week or month has begun since they got it, and so has the morning. */
export function isDue(call: Pick<Call, 'now'>): Sql {
  return sql`
    date_trunc(v.every, ${localDay(call)}::timestamp)::date > m.sent_on
    and extract(hour from ${call.now()}::timestamptz at time zone ${CLOCK}) >= ${FROM_HOUR}`;
}
