import { type Sql, sql } from '../../../platform/database/sql.ts';

/**
 * How long after a collection was asked for its aggregator is asked first, and how long at most between two enquiries.
 */
const FIRST_SECONDS = 5;
const MOST_SECONDS = 600;

/**
 * Has the aggregators of intents enquired of at once, except for what is confirmed already, never went out, or is being
 * changed just now.
 */
export function scheduleAtOnce(intents: readonly string[], at: Date): Sql {
  return sql`
    update payment_intent i set enquire_at = ${at} where i.name in (
      select name from payment_intent where name = any(${[...intents]}) and status <> 'Confirmed'
        and aggregator_reference is not null
      order by name for no key update skip locked)`;
}

/** When to enquire next after so many enquiries: after 5 s, then at doubling intervals up to 10 min, or as long as said. */
export function timeNextEnquiry(enquiries: Sql, at: Date, mostSeconds = MOST_SECONDS): Sql {
  return sql`${at}::timestamptz + least(${FIRST_SECONDS}::int * 2 ^ least(${enquiries}, 30), ${mostSeconds}::int) * interval '1 second'`;
}
