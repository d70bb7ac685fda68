import type { MaterializedView } from '../../platform/analytics/fact.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { FEWEST_PEOPLE } from '../common/small-cells.ts';
import { suppressDown, suppressSmallCells } from '../common/suppression.ts';

/** Outcomes of attempts, in the finest parts in which they may be disclosed. */
export const ATTEMPTS_DISCLOSED: MaterializedView = {
  name: 'attempt_disclosed',
  of: 'attempt',
  select: (facts) => sql`
    with ${suppressDown({ apart: ['month', 'status'], tree: ['channel', 'mda', 'cause'] }, facts)}
    select month, status, channel, mda, cause, disclosed, count(*)::int as attempts from facts_disclosed group by all`,
};

/** Assessments, in the same way. */
export const ASSESSED_DISCLOSED: MaterializedView = {
  name: 'assessed_disclosed',
  of: 'assessed',
  select: (facts) => sql`
    with ${suppressDown({ apart: ['month', 'currency', 'status'], tree: ['mda', 'service'] }, facts)}
    select month, currency, status, mda, service, disclosed,
      count(*)::int as lines, (count(*) filter (where leads))::int as assessments, sum(amount) as amount
    from facts_disclosed group by all`,
};

/** Time to payment of each paid one; whether it leads changes nothing about who is in which part. */
export const PAID_DISCLOSED: MaterializedView = {
  name: 'paid_disclosed',
  of: 'assessed',
  select: (facts) => sql`
    with ${suppressDown({ apart: ['month', 'currency'], tree: ['mda', 'channel', 'service'] }, sql`select * from (${facts}) where milliseconds is not null`)}
    select month, currency, mda, channel, service, leads, milliseconds, disclosed from facts_disclosed`,
};

/** The parts that what awaits payment is disclosed in: an age is of all that is due, or was made, in the same month. */
export const UNPAID_PARTING = { apart: ['month', 'currency'], tree: ['mda', 'since'] };
/** The month from which the age of a debt is counted. */
export const SINCE = sql`coalesce(due, month)`;

/**
 * The debt of each unpaid assessment to each agency. At least a few people share all that a row shows: debts of one month
 * and age, taken from the largest on, as many people at a time, show the smallest taken together, to two digits.
 */
export const DEBTS_DISCLOSED: MaterializedView = {
  name: 'debt_disclosed',
  of: 'assessed',
  select: (facts) => sql`
    with ${suppressSmallCells(UNPAID_PARTING, 2, sql`select *, ${SINCE} as since from (${facts}) where status = 'Assessed'`)}, owed as (
      select name, person, mda, currency, month, since, sum(amount) as amount from facts_disclosed
      where disclosed group by name, person, mda, currency, month, since
    ), placed as (
      select *, row_number() over (partition by mda, currency, month, since, person order by amount desc, name) = 1 as leads from owed
    ), counted as (
      select *, sum(leads::int) over (part order by amount desc, name) as place, sum(leads::int) over part as people
      from placed window part as (partition by mda, currency, month, since)
    )
    select name, mda, currency, month, since, (least - least % (10 ** greatest(length(least::varchar) - 2, 0))::bigint)::decimal(18, 3) as amount
    from (select *, floor(min(amount) over (
      partition by mda, currency, month, since, least((place - 1) // ${FEWEST_PEOPLE}, people // ${FEWEST_PEOPLE} - 1)))::bigint as least from counted)`,
};

const clerks = (condition: string) =>
  sql`count(distinct case when ${raw(condition)} then person end) over (partition by month, currency, mda, later)`;

/**
 * Closed shifts, each of a clerk: with how many clerks of its part had a shortage or a surplus. Nobody is counted in what
 * is not disclosed yet: it is a part of its own (`later`), which is never of enough people.
 */
export const SHIFTS_DISCLOSED: MaterializedView = {
  name: 'shift_disclosed',
  of: 'shift',
  select: (facts) => sql`
    with ${suppressDown(
      { apart: ['month', 'currency', 'later'], tree: ['mda', 'counter'] },
      sql`select *, ${clerks('variance < 0')} as short, ${clerks('variance > 0')} as over from (
        select * exclude (waiting) replace (case when waiting is null then person end as person), waiting is not null as later
        from (${facts}))`,
    )}
    from facts_disclosed`,
};

/** Number of people who paid an agency in a month, and of those who did for the first time. */
export const PAYERS_COUNTED: MaterializedView = {
  name: 'payer_counted',
  of: 'payer',
  onwards: true,
  select: (facts) => sql`
    with paid as (select distinct month, mda, person from (${facts})),
      known as (select mda, person, min(month) as first from payer where (mda, person) in (select mda, person from paid) group by all)
    select month, mda, count(*)::int as payers, (count(*) filter (where first = month))::int as newcomers
    from paid join known using (mda, person) group by all`,
};
