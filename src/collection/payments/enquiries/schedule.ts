import { type Sql, sql } from '../../../platform/database/sql.ts';

/** Delay of the first enquiry after a collection was requested, and longest interval between two. */
const FIRST_SECONDS = 5;
const MOST_SECONDS = 600;

/** Time for which an intent is asked about after its end, and after a claim of payment: money may arrive late. */
const LATE_HOURS = 24;

/**
 * Has the aggregators of intents asked about what somebody says that they have: for the first time after so many
 * seconds, then at the usual intervals, for a day. Not of what is confirmed already, or never went out.
 */
export function pursueClaims(intents: readonly string[], at: Date, afterSeconds = FIRST_SECONDS): Sql {
  return sql`
    update payment_intent i set enquire_at = ${at}::timestamptz + ${afterSeconds} * interval '1 second', enquiries = 0,
      enquire_until = ${at}::timestamptz + ${LATE_HOURS} * interval '1 hour'
    where i.name in (
      select name from payment_intent where name = any(${[...intents]}) and status <> 'Confirmed'
        and aggregator_reference is not null
      order by name for no key update)`;
}

/** Until when the aggregator of an intent `i` is asked, however it answers: of one that failed, only about claims. */
export const lastEnquiry = sql`case when i.status = 'Failed' then i.enquire_until
  else greatest(i.expires_at + ${LATE_HOURS} * interval '1 hour', i.enquire_until) end`;

/** Time of the next enquiry after so many: after 5 s, then at doubling intervals up to 10 min, or as long as given. */
export function timeNextEnquiry(enquiries: Sql, at: Date, mostSeconds = sql`${MOST_SECONDS}::int`): Sql {
  return sql`${at}::timestamptz + least(${FIRST_SECONDS}::int * 2 ^ least(${enquiries}, 30), ${mostSeconds}) * interval '1 second'`;
}
