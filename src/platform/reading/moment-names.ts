import { isWithinReach } from '../../kernel/time.ts';
import { type Sql, raw, sql } from '../database/sql.ts';

/** Position of an entry in a log: its time, and a UUID among those of the same time. */
export interface Moment {
  readonly at: Date;
  readonly id: string;
}

/** Names of log entries without a docname: their time and a UUID. */
interface MomentNames {
  readonly pattern: RegExp;
  /** The name of a row, for a `select`. */
  readonly column: Sql;
  /** The parts of a name, by which an index finds its entry; null where it is none. */
  partsOf(name: string): Moment | null;
  /** The condition that `r` is the entry of a name; null where it is none. */
  isNamed(name: string): Sql | null;
}

/** The names of a log whose rows have a time and an `id`: `<prefix><time>_<id>`. */
export function nameByMoment(time: string, prefix = ''): MomentNames {
  const pattern = new RegExp(
    String.raw`^${prefix}(\d{4}-\d\d-\d\dT[\d:.]+Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$`,
  );
  const partsOf = (name: string): Moment | null => {
    const [, text, id] = pattern.exec(name) ?? [];
    const at = new Date(text ?? Number.NaN);
    return id && isWithinReach(at) ? { at, id } : null;
  };
  return {
    pattern,
    column: raw(`'${prefix}' || to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '_' || id`),
    partsOf,
    isNamed: (name) => {
      const parts = partsOf(name);
      return parts && sql`(r.${raw(time)} = ${parts.at} and r.id = ${parts.id}::uuid)`;
    },
  };
}

/** Order of two entries: above 0 if the first was made later, as the database orders them. */
export function compareMoments(one: Moment, other: Moment): number {
  return one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id));
}
