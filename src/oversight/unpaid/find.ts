import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readByOffset } from '../../platform/reading/by-offset.ts';
import type { Decimal } from '../../kernel/money.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import { type AgeBand, ageBandOf } from '../common/ages.ts';
import { FEWEST_PEOPLE } from '../common/small-cells.ts';
import { suppressSmallCells } from '../common/suppression.ts';
import { SINCE, UNPAID_PARTING } from '../figures/query/groups/unpaid.ts';
import { DEFAULT_GROUPS } from '../common/arguments.ts';

export type UnpaidListOrder = 'oldest' | 'newest' | 'largest';

/** Debt of one assessment to one agency. */
export interface UnpaidAssessment {
  readonly id: string;
  readonly agency: string;
  readonly currency: string;
  readonly amount: Decimal;
  readonly assessedOn: Date;
  readonly days: number;
  readonly age: AgeBand;
}

const ORDERS: Readonly<Record<UnpaidListOrder, Sql>> = {
  oldest: sql`month, id`,
  newest: sql`month desc, id`,
  largest: sql`amount desc, month, id`,
};

export interface UnpaidFilter {
  readonly agency?: readonly string[] | null | undefined;
  readonly age?: readonly string[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
}

/**
 * Unpaid assessments at this moment, of those that the figures count: the debt of each to each agency. At least a few
 * people share all that a row shows. The debts to an agency of one month and age are taken from the largest on, as many
 * people at a time; all that are taken together show the smallest of their amounts, to two digits. The names are others on each
 * day.
 */
export async function listUnpaid(
  call: Call,
  { agency = null, age = null, currency = null }: UnpaidFilter,
  orderBy: UnpaidListOrder,
  page: PageArgs,
): Promise<Page<UnpaidAssessment>> {
  const now = call.now();
  const facts = sql`select *, ${SINCE} as since from assessed where status = 'Assessed'`;
  const listed = await readByOffset<Omit<UnpaidAssessment, 'assessedOn' | 'days'> & { month: Date; since: Date }>(
    call.analytics,
    sql`
    with ${suppressSmallCells(UNPAID_PARTING, 2, facts)}, owed as (
      select name, person, mda, currency, month, since, sum(amount) as amount from facts_disclosed
      where disclosed and (${agency}::text[] is null or mda = any(${agency}::text[])) and (${currency}::text[] is null or currency = any(${currency}::text[]))
      group by name, person, mda, currency, month, since
    ), placed as (
      select *, row_number() over (partition by mda, currency, month, since, person order by amount desc, name) = 1 as leads from owed
    ), counted as (
      select *, sum(leads::int) over (part order by amount desc, name) as place, sum(leads::int) over part as people
      from placed window part as (partition by mda, currency, month, since)
    ), banded as (
      select *, floor(min(amount) over (
        partition by mda, currency, month, since, least((place - 1) // ${FEWEST_PEOPLE}, people // ${FEWEST_PEOPLE} - 1)))::bigint as least
      from counted
    ), listed as (
      select 'DUE-' || left(sha256(name || ${formatDay(now)}), 24) as id, mda, currency, month, since, ${ageBandOf(sql`since::timestamptz`, now)} as age,
        (least - least % (10 ** greatest(length(least::varchar) - 2, 0))::bigint)::decimal(18, 3) as amount
      from banded
    )
    select id, mda as agency, currency, amount, month, since, age from listed
    where ${age}::text[] is null or age = any(${age}::text[]) order by ${ORDERS[orderBy]}`,
    page,
    DEFAULT_GROUPS,
  );
  const rows = listed.rows.map(({ month, since, ...row }) => ({
    ...row,
    assessedOn: month,
    days: Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS)),
  }));
  return { ...listed, rows };
}
