import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readPlaces } from '../../platform/reading/places.ts';
import type { Decimal } from '../../kernel/money.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';
import { type AgeBand, ageBandOf } from '../root/ages.ts';
import { suppressSmallCells } from '../root/suppression.ts';
import { USUAL_GROUPS } from '../root/arguments.ts';

export type UnpaidListOrder = 'oldest' | 'newest' | 'largest';

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

const ORDERS: Readonly<Record<UnpaidListOrder, Sql>> = {
  oldest: sql`assessed_at, name`,
  newest: sql`assessed_at desc, name`,
  largest: sql`amount desc, assessed_at, name`,
};

export interface UnpaidFilter {
  readonly agency?: readonly string[] | null | undefined;
  readonly age?: readonly string[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
}

/** Which assessments are unpaid at this moment, of those that the figures count: what each owes to each agency. */
export async function listUnpaid(
  call: Call,
  { agency = null, age = null, currency = null }: UnpaidFilter,
  orderBy: UnpaidListOrder,
  page: PageArgs,
): Promise<Page<UnpaidAssessment>> {
  const now = call.now();
  const facts = sql`
    select *, ${ageBandOf(sql`assessed_at`, now)} as age from assessed where status = 'Assessed'`;
  const listed = await readPlaces<Omit<UnpaidAssessment, 'assessedOn' | 'days'> & { assessedAt: Date }>(
    call.analytics,
    sql`
    with ${suppressSmallCells({ apart: ['month', 'currency'], tree: ['mda'] }, 1, facts)}, listed as (
      select name, mda, currency, assessed_at, age, sum(amount) as amount from facts_disclosed
      where disclosed and (${agency}::text[] is null or mda = any(${agency}::text[]))
        and (${age}::text[] is null or age = any(${age}::text[])) and (${currency}::text[] is null or currency = any(${currency}::text[]))
      group by name, mda, currency, assessed_at, age
    )
    select name as id, mda as agency, currency, amount, assessed_at as "assessedAt", age from listed
    order by ${ORDERS[orderBy]}`,
    page,
    USUAL_GROUPS,
  );
  const rows = listed.rows.map(({ assessedAt, ...row }) => ({
    ...row,
    assessedOn: dayOf(assessedAt),
    days: Math.floor((now.getTime() - assessedAt.getTime()) / DAY_MS),
  }));
  return { ...listed, rows };
}
