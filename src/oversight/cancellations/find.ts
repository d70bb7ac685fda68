import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { FEWEST_PEOPLE } from '../figures/small-cells.ts';
import { type Span, closeLocalSpan, conditionsWithin } from '../figures/span.ts';

export type CancellationKind = 'reversal' | 'cancellation';

/** A payment that was reversed, or a demand that was cancelled before it was paid, of one agency. */
export interface Cancellation {
  readonly name: string;
  readonly kind: CancellationKind;
  readonly mda: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly channel: Channel | null;
  readonly cancelledAt: Date;
  readonly paidAt: Date | null;
  readonly counterMda: string | null;
  readonly counter: string | null;
  readonly explained: boolean;
  /** Whether who took the money reversed it; null where no hand took it, or nobody knows whose. */
  readonly sameHand: boolean | null;
}

export interface CancellationFilter extends Span {
  readonly kind?: CancellationKind | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
  readonly channel?: readonly Channel[] | null | undefined;
  readonly currency?: string | null | undefined;
  readonly minAmount?: Decimal | null | undefined;
  readonly maxAmount?: Decimal | null | undefined;
}

export type CancellationOrder = 'newest' | 'oldest' | 'largest';

const ORDERS = {
  newest: { order: ['cancelled_at', 'name'], direction: 'desc' },
  oldest: { order: ['cancelled_at', 'name'], direction: 'asc' },
  largest: { order: ['amount', 'name'], direction: 'desc' },
} as const satisfies Record<CancellationOrder, object>;

/** What was reversed or cancelled in a span, one row for each agency that it was owed to. */
export async function listCancellations(
  call: Call,
  filter: CancellationFilter,
  orderBy: CancellationOrder,
  page: PageArgs,
): Promise<Page<Cancellation>> {
  return readPage<Cancellation>(
    call,
    {
      select: sql`
        select r.name, r.kind, r.mda, r.amount, r.currency, r.channel, r.cancelled_at as "cancelledAt",
          r.paid_at as "paidAt", r.counter_mda as "counterMda", r.counter, r.explained, r.same_hand as "sameHand"
        from oversight.cancellation r`,
      table: 'oversight.cancellation',
      ...ORDERS[orderBy],
      where: [],
      filters: await conditionsOf(call, filter),
      db: call.oversight,
    },
    page,
  );
}

/** The conditions of a filter on `oversight.cancellation r`. */
export async function conditionsOf(call: Call, filter: CancellationFilter): Promise<(Sql | null)[]> {
  const { from, to, timeZone } = await closeLocalSpan(call, filter);
  const { minAmount, maxAmount } = filter;
  if (minAmount && maxAmount && maxAmount.lessThan(minAmount))
    throw refuseValue('maxAmount', 'must not be less than minAmount');
  return [
    ...conditionsWithin({ fromDate: from, toDate: to, timeZone }, sql`r.cancelled_at`, sql`r.mda`),
    sql`(r.kind = 'reversal' or (r.mda, r.currency, ${MONTH}) in (${selectMonthsOfMany(from, to)}))`,
    ifGiven(filter.kind, (kind) => sql`r.kind = ${kind}`),
    ifGiven(filter.agency, (agency) => sql`r.mda = any(${agency})`),
    ifGiven(filter.channel, (channel) => sql`r.channel::text = any(${channel})`),
    ifGiven(filter.currency, (currency) => sql`r.currency = ${currency}`),
    ifGiven(minAmount, (amount) => sql`r.amount >= ${amount}`),
    ifGiven(maxAmount, (amount) => sql`r.amount <= ${amount}`),
  ];
}

const MONTH = sql`date_trunc('month', r.cancelled_at at time zone 'utc')::date`;

/** The months, by agency and currency, in which demands on enough people were cancelled for them to be listed. */
function selectMonthsOfMany(from: Date, to: Date): Sql {
  return sql`
    select p.mda, p.currency, p.month from ${peopleByMonth(monthOf(from, -1), monthOf(to, 2))} p
    group by 1, 2, 3 having count(*) >= ${FEWEST_PEOPLE}`;
}

/**
 * The agencies and currencies of which something is kept back: in a month that the span touches, demands on few people
 * were cancelled. Of whole months, whichever amounts are asked for: which of them it is about would tell what it is.
 */
export async function selectKeptBack(call: Call, filter: CancellationFilter): Promise<Sql> {
  const { from, to } = await closeLocalSpan(call, filter);
  const { kind, channel, agency, currency } = filter;
  return sql`
    select distinct f.mda, f.currency from (
      select p.mda, p.currency, p.month from ${peopleByMonth(monthOf(from, 0), monthOf(to, 1))} p
      group by 1, 2, 3 having count(*) < ${FEWEST_PEOPLE}
    ) f where ${kind !== 'reversal' && channel == null} and ${agency == null ? sql`true` : sql`f.mda = any(${agency})`}
      and ${currency == null ? sql`true` : sql`f.currency = ${currency}`}`;
}

/** Each person on whom a demand was cancelled in a month, once, by a hash: counted as distinct, all would be sorted. */
function peopleByMonth(first: Date, next: Date): Sql {
  return sql`(
    select distinct d.mda, d.currency, d.month, d.person from oversight.cancelled_demand d
    where d.cancelled_at >= ${first} and d.cancelled_at < ${next} and d.person is not null)`;
}

/** The beginning of the UTC month of a day, or of one so many months later. */
function monthOf(day: Date, later: number): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + later, 1));
}
