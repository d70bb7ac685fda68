import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import { type GroupsQuestion, type PeopleFigures, readPeopleGroups, wholeMonths } from '../../root/groups.ts';

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

const figures = (span: Sql): PeopleFigures<TimesGrouping, TimesOrder> => ({
  apart: ['month'],
  tree: ['mda', 'channel', 'service'],
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`nullif(f.channel, '')` },
    service: { key: sql`f.service` },
    month: { key: sql`to_char(f.month, 'YYYY-MM')` },
  },
  depths: { channel: 2, service: 3 },
  factsOf: (depth) => {
    const channel = sql`coalesce(channel::text, '') as channel`;
    const paid = sql`where ${span} and seconds is not null`;
    if (depth === 1) return sql`select month, mda, person, seconds from oversight.assessed ${paid}`;
    return depth === 2
      ? sql`select month, mda, ${channel}, person, seconds from oversight.assessed ${paid}`
      : sql`select month, mda, ${channel}, service, person, seconds from oversight.assessed_service ${paid}`;
  },
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
  return readPeopleGroups(call, figures(wholeMonths(call, span, sql`assessed_at`)), question);
}
