import type { Call } from '../../../platform/call/call.ts';
import { joined, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import { Decimal } from '../../../kernel/money.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import { type Figures, type GroupsQuestion, readGroups } from '../../root/groups.ts';
import { selectWithin } from './days.ts';

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
  /** By the number of digits of their amounts, without decimals: how many, and how much together. */
  readonly byDigits: Readonly<Record<string, readonly [payments: number, amount: string]>>;
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

const classes = joined(
  Array.from({ length: MOST_DIGITS }, (_, index) => {
    const ofClass = sql`filter (where f.digits = ${index + 1})`;
    return sql`${String(index + 1)}::text, json_build_array(count(*) ${ofClass}, sum(f.amount) ${ofClass}::text)`;
  }),
);
const quantile = (part: number) => sql`percentile_disc(${part}::float8) within group (order by f.amount)`;

const figures: Figures<SizesGrouping | 'currency', SizesOrder> = {
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`f.channel` },
    month: { key: sql`to_char(f.day, 'YYYY-MM')` },
    currency: { key: sql`f.currency` },
  },
  always: ['currency'],
  measures: sql`count(*)::int as payments, ${quantile(0.25)} as "lowerQuartile", ${quantile(0.5)} as median,
    ${quantile(0.75)} as "upperQuartile", json_build_object(${classes}) as "byDigits"`,
  orders: { key: null, payments: sql`payments desc`, median: sql`median desc` },
};

/** How large the payments of a span were, in groups. Payments are public, one by one: all are told of. */
export async function readPaymentSizes(
  call: Call,
  span: Span,
  question: GroupsQuestion<SizesGrouping | 'currency', SizesOrder>,
): Promise<Page<PaymentSizes>> {
  const columns = sql`mda, channel::text, currency, kind, amount, length(trunc(amount)::text) as digits`;
  const facts = sql`
    select * from (${await selectWithin(call, span, 'event', columns)}) dated where kind = 'payment'`;
  return readGroups(call, figures, facts, question);
}

/** The orders of magnitude that there were, the smallest first. */
export function listSizeClasses({ byDigits }: PaymentSizes): SizeClass[] {
  return Object.entries(byDigits)
    .filter(([, [payments]]) => payments > 0)
    .map(([digits, [payments, amount]]) => ({
      from: digits === '1' ? new Decimal(0) : new Decimal(10).pow(Number(digits) - 1),
      to: new Decimal(10).pow(Number(digits)),
      payments,
      amount: new Decimal(amount),
    }))
    .toSorted((a, b) => a.from.comparedTo(b.from));
}
