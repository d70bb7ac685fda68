import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { formatDay } from '../../kernel/time.ts';
import { FEWEST_PEOPLE } from '../common/small-cells.ts';
import { type Span, closeLocalSpan } from '../common/span.ts';
import { say } from '../../kernel/text/said.ts';

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
  readonly counterAgency: string | null;
  readonly counter: string | null;
  readonly explained: boolean;
  /** True if the person who took the money reversed it; null if no hand took it, or nobody knows whose. */
  readonly sameHand: boolean | null;
}

export interface CancellationFilter extends Span {
  readonly kind?: CancellationKind | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
  readonly channel?: readonly Channel[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
  readonly minAmount?: Decimal | null | undefined;
  readonly maxAmount?: Decimal | null | undefined;
}

export type CancellationOrder = 'newest' | 'oldest' | 'largest';

const ORDERS = {
  newest: { order: ['cancelled_at', 'name'], direction: 'desc' },
  oldest: { order: ['cancelled_at', 'name'], direction: 'asc' },
  largest: { order: ['amount', 'name'], direction: 'desc' },
} as const satisfies Record<CancellationOrder, object>;

/** Reversals and cancellations in a span, one row for each agency that was owed. */
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
          r.paid_at as "paidAt", r.counter_mda as "counterAgency", r.counter, r.explained, r.same_hand as "sameHand"
        from cancellation r`,
      table: 'cancellation',
      ...ORDERS[orderBy],
      where: [],
      filters: await conditionsOf(call, filter),
      db: call.analytics,
      asValue: true,
    },
    page,
  );
}

/** The conditions of a filter on `cancellation r`. */
async function conditionsOf(call: Call, filter: CancellationFilter): Promise<(Sql | null)[]> {
  const { from, to, timeZone } = await closeLocalSpan(call, filter);
  const { minAmount, maxAmount } = filter;
  if (minAmount && maxAmount && maxAmount.lessThan(minAmount))
    throw refuseValue('maxAmount', say`must not be less than ${'minAmount'}`);
  const day = timeZone === 'UTC' ? sql`r.day` : sql`r.local_day`;
  return [
    sql`${day} >= ${formatDay(from)}::date and ${day} <= ${formatDay(to)}::date`,
    sql`r.told`,
    sql`(r.kind = 'reversal' or r.amount > 0 and (r.mda, r.currency, r.month) in (
      select d.mda, d.currency, d.month from cancellation d where d.kind = 'cancellation' and d.told
      group by all having count(distinct d.person) >= ${FEWEST_PEOPLE}))`,
    ifGiven(filter.kind, (kind) => sql`r.kind = ${kind}`),
    ifGiven(filter.agency, (agency) => sql`r.mda = any(${agency}::text[])`),
    ifGiven(filter.channel, (channel) => sql`r.channel = any(${channel}::text[])`),
    ifGiven(filter.currency, (currency) => sql`r.currency = any(${currency}::text[])`),
    ifGiven(minAmount, (amount) => sql`r.amount >= ${amount}`),
    ifGiven(maxAmount, (amount) => sql`r.amount <= ${amount}`),
  ];
}
