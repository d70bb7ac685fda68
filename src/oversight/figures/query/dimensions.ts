import { type Sql, raw, sql } from '../../../platform/database/sql.ts';
import { formatDay } from '../../../kernel/time.ts';
import { AGE_BANDS } from '../../common/ages.ts';

/** Table that a fact is joined with for a dimension. */
export type Side = 'agency' | 'service';

export interface Dimension {
  readonly description: string;
  /**
   * Its value: from a fact `f`, its agency `a` and its service `s`. Facts have `on_day` and `on_hour`, by the clock that
   * is asked for.
   */
  readonly key: Sql;
  readonly side?: Side;
  /** The length of a period, where it is one. */
  readonly period?: Every;
  /** Form of a value in answers that differs from its own. */
  readonly write?: (value: Date & number) => string;
  /** Its values in their order, where that is not the order of their texts. */
  readonly order?: readonly string[];
  /** The scope that it takes, beyond that of oversight. */
  readonly need?: 'oversight.audit';
  /** Number of its values in a country, about; where it is not said, there are a few. */
  readonly values?: number;
}

/** The periods by which series are made. */
export const EVERY = ['day', 'week', 'month', 'quarter', 'year', 'fiscal_year'] as const;
export type Every = (typeof EVERY)[number];
const DAYS_OF = { day: 1, week: 7, month: 30, quarter: 91, year: 365, fiscal_year: 365 } as const;

/** Periods are numbers until they are written: that takes a fraction of what `date_trunc` takes for each row. */
const monthNumber = sql`(year(f.on_day) * 12 + month(f.on_day) - 1)`;
/** The year that it begins in, twice, and one more where it ends in another. */
const fiscalYear = sql`((year(f.on_day) - (month(f.on_day) < a.fiscal_year_month)::int) * 2 + (a.fiscal_year_month > 1)::int)`;
const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Amounts have up to 15 digits, which take longer to count than to compare. */
const sizes = Array.from(
  { length: 14 },
  (_, at) => `when abs(f.event_amount) < ${10 ** (at + 1)} then ${at && 10 ** at}`,
);

/** Everything that figures can be grouped and filtered by, defined once. */
export const DIMENSIONS = {
  agency: { description: 'The agency that amounts are owed to.', key: sql`f.mda`, values: 60 },
  sector: { description: 'The sector of services.', key: sql`s.sector`, side: 'service' },
  family: { description: 'The family of services.', key: sql`s.family`, side: 'service' },
  service: { description: 'The service that was paid for.', key: sql`nullif(f.service, '')`, values: 500 },
  channel: { description: 'The payment channel, such as mobile money.', key: sql`f.channel` },
  country: { description: 'The country of the agency.', key: sql`a.country`, side: 'agency' },
  region: { description: 'The region of the agency.', key: sql`a.region`, side: 'agency' },
  district: { description: 'The district of the agency.', key: sql`a.district`, side: 'agency', values: 100 },
  station: { description: 'Place of collection: at a counter, by an integrator, or elsewhere.', key: sql`f.station` },
  counter: {
    description: 'The counter, by agency and label: where money was taken, or a shift was kept.',
    key: sql`f.counter`,
    values: 200,
  },
  integrator: {
    description: 'The integrator that collected the money. Requires the scope `oversight.audit`.',
    key: sql`f.integrator`,
    need: 'oversight.audit',
  },
  currency: { description: 'The currency. Amounts are always grouped by it.', key: sql`f.currency`, values: 1 },
  size: {
    description: 'The order of magnitude of the payment: the power of ten that its amount reaches; 0 below 10.',
    key: sql`(case ${raw(sizes.join(' '))} else 100000000000000 end)::bigint`,
  },
  kind: { description: 'Payments and reversals separately.', key: sql`f.kind` },
  proof: { description: 'Proof by which payments were confirmed.', key: sql`f.proof` },
  provider: {
    description: 'The payment provider that took the money, or whose statements they are.',
    key: sql`f.provider`,
  },
  anomaly: { description: 'The kind of anomaly.', key: sql`f.kind` },
  severity: { description: 'Urgency of an anomaly.', key: sql`f.severity` },
  status: { description: 'State of an anomaly, open or resolved, as it stands now.', key: sql`f.status` },
  age: {
    description:
      'Time since an anomaly was detected or an unpaid assessment was made, or from the request of a refund to its payment.',
    key: sql`f.age`,
    order: AGE_BANDS,
  },
  cause: { description: 'Reason why an attempt to pay failed or expired.', key: sql`f.cause` },
  source: { description: 'Source of the record of a person.', key: sql`f.source` },
  refund_reason: { description: 'The reason for a refund.', key: sql`f.code` },
  ground: { description: 'The ground of exemptions.', key: sql`f.ground` },
  refund_method: { description: 'The way in which a refund was paid.', key: sql`f.method` },
  year: { description: 'The year of the calendar.', key: sql`year(f.on_day)`, period: 'year', write: String },
  fiscal_year: {
    description: "The fiscal year, which begins as the agency's country profile says.",
    key: fiscalYear,
    side: 'agency',
    period: 'fiscal_year',
    write: (number) => {
      const year = Math.floor(number / 2);
      return number % 2 === 0 ? String(year) : `${year}/${twoDigits((year + 1) % 100)}`;
    },
  },
  quarter: {
    description: 'The quarter of the calendar year.',
    key: sql`(year(f.on_day) * 4 + quarter(f.on_day) - 1)`,
    period: 'quarter',
    write: (number) => `${Math.floor(number / 4)}-Q${(number % 4) + 1}`,
  },
  month: {
    description: 'The month of the calendar.',
    key: monthNumber,
    period: 'month',
    write: (number) => `${Math.floor(number / 12)}-${twoDigits((number % 12) + 1)}`,
  },
  week: {
    description: 'The ISO week, from Monday.',
    key: sql`date_trunc('week', f.on_day)::date`,
    period: 'week',
    write: formatWeek,
  },
  day: { description: 'The day of the calendar.', key: sql`f.on_day`, period: 'day', write: formatDay },
  weekday: { description: 'The day of the week, 1 (Monday) to 7 (Sunday).', key: sql`extract(isodow from f.on_day)` },
  hour: { description: 'The hour of the day, 0 to 23.', key: sql`f.on_hour` },
} as const satisfies Readonly<Record<string, Dimension>>;

