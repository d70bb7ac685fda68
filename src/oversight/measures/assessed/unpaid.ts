import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../../platform/reading/page.ts';
import { readPlaces } from '../../../platform/reading/places.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { DAY_MS, dayOf } from '../../../kernel/time.ts';
import { AGE_BANDS, type AgeBand, ageBandOf } from '../../root/ages.ts';
import { tellOfMany } from '../../root/few.ts';
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

/** What is unpaid; by age too, as of a moment. Whoever is told what was outstanding of a month is told no more of it by ages. */
const unpaid = (now: Date) => ({
  apart: ['month', 'currency'],
  tree: ['mda'],
  facts: sql`
    select month, currency, mda, person, name, assessed_at, amount, leads, ${ageBandOf(sql`assessed_at`, now)} as age
    from assessed where status = 'Assessed'`,
});

const figures = (now: Date): PeopleFigures<UnpaidGrouping | 'currency', UnpaidOrder> => ({
  ...unpaid(now),
  dimensions: {
    agency: { key: sql`f.mda` },
    country: { key: sql`a.country`, beside: 'agency' },
    month: { key: sql`strftime(f.month, '%Y-%m')` },
    age: { key: sql`f.age`, order: sql`array_position(${AGE_BANDS}::text[], age)` },
    currency: { key: sql`f.currency` },
  },
  depths: {},
  always: ['currency'],
  measures: sql`nullif(count(*) filter (where f.told and f.leads), 0)::int as assessments,
    ${countTold(sumTold('amount'))} as amount`,
  orders: { key: null, assessments: sql`assessments desc nulls last`, amount: sql`amount desc nulls last` },
});

/** What is unpaid at this moment, in groups. */
export function readUnpaid(
  call: Call,
  question: GroupsQuestion<UnpaidGrouping | 'currency', UnpaidOrder>,
): Promise<Page<UnpaidRow>> {
  return readPeopleGroups(call, figures(call.now()), question);
}

const ORDERS: Readonly<Record<UnpaidListOrder, Sql>> = {
  oldest: sql`assessed_at, name`,
  newest: sql`assessed_at desc, name`,
  largest: sql`amount desc, assessed_at, name`,
};

export interface UnpaidFilter {
  readonly agency?: readonly string[] | null | undefined;
  readonly age?: readonly string[] | null | undefined;
  readonly currency?: string | null | undefined;
}

/** Which assessments are unpaid at this moment, of those that the figures count: what each owes to each agency. */
export async function listUnpaid(
  call: Call,
  { agency = null, age = null, currency = null }: UnpaidFilter,
  orderBy: UnpaidListOrder,
  page: PageArgs,
): Promise<Page<UnpaidAssessment>> {
  const now = call.now();
  const parting = unpaid(now);
  const listed = await readPlaces<Omit<UnpaidAssessment, 'assessedOn' | 'days'> & { assessedAt: Date }>(
    call.analytics,
    sql`
    with ${tellOfMany(parting, 1, parting.facts)}, listed as (
      select name, mda, currency, assessed_at, age, sum(amount) as amount from facts_told
      where told and (${agency}::text[] is null or mda = any(${agency}::text[]))
        and (${age}::text[] is null or age = any(${age}::text[])) and (${currency}::text is null or currency = ${currency})
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
