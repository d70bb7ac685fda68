import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Page, type PageArgs, once } from '../../platform/reading/page.ts';
import type { AnomalyKind, Severity } from '../../collection/anomalies/kinds.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { type Decimal, sum, zero } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import { type Span, closeLocalSpan } from '../common/span.ts';
import { readTogether } from '../figures/query/answer.ts';
import { REVENUE } from '../figures/query/groups/payments/revenue.ts';
import { type Columns, settingOf } from '../figures/query/measure-group.ts';
import { CloseList } from './list.ts';
import { type ShiftsOfDay, readShiftDays } from './shifts.ts';
import { say } from '../../kernel/text/said.ts';

/** A day of an agency in one currency, as an auditor closes it. */
export interface DailyClose {
  readonly mda: string;
  readonly day: Date;
  readonly currency: string;
  /** All that the agency had up to the day before, net. */
  readonly opening: Decimal;
  readonly collected: Decimal;
  readonly reversed: Decimal;
  readonly closing: Decimal;
  readonly payments: number;
  readonly reversals: number;
  readonly channels: readonly ChannelTakings[];
  readonly shifts: () => Promise<ShiftsOfDay | null>;
  readonly anomalies: () => Promise<readonly AnomaliesOfDay[]>;
}

export interface ChannelTakings {
  readonly channel: Channel;
  readonly collected: Decimal;
  readonly reversed: Decimal;
  readonly payments: number;
  readonly reversals: number;
}

export interface AnomaliesOfDay {
  readonly kind: AnomalyKind;
  readonly severity: Severity;
  readonly count: number;
}

export interface CloseFilter extends Span {
  readonly agency?: readonly string[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
}

/** Nobody reads each day of a longer span. */
export const MOST_DAYS = 366;

/**
 * The days of agencies, by the time of their country, up to today, each from its opening to its closing, which is the opening of the next. Shifts and
 * anomalies are read where they are asked for.
 */
export async function listDailyCloses(call: Call, filter: CloseFilter, page: PageArgs): Promise<Page<DailyClose>> {
  const { from, to } = await closeLocalSpan(call, { ...filter, timeZone: 'country' });
  const { to: today } = await closeLocalSpan(call, { timeZone: 'country' });
  if ((to.getTime() - from.getTime()) / DAY_MS >= MOST_DAYS)
    throw refuseValue('toDate', say`must be less than ${MOST_DAYS} days after ${'fromDate'}`);
  const slice = { agency: filter.agency, currency: filter.currency };
  const all = { timeZone: 'country', slice, by: ['agency', 'currency'] } as const;
  const [before, within] = await Promise.all([
    readTogether(call, 'revenue', { ...all, from: new Date(0), to: new Date(from.getTime() - DAY_MS) }),
    readTogether(call, 'revenue', { ...all, from, to }),
  ]);
  const nameOf = ({ k0, k1 }: Columns) => `${k0 as string} ${k1 as string}`;
  const last = new Date(Math.min(to.getTime(), today.getTime()));
  const openings = new Map(before.map((row) => [nameOf(row), row['net'] as Decimal]));
  const accounts = [...new Set([...before, ...within].map(nameOf))].toSorted();
  const list = new CloseList(accounts, daysOf(from, last));
  const [begin, stop] = list.windowOf(page);
  // Each day is read of the accounts on the page alone.
  const shown = list.accountsWithin(begin, stop);
  const agency = [...new Set(shown.map((account) => account.split(' ')[0]!))];
  // Those of the page too: each agency's are disclosed separately.
  const days = list.daysWithin(begin, stop);
  const shifts = once(() => readShiftDays(call, { ...filter, agency }, { from, to }, days));
  const anomalies = once(() => readAnomalyDays(call, agency, days));
  // Closings are added up from the first day of the span on; those after the page, nobody sees.
  const upToPage = { from, to: days.at(-1)! };
  const takings = Map.groupBy(
    shown.length === 0 ? [] : await readTakings(call, { ...filter, agency }, upToPage),
    accountOf,
  );
  const closes = shown.flatMap((account) => {
    const [mda, currency] = account.split(' ') as [string, string];
    const byDay = Map.groupBy(takings.get(account) ?? [], ({ day }) => formatDay(day));
    let closing = openings.get(account) ?? zero;
    return list.days.map((day): DailyClose => {
      const key = formatDay(day);
      const channels = byDay.get(key) ?? [];
      const opening = closing;
      const collected = sum(channels.map((row) => row.collected));
      const reversed = sum(channels.map((row) => row.reversed));
      closing = opening.plus(collected).minus(reversed);
      return {
        mda,
        day,
        currency,
        opening,
        collected,
        reversed,
        closing,
        payments: channels.reduce((total, row) => total + row.payments, 0),
        reversals: channels.reduce((total, row) => total + row.reversals, 0),
        channels,
        shifts: async () => (await shifts()).get(`${account} ${key}`) ?? null,
        anomalies: async () => (await anomalies()).get(`${mda} ${key}`) ?? [],
      };
    });
  });
  return list.pageOf(closes, begin, stop);
}

/** Takings of an agency in a currency, on a day by a channel. */
interface Takings extends ChannelTakings {
  readonly mda: string;
  readonly currency: string;
  readonly day: Date;
}

async function readTakings(
  call: Call,
  { agency, currency }: CloseFilter,
  span: { readonly from: Date; readonly to: Date },
): Promise<Takings[]> {
  const by = ['agency', 'currency', 'day', 'channel'] as const;
  return call.analytics.rows<Takings>(sql`
    select k0 as mda, k1 as currency, k2 as day, k3 as channel,
      net + reversed as collected, reversed, events - reversals as payments, reversals
    from (${REVENUE.select({ spans: [span], timeZone: 'country', slice: { agency, currency }, by }, settingOf(call))}) g order by k0, k1, k2, k3`);
}

const accountOf = ({ mda, currency }: Takings) => `${mda} ${currency}`;

function daysOf(from: Date, last: Date): Date[] {
  const count = Math.max(0, (last.getTime() - from.getTime()) / DAY_MS + 1);
  return Array.from({ length: count }, (_day, index) => new Date(from.getTime() + index * DAY_MS));
}

/** Anomalies of agencies on each of these days, by when they were raised. */
async function readAnomalyDays(
  call: Call,
  agency: readonly string[],
  days: readonly Date[],
): Promise<Map<string, AnomaliesOfDay[]>> {
  const [first, last] = [days[0]!, days.at(-1)!];
  const rows = await call.analytics.rows<AnomaliesOfDay & { place: string }>(sql`
    select mda || ' ' || local_day as place, kind, severity, count(*)::int as count from anomaly
    where mda = any(${agency}::text[]) and local_day between ${formatDay(first)}::date and ${formatDay(last)}::date
    group by 1, 2, 3 order by 4 desc, 2, 3`);
  return Map.groupBy(rows, ({ place }) => place);
}
