import type { Call, Rail } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Span } from '../figures/span.ts';
import { tellOfMany } from './few.ts';
import { monthWithin } from './groups.ts';
import { type Recounted, recount, startRecounting } from './recount.ts';

/**
 * Common table expressions up to `counted`: the closed shifts of agencies and months (`mda` and `month` of the relation
 * `keys`), by currency and counter. Each with whether the counter is told of in the month, and how many clerks the
 * agency has in it.
 */
const COUNTED = sql`${tellOfMany(
  { apart: ['month', 'currency'], tree: ['mda', 'counter'] },
  2,
  sql`
    select c.month, c.currency, c.mda, c.counter, c.person, c.expected_cash, c.variance, c.variance_status
    from keys k cross join lateral (
      select * from oversight.closed_shift c
      where c.mda = k.mda and c.closed_at >= k.month::timestamp at time zone 'utc'
        and c.closed_at < (k.month + interval '1 month') at time zone 'utc' offset 0
    ) c`,
)}, each_at_counter as (
    select month, mda, currency, counter, person, bool_and(told) as told, count(*) as shifts,
      count(*) filter (where variance <> 0) as with_variance, sum(expected_cash) as expected_cash,
      sum(variance) as variance, sum(variance * variance) as variance_squared, min(variance) as lowest,
      max(variance) as highest, count(*) filter (where variance_status = 'Pending') as pending,
      count(*) filter (where variance_status = 'Approved') as approved,
      count(*) filter (where variance_status = 'Rejected') as rejected,
      count(*) filter (where variance_status = 'Escalated') as escalated,
      row_number() over at_agency = 1 as first, min(min(variance)) over at_agency as worst,
      max(max(variance)) over at_agency as best
    from facts_told group by month, mda, currency, counter, person
    window at_agency as (partition by month, mda, currency, person)
  ), counted as (
    select month, mda, currency, counter, sum(shifts)::int as shifts, sum(with_variance)::int as with_variance,
      sum(expected_cash) as expected_cash, sum(variance) as variance, sum(variance_squared) as variance_squared,
      min(lowest) as lowest, max(highest) as highest, sum(pending)::int as pending, sum(approved)::int as approved,
      sum(rejected)::int as rejected, sum(escalated)::int as escalated, bool_and(told) as told,
      coalesce(jsonb_object_agg(encode(person, 'hex'), with_variance) filter (where told and with_variance > 0), '{}')
        as by_person,
      (sum(count(*) filter (where first)) over of_agency)::int as people,
      (sum(count(*) filter (where first and worst < 0)) over of_agency)::int as people_short,
      (sum(count(*) filter (where first and best > 0)) over of_agency)::int as people_over
    from each_at_counter group by month, mda, currency, counter
    window of_agency as (partition by month, mda, currency)
  )`;

/**
 * Common table expressions up to `cells`: closed shifts in the whole months of a span, by month, agency, currency and
 * counter, as they are now: sums, and what waits to be counted anew.
 */
export function selectShiftCells(call: Pick<Call, 'now'>, span: Span): Sql {
  const within = monthWithin(call, span, sql`month`);
  return sql`
    keys as materialized (select mda, month from oversight.shift_waiting where ${within}), ${COUNTED}, cells as (
      select s.* from oversight.shift_sum s
      where ${within} and not exists (select from keys k where k.mda = s.mda and k.month = s.month)
      union all select * from counted
    )`;
}

const SHIFTS: Recounted = {
  name: 'shifts',
  lock: 7_283_009,
  tail: 'shift_tail',
  sums: 'shift_sum',
  key: ['mda', 'month'],
  count: sql`${COUNTED} select * from counted`,
};

/** Counts closed shifts of months in which one was closed or decided. */
export const startCountingShifts = (rail: Rail) => startRecounting(rail, SHIFTS);

/** Counts them once; how many changes were taken. */
export const countShifts = (rail: Pick<Rail, 'transaction'>) => recount(rail, SHIFTS);
