import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Decimal } from '../../../kernel/money.ts';
import type { Span } from '../../figures/span.ts';
import {
  type GroupsQuestion,
  type PeopleFigures,
  countTold,
  readPeopleGroups,
  wholeMonths,
} from '../../root/groups.ts';

export type AssessedGrouping = 'agency' | 'country' | 'service' | 'sector' | 'family' | 'month';
export type AssessedOrder = 'key' | 'assessments' | 'assessed' | 'paid' | 'outstanding' | 'cancelled';

/** What was assessed of a group, and what became of it; null where too few people owed it. */
export interface AssessedRow extends Readonly<Partial<Record<AssessedGrouping, string>>> {
  readonly currency: string;
  readonly assessments: number | null;
  readonly assessed: Decimal | null;
  readonly paid: Decimal | null;
  readonly outstanding: Decimal | null;
  readonly cancelled: Decimal | null;
}

const amountOf = (status: string) =>
  countTold(sql`sum(f.amount) filter (where f.told and f.status = ${status}::assessment_status)`);

const figures = (within: Sql): PeopleFigures<AssessedGrouping | 'currency', AssessedOrder> => ({
  apart: ['month', 'currency'],
  tree: ['mda', 'service'],
  dimensions: {
    agency: { key: sql`f.mda` },
    country: { key: sql`a.country`, beside: 'agency' },
    service: { key: sql`f.service` },
    sector: { key: sql`s.sector`, beside: 'service' },
    family: { key: sql`s.family`, beside: 'service' },
    month: { key: sql`to_char(f.month, 'YYYY-MM')` },
    currency: { key: sql`f.currency` },
  },
  depths: { service: 2, sector: 2, family: 2 },
  factsOf: (depth) =>
    depth === 1
      ? sql`select month, currency, mda, person, status, amount from oversight.assessed where ${within}`
      : sql`select month, currency, mda, service, person, status, amount from oversight.assessed_service where ${within}`,
  always: ['currency'],
  measures: sql`nullif(count(*) filter (where f.told), 0)::int as assessments,
    sum(f.amount) filter (where f.told) as assessed, ${amountOf('Paid')} as paid, ${amountOf('Assessed')} as outstanding,
    ${amountOf('Cancelled')} as cancelled`,
  orders: {
    key: null,
    assessments: sql`assessments desc nulls last`,
    assessed: sql`assessed desc nulls last`,
    paid: sql`paid desc nulls last`,
    outstanding: sql`outstanding desc nulls last`,
    cancelled: sql`cancelled desc nulls last`,
  },
});

/** What was assessed in the months of a span, in groups. */
export function readAssessed(
  call: Call,
  span: Span,
  question: GroupsQuestion<AssessedGrouping | 'currency', AssessedOrder>,
): Promise<Page<AssessedRow>> {
  return readPeopleGroups(call, figures(wholeMonths(call, span, sql`assessed_at`)), question);
}
