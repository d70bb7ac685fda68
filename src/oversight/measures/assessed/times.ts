import type { Call } from '../../../platform/call/call.ts';
import { type Sql, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import { type GroupsQuestion, type PeopleFigures, monthWithin, readPeopleGroups } from '../../root/groups.ts';

export type TimesGrouping = 'agency' | 'channel' | 'service' | 'month';
export type TimesOrder = 'key' | 'payments' | 'p50' | 'p90' | 'p99';

/** How long payers took, in seconds; null where too few people paid. */
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

const figures = (span: Sql): PeopleFigures<TimesGrouping, TimesOrder> => ({
  apart: ['month'],
  tree: ['mda', 'channel', 'service'],
  people: ['timed_agency', 'timed_channel', 'timed_service'],
  sums: sql`select * from oversight.assessed_sum where ${span}`,
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
    sorted: sql`select month, mda, channel, seconds from oversight.assessed_times where ${span}`,
    parts: [0.5, 0.9, 0.99],
    measures: sql`p.n as payments, ${rounded(1)} as p50, ${rounded(2)} as p90, ${rounded(3)} as p99`,
  },
  rowsOf: () => sql`
    select month, mda, channel, service, seconds from oversight.assessed_fact where ${span} and seconds is not null`,
  always: [],
  measures: sql`nullif(count(*) filter (where f.told), 0)::int as payments,
    ${within(0.5)} as p50, ${within(0.9)} as p90, ${within(0.99)} as p99`,
  orders: {
    key: null,
    payments: sql`payments desc nulls last`,
    p50: sql`p50 desc nulls last`,
    p90: sql`p90 desc nulls last`,
    p99: sql`p99 desc nulls last`,
  },
});

/** How long it took from assessment to payment, of what was assessed in the months of a span, in groups. */
export function readPaymentTimes(
  call: Call,
  span: Span,
  question: GroupsQuestion<TimesGrouping, TimesOrder>,
): Promise<Page<PaymentTimes>> {
  return readPeopleGroups(call, figures(monthWithin(call, span, sql`month`)), question);
}
