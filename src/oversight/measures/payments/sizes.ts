import type { Call } from '../../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import { Decimal } from '../../../kernel/money.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { type Days, type Span, type TimeZone, closeLocalSpan, splitByMonths } from '../../figures/span.ts';
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

const NOTHING = new Decimal(0);
const POWERS_OF_TEN = Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => new Decimal(10).pow(digits));

/** The smallest amount that such a part of the payments of a group do not exceed. */
const quantile = (part: number) => sql`min(amount) filter (where upto >= ceil(${part}::float8 * whole))`;

const figures: Figures<SizesGrouping | 'currency', SizesOrder> = {
  dimensions: {
    agency: { key: sql`f.mda` },
    channel: { key: sql`f.channel` },
    month: { key: sql`to_char(f.day, 'YYYY-MM')` },
    currency: { key: sql`f.currency` },
  },
  always: ['currency'],
  measures: sql`sum(f.payments)::int as payments, min(f.lower) as "lowerQuartile", min(f.middle) as median,
    min(f.upper) as "upperQuartile", json_object_agg(f.digits, json_build_array(f.payments, f.amount::text)) as "byDigits"`,
  orders: { key: null, payments: sql`payments desc`, median: sql`median desc` },
};

const COLUMNS: Readonly<Record<SizesGrouping | 'currency', string>> = {
  agency: 'mda',
  channel: 'channel',
  month: 'day',
  currency: 'currency',
};

/** The columns of a year, a month each. */
const MONTHS = Array.from({ length: 12 }, (_, index) => raw(`m${index + 1}`));

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
  const byMonth = groupBy.includes('month') || filter.month != null;
  // Of each group and order of magnitude one fact, from how many there were of each amount.
  const facts = sql`
    select ${keys}, digits, sum(payments)::int as payments, sum(amount * payments) as amount,
      ${quantile(0.25)} as lower, ${quantile(0.5)} as middle, ${quantile(0.75)} as upper
    from (
      select *, length(trunc(amount)::text) as digits, sum(payments) over (partition by ${keys} order by amount) as upto,
        sum(payments) over (partition by ${keys}) as whole
      from (
        select ${keys}, amount, sum(payments)::int as payments from (${await selectSizes(call, span, byMonth)}) s
        ${conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : empty}
        group by ${keys}, amount having sum(payments) > 0
      ) each
    ) placed group by ${keys}, digits`;
  return readGroups(call, figures, facts, { ...question, groupBy, filter: {} });
}

/** Whole months, and the one that it is: it counts as a whole one unless it goes on after the span. */
interface Whole {
  readonly from: Date;
  readonly to: Date;
  readonly running: { readonly days: Days; readonly goesOn: Sql } | null;
}

/**
 * How many payments of a span there were of each amount, with the first day of their month where that is asked for. A
 * last month of which there are no days after the span counts as a whole one: so does the one that it is, of a span up
 * to today.
 */
async function selectSizes(call: Call, span: Span, byMonth: boolean): Promise<Sql> {
  const { from, to, timeZone } = await closeLocalSpan(call, span);
  const { months, edges } = splitByMonths({ from, to });
  const day = timeZone === 'UTC' ? sql`day` : sql`local_day`;
  const end = months && edges.find((edge) => edge.from! > months.to!);
  const after = end && sql`${day} > ${formatDay(end.to!)}::date and ${day} < ${monthFrom(end.from!, 1)}::date`;
  const goesOn =
    after &&
    sql`(select exists (select from oversight.channel_revenue_daily where ${after}) or exists (select from oversight.tail where ${after}))`;
  const whole = months && {
    from: months.from!,
    to: months.to!,
    running: end ? { days: end, goesOn: goesOn! } : null,
  };
  const monthOf = (of: Sql) => (byMonth ? sql`date_trunc('month', ${of}::timestamp)::date as day,` : empty);
  const ofMonths = whole
    ? [
        byMonth ? selectMonths(day, whole) : selectYears(timeZone, whole),
        sql`
          select ${monthOf(day)} mda, channel::text, currency, amount, 1 from oversight.tail
          where kind = 'payment' and ${isWithin(day, whole)}`,
      ]
    : [];
  const ofDays = edges.map(
    async (edge) => sql`
      select ${monthOf(sql`day`)} mda, channel, currency, amount, 1 from (${await selectWithin(
        call,
        { fromDate: edge.from, toDate: edge.to, timeZone },
        'event',
        sql`mda, channel::text, currency, kind, amount`,
      )}) dated where kind = 'payment' ${edge === end ? sql`and ${goesOn!}` : empty}`,
  );
  return sql`
    select * from (${joined([...ofMonths, ...(await Promise.all(ofDays))], ' union all ')})
      s (${byMonth ? sql`day,` : empty} mda, channel, currency, amount, payments)`;
}

/** That a day lies in these months. */
function isWithin(day: Sql, { from, to, running }: Whole): Sql {
  const within = ({ from: first, to: last }: Days) =>
    sql`${day} between ${formatDay(first!)}::date and ${formatDay(last!)}::date`;
  return running
    ? sql`(${within({ from, to })} or ${within(running.days)} and not ${running.goesOn})`
    : within({ from, to });
}

/** How many there were in each of these months. */
function selectMonths(day: Sql, whole: Whole): Sql {
  const { from, to, running } = whole;
  // Days of any zone lie in the same month of UTC, or one beside it, which an index finds.
  return sql`
    select ${day} as day, mda, channel::text, currency, amount, payments from oversight.payment_size_monthly
    where ${isWithin(day, whole)}
      and day between ${monthFrom(from, -1)}::date and ${monthFrom(running?.days.from ?? to, 1)}::date`;
}

/** How many there were in all of these months, from sums whose rows are years and whose columns are months. */
function selectYears(timeZone: TimeZone, { from, to, running }: Whole): Sql {
  const last = running?.days.from ?? to;
  const [firstYear, lastYear] = [from.getUTCFullYear(), last.getUTCFullYear()];
  const inYear = (year: number) => {
    const [begin, end] = [year === firstYear ? from.getUTCMonth() : 0, year === lastYear ? last.getUTCMonth() : 11];
    const columns = MONTHS.slice(begin, end + 1);
    const runs = running && year === lastYear ? columns.pop() : null;
    return joined([...columns, ...(runs ? [sql`case when ${running!.goesOn} then 0 else ${runs} end`] : [])], ' + ');
  };
  const years = [...new Set([firstYear, lastYear])].map((year) => sql`when ${year} then ${inYear(year)}`);
  return sql`
    select mda, channel::text, currency, amount, case year ${joined(years, ' ')} else ${joined(MONTHS, ' + ')} end
    from oversight.payment_size_yearly
    where local = ${timeZone !== 'UTC'} and year between ${firstYear} and ${lastYear}`;
}

/** The first day of the month that is so many later than the one of a day. */
const monthFrom = (of: Date, later: number) =>
  formatDay(new Date(Date.UTC(of.getUTCFullYear(), of.getUTCMonth() + later, 1)));

/** The orders of magnitude that there were, the smallest first. */
export function listSizeClasses({ byDigits }: PaymentSizes): SizeClass[] {
  return Object.entries(byDigits)
    .map(([digits, [payments, amount]]) => ({
      from: digits === '1' ? NOTHING : POWERS_OF_TEN[Number(digits) - 1]!,
      to: POWERS_OF_TEN[Number(digits)]!,
      payments,
      amount: new Decimal(amount),
    }))
    .toSorted((a, b) => a.from.comparedTo(b.from));
}
