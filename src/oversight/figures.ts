import type { Call } from '../call.ts';
import { type PageArgs, given, readPage } from '../database/page.ts';
import { sql } from '../database/sql.ts';
import { type AnomalyStatus, Channel } from '../generated/prisma/enums.ts';
import type { Decimal } from '../money.ts';
import { type RevenueRow, revenue } from './revenue.ts';
import { DAY_MS, type Span, checkedSpan, closedSpan, isoDay } from './span.ts';

/** Groups of fewer payers than this are not told of: figures about few people are figures about people. */
export const FEWEST_PAYERS = 5;

/** What an agency was owed in a span, and what became of it. */
export interface CollectionFigures {
  readonly mda: string;
  readonly currency: string;
  readonly assessments: number;
  readonly assessed: Decimal;
  readonly paid: Decimal;
  readonly outstanding: Decimal;
  readonly cancelled: Decimal;
  readonly secondsP50: number | null;
  readonly secondsP90: number | null;
  readonly secondsP99: number | null;
}

/** What was assessed in a span, by agency: paid, outstanding, cancelled, and how long it took to be paid. */
export function collections(
  call: Call,
  { mda, currency, ...span }: Span & { mda?: string | null | undefined; currency?: string | null | undefined },
) {
  const { from, to } = closedSpan(call, span);
  return call.oversight.rows<CollectionFigures>(sql`
    select mda, currency, assessments, assessed, paid, outstanding, cancelled, seconds_p50 as "secondsP50", seconds_p90 as "secondsP90",
      seconds_p99 as "secondsP99"
    from oversight.collections(${isoDay(from)}::date, ${isoDay(to)}::date, ${FEWEST_PAYERS})
    where (${mda ?? null}::text is null or mda = ${mda ?? null}) and (${currency ?? null}::text is null or currency = ${currency ?? null})
    order by mda, currency`);
}

export interface OverseenAnomaly {
  readonly name: string;
  readonly kind: string;
  readonly mda: string | null;
  readonly severity: string;
  readonly status: AnomalyStatus;
  readonly raisedAt: Date;
  readonly evidence: unknown;
}

export interface OverseenAnomalyFilter extends Span {
  readonly kind?: string | null | undefined;
  readonly mda?: string | null | undefined;
  readonly severity?: string | null | undefined;
  readonly status?: AnomalyStatus | null | undefined;
}

/** Anomalies, newest first, with what of their evidence leads to nobody. */
export function overseenAnomalies(call: Call, filter: OverseenAnomalyFilter, page: PageArgs): Promise<OverseenAnomaly[]> {
  const { from, to } = checkedSpan(filter);
  return readPage<OverseenAnomaly>(
    call,
    {
      select: sql`select r.name, r.kind, r.mda, r.severity, r.status, r.raised_at as "raisedAt", r.evidence from oversight.anomaly r`,
      table: 'oversight.anomaly',
      order: ['position'],
      direction: 'desc',
      where: [],
      filters: [
        given(filter.kind, (kind) => sql`r.kind = ${kind}`),
        given(filter.mda, (mda) => sql`r.mda = ${mda}`),
        given(filter.severity, (severity) => sql`r.severity = ${severity}`),
        given(filter.status, (status) => sql`r.status::text = ${status}`),
        given(from, (day) => sql`r.raised_at >= ${day}`),
        given(to, (day) => sql`r.raised_at < ${new Date(day.getTime() + DAY_MS)}`),
      ],
      db: call.oversight,
    },
    page,
  );
}

export type Period = 'day' | 'month' | 'year';

export interface ConsentFigures {
  readonly mda: string | null;
  readonly period: string;
  readonly count: number | null;
}

const FORMATS: Readonly<Record<Period, string>> = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' };

/** How many people consented, by agency and period; null where they were few. */
export function consents(
  call: Call,
  { period, mda, ...span }: Span & { period: Period; mda?: string | null | undefined },
): Promise<ConsentFigures[]> {
  const { from, to } = checkedSpan(span);
  return call.oversight.rows<ConsentFigures>(sql`
    select mda, to_char(day, ${FORMATS[period]}) as period, case when count(*) >= ${FEWEST_PAYERS} then count(*)::int end as count
    from oversight.consent
    where (${mda ?? null}::text is null or mda = ${mda ?? null}) and (${from && isoDay(from)}::date is null or day >= ${from && isoDay(from)}::date)
      and (${to && isoDay(to)}::date is null or day <= ${to && isoDay(to)}::date)
    group by mda, 2 order by mda nulls first, 2 limit 10000`);
}

export interface ShiftFigures {
  readonly mda: string;
  readonly currency: string;
  readonly shifts: number;
  readonly withVariance: number;
  readonly expectedCash: Decimal;
  readonly variance: Decimal;
  readonly meanVariance: Decimal;
  readonly standardDeviation: Decimal | null;
  readonly largestShortage: Decimal;
  readonly largestSurplus: Decimal;
  readonly pending: number;
  readonly approved: number;
  readonly rejected: number;
  readonly escalated: number;
}

