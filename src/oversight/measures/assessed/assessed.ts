import type { Call } from '../../../platform/call/call.ts';
import { type Sql, empty, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Decimal } from '../../../kernel/money.ts';
import type { Span } from '../../figures/span.ts';
import {
  type GroupsQuestion,
  MONTH,
  type PeopleFigures,
  monthWithin,
  ofStatus,
  readPeopleGroups,
  sumTold,
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

const amountOf = (status: string) => ofStatus(status, sql`sum(f.amount)`);

const figures = (within: Sql, byService: boolean): PeopleFigures<AssessedGrouping | 'currency', AssessedOrder> => ({
  apart: ['month', 'currency', 'status'],
  tree: ['mda', 'service'],
  facts: sql`select month, currency, mda, service, person, status, amount, leads from assessed where ${within}`,
  dimensions: {
    agency: { key: sql`f.mda` },
    country: { key: sql`a.country`, beside: 'agency' },
    service: { key: sql`f.service` },
    sector: { key: sql`s.sector`, beside: 'service' },
    family: { key: sql`s.family`, beside: 'service' },
    month: MONTH,
    currency: { key: sql`f.currency` },
  },
  depths: { service: 2, sector: 2, family: 2 },
  always: ['currency'],
  measures: sql`nullif(count(*) filter (where f.told ${byService ? empty : sql`and f.leads`}), 0)::int as assessments,
    ${sumTold('amount')} as assessed, ${amountOf('Paid')} as paid, ${amountOf('Assessed')} as outstanding,
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

/** Where one of these is asked for, an assessment counts once for each of its services. */
const BY_SERVICE = ['service', 'sector', 'family'] as const;

/** What was assessed in the months of a span, in groups. */
export function readAssessed(
  call: Call,
  span: Span,
  question: GroupsQuestion<AssessedGrouping | 'currency', AssessedOrder>,
): Promise<Page<AssessedRow>> {
  const byService = BY_SERVICE.some((group) => question.groupBy.includes(group) || question.filter[group] != null);
  return readPeopleGroups(call, figures(monthWithin(call, span, sql`month`), byService), question);
}
