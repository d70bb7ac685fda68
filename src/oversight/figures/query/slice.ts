import { type Sql, joined, sql } from '../../../platform/database/sql.ts';
import { type DimensionName, dimensionOf } from './dimensions.ts';

/** The values that a dimension may have, any of them; what must not hold; and another slice that this one lies within. */
export type Slice = { readonly [Name in SliceName]?: readonly string[] | null | undefined } & {
  readonly not?: Slice | null | undefined;
  readonly within?: Slice | null | undefined;
};

/** The dimensions that a slice has values of. */
export const SLICE_NAMES = [
  'agency',
  'sector',
  'family',
  'service',
  'channel',
  'station',
  'counter',
  'country',
  'region',
  'district',
  'integrator',
  'currency',
  'proof',
  'provider',
  'anomaly',
  'severity',
  'status',
  'age',
  'cause',
  'source',
] as const satisfies readonly DimensionName[];
export type SliceName = (typeof SLICE_NAMES)[number];

/** The dimensions that a slice names, in itself, in what it leaves out, and in what it lies within. */
export function namedIn(slice: Slice): readonly SliceName[] {
  const own = SLICE_NAMES.filter((name) => slice[name] != null);
  const others = [slice.not, slice.within].flatMap((other) => (other ? namedIn(other) : []));
  return [...new Set([...own, ...others])];
}

/** True for facts `f` of the slice. A missing value of a fact is not among any values. */
export function withinSlice(slice: Slice): Sql {
  const conditions = SLICE_NAMES.flatMap((name) => {
    const values = slice[name];
    return values == null ? [] : [sql`coalesce(${dimensionOf(name).key} = any(${[...values]}::text[]), false)`];
  });
  if (slice.not) conditions.push(sql`not (${withinSlice(slice.not)})`);
  if (slice.within) conditions.push(withinSlice(slice.within));
  return conditions.length > 0 ? joined(conditions, ' and ') : sql`true`;
}
