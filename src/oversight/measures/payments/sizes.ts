import type { Call } from '../../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import { Decimal } from '../../../kernel/money.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { type Days, type Span, closeLocalSpan, splitByMonths } from '../../figures/span.ts';
import { formatDay } from '../../../kernel/time.ts';
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
    return sql`${String(index + 1)}::text,
      json_build_array(coalesce(sum(f.payments) ${ofClass}, 0), sum(f.amount * f.payments) ${ofClass}::text)`;
  }),
);
/** The smallest amount that such a part of the payments of a group do not exceed. */
const quantile = (part: number) => sql`min(f.amount) filter (where f.upto >= ceil(${part}::float8 * f.whole))`;

const figures: Figures<SizesGrouping | 'currency', SizesOrder> = {
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`f.channel` },
    month: { key: sql`to_char(f.day, 'YYYY-MM')` },
    currency: { key: sql`f.currency` },
  },
  always: ['currency'],
  measures: sql`sum(f.payments)::int as payments, ${quantile(0.25)} as "lowerQuartile", ${quantile(0.5)} as median,
    ${quantile(0.75)} as "upperQuartile", json_build_object(${classes}) as "byDigits"`,
  orders: { key: null, payments: sql`payments desc`, median: sql`median desc` },
};

const COLUMNS: Readonly<Record<SizesGrouping | 'currency', string>> = {
  agency: 'mda',
  channel: 'channel',
  month: 'day',
  currency: 'currency',
};

const GROUPS = Object.keys(COLUMNS) as (SizesGrouping | 'currency')[];

/**
 * How large the payments of a span were, in groups: from how many there were of each amount, of whole months, and from
 * the payments of the days before and after these. Payments are public, one by one: all are told of.
 */
export async function readPaymentSizes(
  call: Call,
  span: Span,
  { groupBy, filter, ...question }: GroupsQuestion<SizesGrouping | 'currency', SizesOrder>,
): Promise<Page<PaymentSizes>> {
  const keys = joined([...new Set([...groupBy, 'currency' as const])].map((group) => raw(COLUMNS[group])));
  const conditions = GROUPS.flatMap((group) => {
    const values = filter[group];
    return values == null ? [] : [sql`${raw(COLUMNS[group])} = any(${values})`];
  });
  const facts = sql`
    select *, length(trunc(amount)::text) as digits, sum(payments) over (partition by ${keys} order by amount) as upto,
      sum(payments) over (partition by ${keys}) as whole
    from (
      select ${keys}, amount, sum(payments) as payments from (${await selectSizes(call, span)}) s
      ${conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : empty}
      group by ${keys}, amount
    ) each`;
  return readGroups(call, figures, facts, { ...question, groupBy, filter: {} });
}

/**
 * How many payments of a span there were of each amount, with the first day of their month. A last month of which there
 * are no days after the span counts as a whole one: so does the one that it is, of a span up to today.
 */
async function selectSizes(call: Call, span: Span): Promise<Sql> {
  const { from, to, timeZone } = await closeLocalSpan(call, span);
  const { months, edges } = splitByMonths({ from, to });
  const day = timeZone === 'UTC' ? sql`day` : sql`local_day`;
  const within = ({ from: first, to: last }: Days) =>
    sql`${day} between ${formatDay(first!)}::date and ${formatDay(last!)}::date`;
  const end = months && edges.find((edge) => edge.from! > months.to!);
  const after = end && sql`${day} > ${formatDay(end.to!)}::date and ${day} < ${monthFrom(end.from!, 1)}::date`;
  const goesOn =
    after &&
    sql`(select exists (select from oversight.channel_revenue_daily where ${after}) or exists (select from oversight.tail where ${after}))`;
  const whole = months && (end ? sql`(${within(months)} or ${within(end)} and not ${goesOn!})` : within(months));
  const ofMonths =
    months && whole
      ? [
          // Days of any zone lie in the same month of UTC, or one beside it, which an index finds.
          sql`
          select ${day} as day, mda, channel::text, currency, amount, payments from oversight.payment_size_monthly
          where ${whole} and day between ${monthFrom(months.from!, -1)}::date and ${monthFrom(end?.from ?? months.to!, 1)}::date`,
          sql`
          select date_trunc('month', ${day}::timestamp)::date, mda, channel::text, currency, amount, 1
          from oversight.tail where kind = 'payment' and ${whole}`,
        ]
      : [];
  const ofDays = edges.map(
    async (edge) => sql`
      select date_trunc('month', day::timestamp)::date, mda, channel, currency, amount, 1 from (${await selectWithin(
        call,
        { fromDate: edge.from, toDate: edge.to, timeZone },
        'event',
        sql`mda, channel::text, currency, kind, amount`,
      )}) dated where kind = 'payment' ${edge === end ? sql`and ${goesOn!}` : empty}`,
  );
  return sql`
    select * from (${joined([...ofMonths, ...(await Promise.all(ofDays))], ' union all ')})
      s (day, mda, channel, currency, amount, payments)`;
}

/** The first day of the month that is so many later than the one of a day. */
const monthFrom = (of: Date, later: number) =>
  formatDay(new Date(Date.UTC(of.getUTCFullYear(), of.getUTCMonth() + later, 1)));

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
