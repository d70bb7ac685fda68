import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import type { Tries } from './health.ts';

/** Days that the status of the service goes back, including today. */
export const STATUS_DAYS = 90;

/** Results of a channel on a day. */
export interface ChannelDay extends Tries {
  readonly channel: Channel;
  /** `YYYY-MM-DD`, a UTC day. */
  readonly day: string;
}

/**
 * The payers who were asked on the days of a span: those who may still answer are left out. A provider that could not
 * be reached at first has not answered, even if it does later.
 */
const countDays = ({ now }: Call, from: Sql, to: Sql) => sql`
  select (created_at at time zone 'utc')::date as day, channel, count(*)::int as asked,
    (count(*) filter (where initiated_at < created_at + interval '1 hour' and status in ('Confirmed', 'Failed')))::int as answered
  from payment_intent
  where created_at >= ${from}::date::timestamp at time zone 'utc' and created_at < ${to}::date::timestamp at time zone 'utc'
    and channel <> 'cash' and aggregator_reference is not null
    and (status in ('Confirmed', 'Failed', 'Expired') or expires_at <= ${now()}
      or initiated_at is null and created_at < ${now()}::timestamptz - interval '5 minutes')
  group by 1, 2`;

/** The first day of the status, and the first after those that are summed up. */
function spanOf(call: Call): { first: string; unsummed: Sql } {
  const first = formatDay(new Date(dayOf(call.now()).getTime() - (STATUS_DAYS - 1) * DAY_MS));
  return { first, unsummed: sql`greatest(${first}::date, (select max(day) + 1 from channel_day))` };
}

/** Results of channels, from sums for days that have them. */
export function readChannelDays(call: Call): Promise<ChannelDay[]> {
  const { first, unsummed } = spanOf(call);
  const tomorrow = formatDay(new Date(dayOf(call.now()).getTime() + DAY_MS));
  return call.db.rows<ChannelDay>(sql`
    select d.day::text as day, d.channel, d.asked as tries, d.answered as well from (
      select day, channel, asked, answered from channel_day where day >= ${first}::date
      union all (${countDays(call, unsummed, sql`${tomorrow}`)})
    ) d order by d.day`);
}

/** Sums up the days on which nothing can change any more; how many sums there were. */
export async function sumChannelDays(call: Call): Promise<number> {
  const open = Math.ceil((call.config.intentTtlHours * 3_600_000) / DAY_MS) + 1;
  const end = formatDay(new Date(dayOf(call.now()).getTime() - open * DAY_MS));
  const summed = await call.db.rows(sql`
    insert into channel_day (day, channel, asked, answered) ${countDays(call, spanOf(call).unsummed, sql`${end}`)}
    -- Another process summed up the day.
    on conflict do nothing returning 1`);
  return summed.length;
}
