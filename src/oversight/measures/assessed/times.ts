import type { Call } from '../../../platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import { type GroupsQuestion, type PeopleFigures, monthWithin, readPeopleGroups } from '../../root/groups.ts';

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

/** The seconds within which so large a part was paid, to a thousandth. */
const within = (part: number) => sql`
  round((percentile_cont(${part}) within group (order by f.seconds) filter (where f.told))::numeric, 3)::float8`;

const rounded = (place: number) => sql`round(p.values_at[${raw(String(place))}]::numeric, 3)::float8`;

/** A column for each percentile: null of those that nobody asks for, which cost as much as the others. */
const columnsOf = (asked: readonly Percentile[], column: (percentile: Percentile) => Sql) =>
  joined(
    PERCENTILES.map((percentile) => {
      const found = asked.includes(percentile) ? column(percentile) : sql`null::float8`;
      return sql`${found} as ${raw(percentile)}`;
    }),
  );

const figures = (
  span: Sql,
  byService: boolean,
  asked: readonly Percentile[],
): PeopleFigures<TimesGrouping, TimesOrder> => ({
  apart: ['month'],
  tree: ['mda', 'channel', 'service'],
  people: ['timed_agency', 'timed_channel', 'timed_service'],
  sums: sql`select * from ${byService ? sql`oversight.assessed_sum` : sql`oversight.assessed_agency_sum`} where ${span}`,
  stored: sql`select * from oversight.assessed_stored where seconds is not null`,
  waiting: sql`select * from oversight.assessed_waiting where seconds is not null`,
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`nullif(f.channel, '')` },
    service: { key: sql`f.service` },
    month: { key: sql`to_char(f.month, 'YYYY-MM')` },
  },
  depths: { channel: 2, service: 3 },
  // Seconds cannot be added up: they are sorted by agency and channel, and those of services are read one by one.
  percentiles: {
    depth: 2,
    sorted: sql`
      select month, mda, channel, n, array[${joined(asked.map((percentile) => raw(percentile)))}] as known, seconds
      from oversight.assessed_times where ${span}`,
    parts: asked.map((percentile) => PARTS[percentile]),
    measures: sql`p.n as payments, ${columnsOf(asked, (percentile) => rounded(asked.indexOf(percentile) + 1))}`,
  },
  rowsOf: () => sql`
    select month, mda, channel, service, seconds from oversight.assessed_fact where ${span} and seconds is not null`,
  always: [],
  measures: sql`nullif(count(*) filter (where f.told), 0)::int as payments,
    ${columnsOf(asked, (percentile) => within(PARTS[percentile]))}`,
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
  // Payments are counted with one of them.
  const months = monthWithin(call, span, sql`month`);
  return readPeopleGroups(call, figures(months, byService, asked.length > 0 ? asked : ['p50']), question);
}