export type DimensionName = keyof typeof DIMENSIONS;

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly DimensionName[];

export const dimensionOf = (name: DimensionName): Dimension => DIMENSIONS[name];

const FEW_VALUES = 4;

/** Number of groups that dimensions make of some days, about: what a question may cost is known before it is read. */
export function guessGroups(by: readonly DimensionName[], days: number): number {
  return by.map(dimensionOf).reduce((groups, { period, values = FEW_VALUES }) => {
    return groups * (period ? Math.max(days / DAYS_OF[period], 1) : values);
  }, 1);
}

/** The ISO week of a Monday, `YYYY-Www`: that of its Thursday's year. */
function formatWeek(monday: Date): string {
  const thursday = new Date(monday.getTime() + 3 * 86_400_000);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / (7 * 86_400_000)) + 1;
  return `${thursday.getUTCFullYear()}-W${twoDigits(week)}`;
}

/** Name of a period that begins with a day; fiscal years begin with a month. */
export function namePeriod(every: Every, first: Date, fiscalMonth: number): string {
  const year = first.getUTCFullYear();
  switch (every) {
    case 'day':
      return formatDay(first);
    case 'week':
      return formatWeek(first);
    case 'month':
      return formatDay(first).slice(0, 7);
    case 'quarter':
      return `${year}-Q${Math.floor(first.getUTCMonth() / 3) + 1}`;
    case 'year':
      return String(year);
    case 'fiscal_year':
      return fiscalMonth === 1 ? String(year) : `${year}/${twoDigits((year + 1) % 100)}`;
  }
}

/** A value of a dimension as it is compared and answered. */
export type KeyValue = string | number | null;

/** Value by which rows are compared when ordered by a dimension. */
export function placeIn(name: DimensionName, value: KeyValue): KeyValue {
  const { order } = dimensionOf(name);
  return order && value !== null ? order.indexOf(String(value)) : value;
}

export function writeKey(name: DimensionName, value: unknown): KeyValue {
  if (value === null || value === undefined) return null;
  const { write } = dimensionOf(name);
  return write ? write(value as Date & number) : (value as KeyValue);
}
