import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import { FEWEST_PEOPLE } from './small-cells.ts';

/**
 * Partition of figures about people: by the month and all else that is never combined, and then from part to part of a
 * part. A disclosed part is disclosed of all its people, and there is one way down to each, so that no answers,
 * subtracted from one another, are about others than those that were disclosed or left out together.
 */
export interface Parting {
  /** Columns of the facts of which each is apart from all others: `month`, and `currency` where amounts are disclosed. */
  readonly apart: readonly string[];
  /** Columns that part what is apart, and then each other, from the outermost. */
  readonly tree: readonly string[];
}

const columns = (names: readonly string[]) => joined(names.map((name) => sql`${raw(name)}`));

/**
 * Common table expressions from `facts` to `facts_disclosed`: the facts, each with whether it is `disclosed`,
 * in parts so far down. Suppressed is a part of few people and, where any of a whole is left out, the smallest other,
 * so that they are not few together; nor any part of a whole of which few have only what is left out.
 */
export function suppressSmallCells(parting: Parting, depth: number, facts: Sql): Sql {
  return suppress(parting, depth, facts, isDisclosedAt(parting, depth));
}

/** The same in parts as far down as there are: `disclosed` is how far down it is disclosed, zero for nowhere. */
export function suppressDown(parting: Parting, facts: Sql): Sql {
  const depths = parting.tree.map((_name, level) => sql`(${isDisclosedAt(parting, level + 1)})::utinyint`);
  return suppress(parting, depths.length, facts, joined(depths, ' + '));
}

function suppress(parting: Parting, depth: number, facts: Sql, disclosed: Sql): Sql {
  const levels = parting.tree.slice(0, depth).map((_name, level) => partsAt(keysAt(parting, level), level));
  // It is worked out once for each, however often it is asked (`offset 0`).
  return sql`facts as materialized (${facts}), ${joined(levels)}, facts_disclosed as (
      select *, ${disclosed} as disclosed from facts offset 0)`;
}

const keysAt = ({ apart, tree }: Parting, level: number) => [...apart, ...tree.slice(0, level + 1)];

const isDisclosedAt = (parting: Parting, depth: number) =>
  isAmong(keysAt(parting, depth - 1), `disclosed_${depth - 1}`);

/** Looked up in a hash for each row: as a join, it would be planned by guesses at how many parts there are. */
function isAmong(keys: readonly string[], parts: string): Sql {
  return sql`((${columns(keys)}) in (select ${columns(keys)} from ${raw(parts)})) is true`;
}

function partsAt(keys: readonly string[], level: number): Sql {
  const [own, wholeKeys] = [columns(keys), keys.slice(0, -1)];
  const whole = columns(wholeKeys);
  const [disclosed, people] = [raw(`disclosed_${level}`), raw(`people_${level}`)];
  const within = level === 0 ? empty : sql`where ${isAmong(wholeKeys, `disclosed_${level - 1}`)}`;
  const counted = sql`${people} as materialized (
    select ${own}, count(*)::int as people from (select distinct ${own}, person from facts ${within}) each
    group by ${own})`;
  // The whole of what is apart is suppressed: a part could be computed from it.
  if (level === 0)
    return sql`${counted}, ${disclosed} as materialized (select ${own} from ${people} where people >= ${FEWEST_PEOPLE})`;
  const [shown, alone] = [raw(`shown_${level}`), raw(`alone_${level}`)];
  return sql`${counted}, ${shown} as materialized (
    select ${own} from (
      select *, bool_or(people < ${FEWEST_PEOPLE}) over (partition by ${whole}) as lacking,
        row_number() over (partition by ${whole} order by people < ${FEWEST_PEOPLE}, people, ${own}) as place
      from ${people}) ranked
    where people >= ${FEWEST_PEOPLE} and not (lacking and place = 1)
  ), ${alone} as materialized (
    select ${whole} from (
      select ${whole}, person from facts
      where (${whole}, person) in (
        select ${whole}, person from facts ${within} and not ${isAmong(keys, `shown_${level}`)})
      group by ${whole}, person having not bool_or(${isAmong(keys, `shown_${level}`)})
    ) each
    group by ${whole} having count(*) < ${FEWEST_PEOPLE}
  ), ${disclosed} as materialized (
    select ${own} from ${shown} where not ${isAmong(wholeKeys, `alone_${level}`)})`;
}
