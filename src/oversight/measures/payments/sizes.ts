import type { Call } from '../../../platform/call/call.ts';
import { joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../../platform/reading/page.ts';
import { Decimal } from '../../../kernel/money.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { type Span, closeLocalSpan } from '../../figures/span.ts';
import { firstOfMonth } from '../../revenue/dimensions.ts';
import { fromParts } from '../../revenue/facts.ts';
import { type Figures, readGroups } from '../../root/groups.ts';

export type SizesGrouping = 'agency' | 'channel' | 'month';
export type SizesOrder = 'key' | 'payments' | 'median';

/** How large the payments of a group were. */
export interface PaymentSizes {
  readonly agency?: string;
  readonly channel?: Channel;
  readonly month?: string;
  readonly currency: string;
  readonly payments: number;
  readonly lowerQuartile: Decimal;
  readonly median: Decimal;
  readonly upperQuartile: Decimal;
  /** By the number of digits of their amounts, without decimals. */
  readonly byDigits: readonly { readonly digits: number; readonly payments: number; readonly amount: Decimal }[];
}

/** The payments of one order of magnitude. */
export interface SizeClass {
  readonly from: Decimal;
  readonly to: Decimal;
  readonly payments: number;
  readonly amount: Decimal;
}

/** The longest amount that a payment has, in digits before its decimals. */
const MOST_DIGITS = 15;

const NOTHING = new Decimal(0);
const POWERS_OF_TEN = Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => new Decimal(10).pow(digits));

/** The smallest amount that such a part of the payments of a group do not exceed. */
const quantile = (part: number) => sql`min(amount) filter (where upto >= ceil(${part}::double * whole))`;

const figures: Figures<SizesGrouping | 'currency', SizesOrder> = {
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`f.channel` },
    month: { key: sql`strftime(f.month, '%Y-%m')` },
    currency: { key: sql`f.currency` },
  },
  always: ['currency'],
  measures: sql`sum(f.payments) as payments, min(f.lower) as "lowerQuartile", min(f.middle) as median,
    min(f.upper) as "upperQuartile", list({ digits: f.digits, payments: f.payments, amount: f.amount } order by f.digits) as "byDigits"`,
  orders: { key: null, payments: sql`payments desc`, median: sql`median desc` },
};

const COLUMNS: Readonly<Record<SizesGrouping | 'currency', string>> = {
  agency: 'mda',
  channel: 'channel',
  month: 'month',
  currency: 'currency',
};

export interface SizesQuestion extends Span, PageArgs {
  readonly groupBy: readonly SizesGrouping[];
  readonly agency?: readonly string[] | null | undefined;
  readonly channel?: readonly Channel[] | null | undefined;
  readonly currency?: string | null | undefined;
  readonly orderBy: SizesOrder;
}

/**
 * How large the payments of a span were, in groups: from how many there were of each amount. Payments are public, one by
 * one: all are told of.
 */
export async function readPaymentSizes(call: Call, question: SizesQuestion): Promise<Page<PaymentSizes>> {
  const { agency: mda, channel, currency, groupBy } = question;
  const { from: fromDate, to: toDate, timeZone } = await closeLocalSpan(call, question);
  const keys = joined([...new Set([...groupBy, 'currency' as const])].map((group) => raw(COLUMNS[group])));
  // Of each group and order of magnitude one fact, from how many there were of each amount.
  const facts = sql`
    with payments as (
      select f.mda, f.channel, f.currency, f.event_amount as amount, ${firstOfMonth} as month
      ${fromParts([], { fromDate, toDate, timeZone, mda, channel, currency })} and f.leads and f.kind = 'payment'
    ), each as (
      select ${keys}, amount, count(*) as payments from payments group by ${keys}, amount
    ), placed as (
      select *, length(trunc(amount)::bigint::text) as digits, sum(payments) over (partition by ${keys} order by amount) as upto,
        sum(payments) over (partition by ${keys}) as whole
      from each
    )
    select ${keys}, digits, sum(payments) as payments, sum(amount * payments) as amount,
      ${quantile(0.25)} as lower, ${quantile(0.5)} as middle, ${quantile(0.75)} as upper
    from placed group by ${keys}, digits`;
  return readGroups(call, figures, facts, { ...question, filter: {} });
}

/** The orders of magnitude that there were, the smallest first. */
export function listSizeClasses({ byDigits }: PaymentSizes): SizeClass[] {
  return byDigits.map(({ digits, payments, amount }) => ({
    from: digits === 1 ? NOTHING : POWERS_OF_TEN[digits - 1]!,
    to: POWERS_OF_TEN[digits]!,
    payments,
    amount,
  }));
}
