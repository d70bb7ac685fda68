import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { momentIn } from '../../../kernel/time.ts';
import { type DayContents, type OverDay, readContents } from './contents.ts';

/** Time after its end at which a day is closed, by the clock of its agency. */
const REST = '2 hours';
/** Days that are closed together, while they have so many events. */
const MOST_DAYS = 100;
const MOST_EVENTS = 20_000;

interface Over {
  readonly days: readonly OverDay[];
  /** The last that was closed before them; null where none was. */
  readonly last: DayContents | null;
}

/** The days after the last that was closed, or from that of the first event on, which are over: as many as are closed together. */
export async function findOver({ db, now }: Call, mda: string): Promise<Over> {
  const rows = await db.rows<{ day: string; zone: string; next: string; payload: string | null }>(sql`
    select d.day::text as day, (d.day + 1)::text as next, z.time_zone as zone, l.payload
    from agency_calendar z
    left join lateral (select day, payload from agency_day where mda = z.mda order by day desc limit 1) l on true
    cross join lateral (
      select coalesce(l.day + 1,
        (select (min(e.occurred_at) at time zone z.time_zone)::date from payment_event e where e.mda = z.mda)) as day) f
    left join lateral (
      select e.occurred_at from payment_event e where e.mda = z.mda and e.occurred_at >= f.day::timestamp at time zone z.time_zone
      order by e.occurred_at offset ${MOST_EVENTS} limit 1) m on true
    cross join lateral (select f.day + n as day, n from generate_series(0, ${MOST_DAYS - 1}) n) d
    where z.mda = ${mda} and ((d.day + 1)::timestamp + ${REST}::interval) at time zone z.time_zone <= ${now()}
      and (d.n = 0 or (d.day + 1)::timestamp at time zone z.time_zone <= coalesce(m.occurred_at, 'infinity'))
    order by d.day`);
  const payload = rows[0]?.payload;
  const last = payload ? readContents(payload) : null;
  // Each moment is in one day, also where the agency's clock was set to another time zone.
  let from = last?.to;
  const days = rows.map(({ day, next, zone }) => {
    from ??= momentIn(`${day}T00:00:00`, zone).toISOString();
    const over = { mda, day, from, to: momentIn(`${next}T00:00:00`, zone).toISOString() };
    from = over.to;
    return over;
  });
  return { days, last };
}

/** True for an event `e` of the agency that occurred on one of some days. */
export const isIn = (days: readonly OverDay[]): Sql =>
  sql`e.mda = ${days[0]!.mda} and e.occurred_at >= ${days[0]!.from}::timestamptz and e.occurred_at < ${days.at(-1)!.to}::timestamptz`;

/** The place among these days of that on which such an event occurred. */
export const nthOf = (days: readonly OverDay[]): Sql =>
  sql`width_bucket(e.occurred_at, ${days.map(({ from }) => from)}::timestamptz[]) - 1`;
