import { type Sql, raw, sql } from '../../platform/database/sql.ts';

interface Dimension {
  /** How it is told from a part of a payment `f`, its agency `a` and its service `s`. */
  readonly key: Sql;
  /** What else than the part has to be known for it. */
  readonly needs?: 'agency' | 'service';
  /** How a key is written: once for a group, not once for a row. Without it, the key is text, and sorted as text. */
  readonly written?: (column: Sql) => Sql;
}

const asItIs = (column: Sql) => column;
/** What `date_trunc` says, several times as fast. */
export const firstOfMonth = sql`(f.day - (dayofmonth(f.day) - 1)::int)`;
const writeDate = (format: string) => (column: Sql) => sql`strftime(${column}, ${raw(`'${format}'`)})`;
/** The year that it begins in, twice, and one more where it ends in another. */
const fiscalYear = sql`((year(f.day) - (month(f.day) < a.fiscal_year_month)::int) * 2 + (a.fiscal_year_month > 1)::int)`;

/** By what revenue is grouped, in the order in which groups are sorted. */
export const DIMENSIONS = {
  mda: { key: sql`f.mda` },
  sector: { key: sql`s.sector`, needs: 'service' },
  family: { key: sql`s.family`, needs: 'service' },
  service: { key: sql`nullif(f.service, '')` },
  channel: { key: sql`f.channel` },
  country: { key: sql`a.country`, needs: 'agency' },
  region: { key: sql`a.region`, needs: 'agency' },
  district: { key: sql`a.district`, needs: 'agency' },
  station: { key: sql`f.station` },
  counter: { key: sql`f.counter` },
  integrator: { key: sql`f.integrator` },
  currency: { key: sql`f.currency` },
  fiscal_year: {
    key: fiscalYear,
    needs: 'agency',
    written: (column) => sql`case when ${column} % 2 = 0 then (${column} // 2)::text
      else printf('%d/%02d', ${column} // 2, (${column} // 2 + 1) % 100) end`,
  },
  quarter: {
    key: sql`year(f.day) * 4 + quarter(f.day) - 1`,
    written: (column) => sql`printf('%d-Q%d', ${column} // 4, ${column} % 4 + 1)`,
  },
  day: { key: sql`f.day`, written: writeDate('%Y-%m-%d') },
  week: { key: sql`date_trunc('week', f.day)::date`, written: writeDate('%G-W%V') },
  month: { key: firstOfMonth, written: writeDate('%Y-%m') },
  weekday: { key: sql`isodow(f.day)`, written: asItIs },
  hour: { key: sql`f.hour`, written: asItIs },
  kind: { key: sql`f.kind` },
} as const satisfies Readonly<Record<string, Dimension>>;

export type Grouping = keyof typeof DIMENSIONS;

export const GROUPINGS = Object.keys(DIMENSIONS) as readonly Grouping[];

const dimensionOf = (grouping: Grouping): Dimension => DIMENSIONS[grouping];

/** Whether any of some groupings needs something. */
export function areInNeedOf(need: Dimension['needs'], groupings: readonly Grouping[]): boolean {
  return groupings.some((grouping) => dimensionOf(grouping).needs === need);
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
