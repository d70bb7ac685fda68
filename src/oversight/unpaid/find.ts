import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readByOffset } from '../../platform/reading/by-offset.ts';
import type { Decimal } from '../../kernel/money.ts';
import { formatDay } from '../../kernel/time.ts';
import { type AgeBand, ageBandOf } from '../common/ages.ts';
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

/** Unpaid assessments at this moment, of those that the figures count. The names are others on each day. */
export async function listUnpaid(
  call: Call,
  { agency = null, age = null, currency = null }: UnpaidFilter,
  orderBy: UnpaidListOrder,
  page: PageArgs,
): Promise<Page<UnpaidAssessment>> {
  const now = call.now();
  await call.analytics.refresh();
  return readByOffset(
    call.analytics,
    sql`
    select 'DUE-' || left(sha256(name || ${formatDay(now)}), 24) as id, mda as agency, currency, amount,
      month as "assessedOn", greatest(${formatDay(now)}::date - since, 0)::int as days, ${ageBandOf(sql`since::timestamptz`, now)} as age
    from debt_disclosed where (${agency}::text[] is null or mda = any(${agency}::text[]))
      and (${currency}::text[] is null or currency = any(${currency}::text[]))
      and (${age}::text[] is null or age = any(${age}::text[]))
    order by ${ORDERS[orderBy]}`,
    page,
    DEFAULT_GROUPS,
  );
}
