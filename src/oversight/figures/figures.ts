import { listOffering } from '../../adapters/payment/aggregators.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Channel } from '../../generated/prisma/enums.ts';
import { type Decimal, toMinorUnit } from '../../kernel/money.ts';
import { type NotificationCount, readNotificationCounts } from './notifications.ts';
import { FEWEST_PEOPLE } from './small-cells.ts';
import { type RevenueRow, readRevenue } from '../revenue/revenue.ts';
import { tellOfMany } from '../root/few.ts';
import { monthWithin, ofStatus } from '../root/groups.ts';
import { type Span, closeLocalSpan } from './span.ts';

/** How the tills of an agency came out in a span; null where too few people kept them. */
export interface ShiftFigures {
  readonly mda: string;
  readonly currency: string;
  readonly shifts: number | null;
  readonly withVariance: number | null;
  readonly expectedCash: Decimal | null;
  readonly variance: Decimal | null;
  readonly meanVariance: Decimal | null;
  readonly standardDeviation: Decimal | null;
  readonly largestShortage: Decimal | null;
  readonly largestSurplus: Decimal | null;
  readonly pending: number | null;
  readonly approved: number | null;
  readonly rejected: number | null;
  readonly escalated: number | null;
}

/**
 * How the tills of an agency came out in the months of a span: of all its closed shifts together, never of a person.
 */
export async function readShiftFigures(
  call: Call,
  { mda = null, ...span }: Span & { mda?: string | null | undefined },
): Promise<ShiftFigures[]> {
  const ofMany = sql`filter (where people >= ${FEWEST_PEOPLE})`;
  const rows = await call.analytics.rows<ShiftSums>(sql`
    with months as (
      select mda, currency, count(distinct person) filter (where waiting is null) as people,
        count(distinct case when variance < 0 then person end) as people_short,
        count(distinct case when variance > 0 then person end) as people_over,
        count(*) as shifts, count(*) filter (where variance <> 0) as with_variance,
        sum(expected_cash) as expected_cash, sum(variance) as variance, sum(variance::decimal(38, 3) * variance) as squared,
        min(variance) as lowest, max(variance) as highest, count(*) filter (where variance_status = 'Pending') as pending,
        count(*) filter (where variance_status = 'Approved') as approved,
        count(*) filter (where variance_status = 'Rejected') as rejected,
        count(*) filter (where variance_status = 'Escalated') as escalated
      from shift where ${monthWithin(call, span, sql`month`)} and (${mda}::text is null or mda = ${mda})
      group by mda, currency, month, waiting is null
    )
    select mda, currency, sum(shifts) ${ofMany} as shifts, sum(with_variance) ${ofMany} as "withVariance",
      sum(expected_cash) ${ofMany} as "expectedCash", sum(variance) ${ofMany} as variance, sum(squared) ${ofMany} as squared,
      -min(lowest) filter (where people >= ${FEWEST_PEOPLE} and people_short >= ${FEWEST_PEOPLE} and lowest < 0) as "largestShortage",
      max(highest) filter (where people >= ${FEWEST_PEOPLE} and people_over >= ${FEWEST_PEOPLE} and highest > 0) as "largestSurplus",
      sum(pending) ${ofMany} as pending, sum(approved) ${ofMany} as approved, sum(rejected) ${ofMany} as rejected,
      sum(escalated) ${ofMany} as escalated
    from months group by mda, currency order by mda, currency`);
  return rows.map(({ squared, ...row }) => ({ ...row, ...spreadOf({ ...row, squared }) }));
}

interface ShiftSums extends Omit<ShiftFigures, 'meanVariance' | 'standardDeviation'> {
  /** The sum of the squares of variances. */
  readonly squared: Decimal | null;
}

