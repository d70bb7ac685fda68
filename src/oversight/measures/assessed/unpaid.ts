import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../../platform/reading/page.ts';
import { readPlaces } from '../../../platform/reading/places.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { AGE_BANDS, type AgeBand, ageBandOf, ageBandOfMonth, monthsOfTwoAges } from '../../root/ages.ts';
import { isTold, tellOfSums } from '../../root/few.ts';
import {
  type GroupsQuestion,
  type PeopleFigures,
  countTold,
  USUAL_GROUPS,
  readPeopleGroups,
  sumTold,
} from '../../root/groups.ts';

export type UnpaidGrouping = 'age' | 'agency' | 'country' | 'month';
export type UnpaidOrder = 'key' | 'assessments' | 'amount';
export type UnpaidListOrder = 'oldest' | 'newest' | 'largest';

export interface UnpaidRow {
  readonly age?: AgeBand;
  readonly agency?: string;
  readonly country?: string;
  readonly month?: string;
  readonly currency: string;
  readonly assessments: number | null;
  readonly amount: Decimal | null;
}

/** What one agency is owed by one assessment. */
export interface UnpaidAssessment {
  readonly id: string;
  readonly agency: string;
  readonly currency: string;
  readonly amount: Decimal;
  readonly assessedOn: Date;
  readonly days: number;
  readonly age: AgeBand;
}

/** That what is unpaid is so still: nothing of whoever owes it waits to be added up. */
const isSettled = sql`(person in (select person from people_waiting)) is not true`;

// Whoever is told what was outstanding of a month is told no more of it by ages.
const parting = {
  apart: ['month', 'currency'],
  tree: ['mda'],
  people: ['unpaid_agency'],
  sums: sql`select * from oversight.assessed_agency_sum where status = 'Assessed'`,
  stored: sql`select * from oversight.assessed_stored where status = 'Assessed'`,
  waiting: sql`select * from oversight.assessed_waiting where status = 'Assessed'`,
} as const;

const figures = (now: Date): PeopleFigures<UnpaidGrouping | 'currency', UnpaidOrder> => ({
  ...parting,
  rowsOf: () => selectByAge(now),
  dimensions: {
    agency: { key: sql`f.mda` },
    country: { key: sql`a.country`, beside: 'agency' },
    month: { key: sql`to_char(f.month, 'YYYY-MM')` },
    age: { key: sql`f.age`, order: sql`array_position(${AGE_BANDS}::text[], age)` },
    currency: { key: sql`f.currency` },
  },
  depths: {},
  // Of what was paid since, nothing is left but a row of a sum.
  present: sql`sum(f.parts) > 0`,
  always: ['currency'],
  measures: sql`nullif(${sumTold('assessments')}, 0)::int as assessments, ${countTold(sumTold('amount'))} as amount`,
  orders: { key: null, assessments: sql`assessments desc nulls last`, amount: sql`amount desc nulls last` },
});

/** What is unpaid by age: of months of one age from their sums, of those in which one age ends from what they have. */
function selectByAge(now: Date): Sql {
  const divided = monthsOfTwoAges(now);
  const isDivided = sql`month = any(${divided}::date[])`;
  return sql`
    select month, currency, mda, assessments, parts, amount, ${ageBandOfMonth(sql`month`, now)} as age
    from facts where not ${isDivided}
    union all
    select d.month, u.* from unnest(${divided}::date[]) d (month) cross join lateral (
      select currency, mda, count(*), count(*), sum(amount), ${ageBandOf(sql`assessed_at`, now)} as age
      from oversight.assessed_unpaid where assessed_at >= d.month::timestamp at time zone 'utc'
        and assessed_at < (d.month + interval '1 month') at time zone 'utc' and ${isSettled}
      group by currency, mda, age offset 0) u
    union all
    select month, currency, mda, leads::int, 1, amount, ${ageBandOf(sql`assessed_at`, now)}
    from facts_waiting where ${isDivided}`;
}

/** What is unpaid at this moment, in groups. */
export function readUnpaid(
  call: Call,
  question: GroupsQuestion<UnpaidGrouping | 'currency', UnpaidOrder>,
): Promise<Page<UnpaidRow>> {
  return readPeopleGroups(call, figures(call.now()), question);
}

const ORDERS: Readonly<Record<UnpaidListOrder, Sql>> = {
  oldest: sql`f.assessed_at, f.name`,
  newest: sql`f.assessed_at desc, f.name`,
  largest: sql`f.amount desc, f.assessed_at, f.name`,
};

export interface UnpaidFilter {
  readonly agency?: readonly string[] | null | undefined;
  readonly age?: readonly string[] | null | undefined;
  readonly currency?: string | null | undefined;
}

/** Which assessments are unpaid at this moment, of those that the figures count: what each owes to each agency. */
export function listUnpaid(
  call: Call,
  { agency = null, age = null, currency = null }: UnpaidFilter,
  orderBy: UnpaidListOrder,
  page: PageArgs,
): Promise<Page<UnpaidAssessment>> {
  const band = ageBandOf(sql`f.assessed_at`, call.now());
  const isAsked = sql`${isTold(parting, 1)} and (${agency}::text[] is null or f.mda = any(${agency}))
    and (${age}::text[] is null or ${band} = any(${age})) and (${currency}::text is null or f.currency = ${currency})`;
  // No more are read in their order than the page goes to, and whatever waits.
  const rows = (first: number | null) => sql`
    with ${tellOfSums(parting, 1, parting.sums)}, settled as (
      select f.currency, f.mda, f.name, f.assessed_at, f.amount from oversight.assessed_unpaid f
      where ${isSettled} and ${isAsked}
      order by ${ORDERS[orderBy]} limit ${first}
    ), others as (
      select f.currency, f.mda, f.name, f.assessed_at, sum(f.amount) as amount from facts_waiting f where ${isAsked}
      group by f.currency, f.mda, f.name, f.assessed_at
    )
    select f.name as id, f.mda as agency, f.currency, f.amount, (f.assessed_at at time zone 'utc')::date::timestamp
      at time zone 'utc' as "assessedOn",
      floor(extract(epoch from ${call.now()}::timestamptz - f.assessed_at) / 86400)::int as days, ${band} as age
    from (select * from settled union all select * from others) f
    order by ${ORDERS[orderBy]}`;
  return readPlaces(call.oversight, rows, page, USUAL_GROUPS);
}