/** How the tills of an agency came out in a span: of all its closed shifts together, never of a person. */
export function shiftFigures(call: Call, { mda, ...span }: Span & { mda?: string | null | undefined }): Promise<ShiftFigures[]> {
  const { from, to } = closedSpan(call, span);
  return call.oversight.rows<ShiftFigures>(sql`
    select mda, currency, count(*)::int as shifts, count(*) filter (where variance <> 0)::int as "withVariance", sum(expected_cash) as "expectedCash",
      sum(variance) as variance, round(avg(variance), 4) as "meanVariance", round(stddev_samp(variance), 4) as "standardDeviation",
      greatest(-min(variance), 0) as "largestShortage", greatest(max(variance), 0) as "largestSurplus",
      count(*) filter (where variance_status = 'Pending')::int as pending, count(*) filter (where variance_status = 'Approved')::int as approved,
      count(*) filter (where variance_status = 'Rejected')::int as rejected, count(*) filter (where variance_status = 'Escalated')::int as escalated
    from oversight.shift
    where day >= ${isoDay(from)}::date and day <= ${isoDay(to)}::date and (${mda ?? null}::text is null or mda = ${mda ?? null})
    group by mda, currency order by mda, currency`);
}

export interface AgencySeal {
  readonly mda: string;
  readonly sequence: number;
  readonly hash: string;
  readonly sealedAt: Date;
}

/** The last seal of each agency: what an auditor keeps outside, so that a chain cannot be made anew. */
export function latestSeals({ oversight }: Call): Promise<AgencySeal[]> {
  return oversight.rows<AgencySeal>(sql`select mda, sequence, hash, sealed_at as "sealedAt" from oversight.seal order by mda`);
}

export interface ChannelFigures {
  readonly channel: Channel;
  readonly available: boolean;
  readonly confirmed: number;
  readonly failed: number;
  readonly expired: number;
  readonly open: number;
  readonly successRate: number | null;
}

export interface Statistics {
  readonly totals: readonly RevenueRow[];
  readonly channelMix: readonly RevenueRow[];
  readonly channels: readonly ChannelFigures[];
  readonly webhooks: { readonly delivered: number; readonly pending: number; readonly dead: number };
  readonly propagations: { readonly done: number; readonly pending: number; readonly dead: number };
  readonly openAnomalies: number;
}

/** The whole of a span in a few figures. */
export async function statistics(call: Call, span: Span): Promise<Statistics> {
  const { from, to } = closedSpan(call, span);
  const filter = { fromDate: from, toDate: to };
  const within = sql`day >= ${isoDay(from)}::date and day <= ${isoDay(to)}::date`;
  const [totals, channelMix, byChannel, deliveries, propagations, anomalies] = await Promise.all([
    revenue(call, { groupBy: [], filter, orderBy: 'net', limit: 100, start: 0 }),
    revenue(call, { groupBy: ['channel'], filter, orderBy: 'net', limit: 100, start: 0 }),
    call.oversight.rows<Omit<ChannelFigures, 'available' | 'successRate'>>(sql`
      select channel, count(*) filter (where status = 'Confirmed')::int as confirmed, count(*) filter (where status = 'Failed')::int as failed,
        count(*) filter (where status = 'Expired')::int as expired, count(*) filter (where status = 'Sent')::int as open
      from oversight.intent where ${within} group by channel`),
    call.oversight.rows<{ status: string; count: number }>(
      sql`select status, count(*)::int as count from oversight.delivery where ${within} group by status`,
    ),
    call.oversight.rows<{ status: string; count: number }>(
      sql`select status, count(*)::int as count from oversight.propagation where ${within} group by status`,
    ),
    call.oversight.row<{ count: number }>(sql`select count(*)::int as count from oversight.anomaly where status = 'Open'`),
  ]);
  const channels = Object.values(Channel).map((channel): ChannelFigures => {
    const { confirmed, failed, expired, open } = byChannel.find((row) => row.channel === channel) ?? { confirmed: 0, failed: 0, expired: 0, open: 0 };
    const ended = confirmed + failed + expired;
    return {
      channel,
      available: call.channels[channel]?.available ?? false,
      confirmed,
      failed,
      expired,
      open,
      successRate: ended === 0 ? null : Math.round((confirmed / ended) * 1e6) / 1e6,
    };
  });
  const of = (rows: readonly { status: string; count: number }[], status: string) => rows.find((row) => row.status === status)?.count ?? 0;
  return {
    totals,
    channelMix,
    channels,
    webhooks: { delivered: of(deliveries, 'delivered'), pending: of(deliveries, 'pending'), dead: of(deliveries, 'dead') },
    propagations: { done: of(propagations, 'done'), pending: of(propagations, 'pending'), dead: of(propagations, 'dead') },
    openAnomalies: anomalies!.count,
  };
}
