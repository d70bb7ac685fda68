import { type Sql, sql } from '../../platform/database/sql.ts';

/** What a dimension takes to be told, beside the column of its name. */
type Needs =
  /** The month of each sum. */
  | 'months'
  /** Sums by day. */
  | 'days'
  /** The service that each part pays, and what is known of it. */
  | 'services'
  /** What is known of the agency. */
  | 'agencies';

interface Dimension {
  /** How it is told from a row of the facts `f`, its agency `a` and its service `s`. */
  readonly key: Sql;
  readonly needs?: readonly Needs[];
  /** How a key is written: once for a group, not once for a row. Without it, the key is text, and sorted as text. */
  readonly written?: (column: Sql) => Sql;
}

const asItIs = (column: Sql) => column;
const startOf = (period: string) => sql`date_trunc(${period}, f.day::timestamp)::date`;
const fiscalYear = sql`(extract(year from f.day)::int - (extract(month from f.day) < a.fiscal_year_month)::int)`;

/** By what revenue is grouped, in the order in which groups are sorted. */
export const DIMENSIONS = {
  mda: { key: sql`f.mda` },
  sector: { key: sql`s.sector`, needs: ['services'] },
  family: { key: sql`s.family`, needs: ['services'] },
  service: { key: sql`nullif(f.service, '')`, needs: ['services'] },
  channel: { key: sql`f.channel::text` },
  country: { key: sql`a.country`, needs: ['agencies'] },
  region: { key: sql`a.region`, needs: ['agencies'] },
  district: { key: sql`a.district`, needs: ['agencies'] },
  station: { key: sql`f.station` },
  counter: { key: sql`f.counter` },
  integrator: { key: sql`f.integrator` },
  currency: { key: sql`f.currency` },
  fiscal_year: {
    key: sql`case when a.fiscal_year_month = 1 then ${fiscalYear}::text
      else ${fiscalYear} || '/' || lpad(((${fiscalYear} + 1) % 100)::text, 2, '0') end`,
    needs: ['months', 'agencies'],
  },
  quarter: { key: startOf('quarter'), needs: ['months'], written: (column) => sql`to_char(${column}, 'YYYY-"Q"Q')` },
  day: { key: sql`f.day`, needs: ['days'], written: (column) => sql`to_char(${column}, 'YYYY-MM-DD')` },
  week: { key: startOf('week'), needs: ['days'], written: (column) => sql`to_char(${column}, 'IYYY-"W"IW')` },
  month: { key: startOf('month'), needs: ['months'], written: (column) => sql`to_char(${column}, 'YYYY-MM')` },
  weekday: { key: sql`extract(isodow from f.day)::int`, needs: ['days'], written: asItIs },
  hour: { key: sql`f.hour`, written: asItIs },
  kind: { key: sql`k.kind` },
} as const satisfies Readonly<Record<string, Dimension>>;

export type Grouping = keyof typeof DIMENSIONS;

export const GROUPINGS = Object.keys(DIMENSIONS) as readonly Grouping[];

const dimensionOf = (grouping: Grouping): Dimension => DIMENSIONS[grouping];

/** Whether any of some groupings needs something. */
export function areInNeedOf(need: Needs, groupings: readonly Grouping[]): boolean {
  return groupings.some((grouping) => dimensionOf(grouping).needs?.includes(need));
}

/** How a key is told. */
export function keyOf(grouping: Grouping): Sql {
  return dimensionOf(grouping).key;
}

/** A key of a group as answers have it. */
export function writeKey(grouping: Grouping, column: Sql): Sql {
  return dimensionOf(grouping).written?.(column) ?? column;
}

/** A key of a group as groups are sorted by it: whatever the language of the database. */
export function sortKey(grouping: Grouping, column: Sql): Sql {
  return dimensionOf(grouping).written ? column : sql`${column} collate "C"`;
}
