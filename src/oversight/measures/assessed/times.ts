import type { Call } from '../../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import {
  type GroupsQuestion,
  type PeopleFigures,
  monthWithin,
  readPeopleGroups,
  secondsWithin,
} from '../../root/groups.ts';

export type TimesGrouping = 'agency' | 'channel' | 'service' | 'month';
const PARTS = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;
export type Percentile = keyof typeof PARTS;
export const PERCENTILES = Object.keys(PARTS) as Percentile[];
export type TimesOrder = 'key' | 'payments' | Percentile;

/** How long payers took, in seconds; null where too few people paid, or nobody asks. */
export interface PaymentTimes {
  readonly agency?: string;
  readonly channel?: Channel | null;
  readonly service?: string;
  readonly month?: string;
  readonly payments: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
}

const figures = (
  months: Sql,
  byService: boolean,
  asked: readonly Percentile[],
): PeopleFigures<TimesGrouping, TimesOrder> => ({
  apart: ['month'],
  tree: ['mda', 'channel', 'service'],
  facts: sql`
    select month, mda, channel, service, person, milliseconds from assessed
    where ${months} and milliseconds is not null ${byService ? empty : sql`and leads`}`,
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`nullif(f.channel, '')` },
    service: { key: sql`f.service` },
    month: { key: sql`strftime(f.month, '%Y-%m')` },
  },
  depths: { channel: 2, service: 3 },
  always: [],
  // Null are those that nobody asks for, which cost as much as the others.
  measures: sql`nullif(count(*) filter (where f.told), 0)::int as payments, ${joined(
    PERCENTILES.map(
      (one) => sql`${asked.includes(one) ? secondsWithin(PARTS[one]) : sql`null::double`} as ${raw(one)}`,
    ),
  )}`,
  orders: {
    key: null,
    payments: sql`payments desc nulls last`,
    p50: sql`p50 desc nulls last`,
    p90: sql`p90 desc nulls last`,
    p99: sql`p99 desc nulls last`,
  },
});

/**
 * How long it took from assessment to payment, of what was assessed in the months of a span, in groups: the percentiles
 * that are asked for, and that it is ordered by.
 */
export function readPaymentTimes(
  call: Call,
  span: Span,
  question: GroupsQuestion<TimesGrouping, TimesOrder>,
  percentiles: readonly Percentile[],
): Promise<Page<PaymentTimes>> {
  const byService = question.groupBy.includes('service') || question.filter.service != null;
  const asked = PERCENTILES.filter((one) => percentiles.includes(one) || question.orderBy === one);
  return readPeopleGroups(call, figures(monthWithin(call, span, sql`month`), byService, asked), question);
}