/** The mean of variances, and how far they are from it. */
function spreadOf({
  currency,
  shifts,
  variance,
  squared,
}: ShiftSums): Pick<ShiftFigures, 'meanVariance' | 'standardDeviation'> {
  if (shifts === null || variance === null || squared === null) return { meanVariance: null, standardDeviation: null };
  const deviation = squared
    .times(shifts)
    .minus(variance.times(variance))
    .div(shifts * (shifts - 1));
  return {
    meanVariance: toMinorUnit(variance.div(shifts), currency),
    standardDeviation: toMinorUnit(deviation.sqrt(), currency),
  };
}

export interface AgencySeal {
  readonly mda: string;
  readonly sequence: number;
  readonly hash: string;
  readonly sealedAt: Date;
}

/** The last seal of each agency: what an auditor keeps outside, so that a chain cannot be made anew. */
export function readLatestSeals({ oversight }: Call): Promise<AgencySeal[]> {
  return oversight.rows<AgencySeal>(
    sql`select mda, sequence, hash, sealed_at as "sealedAt" from oversight.seal order by mda`,
  );
}

/** How attempts to pay through a channel went in the months of a span; null where too few people tried. */
export interface ChannelFigures {
  readonly channel: Channel;
  readonly available: boolean;
  readonly confirmed: number | null;
  readonly failed: number | null;
  readonly expired: number | null;
  readonly open: number | null;
  readonly successRate: number | null;
}

type Attempts = { readonly channel: Channel } & Readonly<
  Record<'confirmed' | 'failed' | 'expired' | 'open', number | null>
>;

const attemptsOf = (status: string) => ofStatus(status, sql`count(*)`);

function readSuccessRate({ confirmed, failed, expired }: Attempts): number | null {
  if (confirmed === null || failed === null || expired === null) return null;
  const ended = confirmed + failed + expired;
  return ended === 0 ? null : Math.round((confirmed / ended) * 1e6) / 1e6;
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
export async function readStatistics(call: Call, span: Span): Promise<Statistics> {
  const { from, to, timeZone } = await closeLocalSpan(call, span);
  const filter = { fromDate: from, toDate: to, timeZone };
  const months = monthWithin(call, { fromDate: from, toDate: to }, sql`month`);
  const [totals, channelMix, byChannel, notifications, anomalies] = await Promise.all([
    readRevenue(call, { groupBy: [], filter, orderBy: 'net' }),
    readRevenue(call, { groupBy: ['channel'], filter, orderBy: 'net' }),
    call.analytics.rows<Attempts>(sql`
      with ${tellOfMany({ apart: ['month', 'status'], tree: ['channel'] }, 1, sql`select month, channel, person, status from attempt where ${months}`)}
      select channel, ${attemptsOf('Confirmed')} as confirmed, ${attemptsOf('Failed')} as failed,
        ${attemptsOf('Expired')} as expired, ${attemptsOf('Sent')} as open
      from facts_told f group by channel having bool_or(told)`),
    readNotificationCounts(call, from, to),
    call.analytics.row<{ count: number }>(
      sql`select count(*)::int as count from anomaly where leads and status = 'Open'`,
    ),
  ]);
  const channels = Object.values(Channel).map((channel): ChannelFigures => {
    const attempts = byChannel.find((row) => row.channel === channel);
    const { confirmed = null, failed = null, expired = null, open = null } = attempts ?? {};
    return {
      channel,
      available: listOffering(call.aggregators, channel).some(({ adapter }) => adapter.available),
      confirmed,
      failed,
      expired,
      open,
      successRate: attempts ? readSuccessRate(attempts) : null,
    };
  });
  const of = (kind: NotificationCount['kind'], status: string) =>
    notifications.find((row) => row.kind === kind && row.status === status)?.count ?? 0;
  return {
    totals,
    channelMix,
    channels,
    webhooks: {
      delivered: of('webhook', 'delivered'),
      pending: of('webhook', 'pending'),
      dead: of('webhook', 'dead'),
    },
    propagations: {
      done: of('propagation', 'done'),
      pending: of('propagation', 'pending'),
      dead: of('propagation', 'dead'),
    },
    openAnomalies: anomalies!.count,
  };
}
