import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import { FEWEST_PEOPLE } from '../figures/small-cells.ts';

/**
 * How figures about people are parted: by the month and whatever else never comes together, and then from part to part
 * of a part. What is told of any of them is told of all its people, and there is one way down to each, so that no
 * answers, taken off one another, are about others than those that were told of or left out together.
 */
export interface Parting {
  /** Columns of the facts of which each is apart from all others: `month`, and `currency` where amounts are told. */
  readonly apart: readonly string[];
  /** Columns that part what is apart, and then each other, from the outermost. */
  readonly tree: readonly string[];
}

const columns = (names: readonly string[]) => joined(names.map((name) => sql`${raw(name)}`));

/** Where the people of parts are counted, and where whoever is in some of them is found. */
interface Source {
  /** The people of the parts of a level by their keys, of those that lie within what is told of. */
  readonly countPeople: (keys: readonly string[], level: number, within: Sql) => Sql;
  /** Of the wholes of a level, whoever is in none of the parts that are shown. */
  readonly selectAlone: (keys: readonly string[], level: number, within: Sql) => Sql;
}

/**
 * Common table expressions from `facts` to `facts_told`: the facts, each with whether it is `told` of, in parts so far
 * down. Not told of is a part of few people and, where any of a whole is left out, the smallest other, so that they are
 * not few together; nor any part of a whole of which few have only what is left out.
 */
export function tellOfMany(parting: Parting, depth: number, facts: Sql): Sql {
  return tell(parting, depth, facts, {
    countPeople: (keys, _level, within) => sql`
      select ${columns(keys)}, count(*)::int as people
      from (select distinct ${columns(keys)}, person from facts ${within}) each group by ${columns(keys)}`,
    selectAlone: (keys, level, within) => {
      const whole = columns(keys.slice(0, -1));
      return sql`
        select ${whole}, person from facts ${within}
        group by ${whole}, person having not bool_or(${isAmong(keys, `shown_${level}`)})`;
    },
  });
}

/** How sums count people: each is counted in one row of a part, whose column is the level's. */
export interface SummedParting extends Parting {
  readonly people: readonly string[];
  /** The facts that were added up, and those of whoever waits to be added up anew: each of a person, with all keys. */
  readonly stored: Sql;
  readonly waiting: Sql;
}

/**
 * The same from sums: nothing is read of people but of those who are in parts that are left out of a whole that is told
 * of. What is to be told of are the sums, or other rows that have their keys.
 */
export function tellOfSums(parting: SummedParting, depth: number, sums: Sql, rows?: Sql): Sql {
  const source: Source = {
    countPeople: (keys, level, within) => {
      const people = sql`sum(${raw(parting.people[level]!)})`;
      return sql`
        select ${columns(keys)}, ${people}::int as people from facts ${within}
        group by ${columns(keys)} having ${people} > 0`;
    },
    // Those who are in what is left out are few: each is looked up.
    selectAlone: (keys, level, _within) => {
      const whole = keys.slice(0, -1);
      const wholeOf = (row: string) => joined(whole.map((name) => sql`${raw(row)}.${raw(name)}`));
      const shown = `shown_${level}`;
      const lookUp = (names: readonly string[], by: string, condition: Sql) => sql`
        select f.person from (${parting.stored}) f
        where ${joined(
          names.map((name) => sql`f.${raw(name)} = ${raw(by)}.${raw(name)}`),
          ' and ',
        )} and ${condition} offset 0`;
      const settled = sql`not exists (select from people_waiting w where w.person = f.person)`;
      return sql`
        select ${wholeOf('o')}, o.person from (
          with hidden as materialized (
            select ${columns(keys)} from ${raw(`people_${level}`)} except select ${columns(keys)} from ${raw(shown)})
          select ${wholeOf('h')}, f.person from hidden h cross join lateral (${lookUp(keys, 'h', settled)}) f
          union select ${columns(whole)}, person from facts_waiting where ${isAmong(keys, 'hidden')}
        ) o
        where not exists (${lookUp([...whole, 'person'], 'o', sql`${settled} and ${isAmong(keys, shown, 'f')}`)})
          and (${wholeOf('o')}, o.person) not in (
            select ${columns(whole)}, person from facts_waiting where ${isAmong(keys, shown)})`;
    },
  };
  return sql`
    people_waiting as materialized (select person from oversight.person_waiting),
    facts_waiting as materialized (${parting.waiting}), ${tell(parting, depth, sums, source, rows)}`;
}

function tell({ apart, tree }: Parting, depth: number, facts: Sql, source: Source, rows?: Sql): Sql {
  const levels = tree
    .slice(0, depth)
    .map((_name, index) => partsAt([...apart, ...tree.slice(0, index + 1)], index, source));
  // Whether it is told of is worked out once for each, however often it is asked (`offset 0`).
  return sql`facts as materialized (${facts}), ${joined(levels)}, facts_told as (
      select *, ${isTold({ apart, tree }, depth)} as told
      from ${rows ? sql`(${rows}) r` : sql`facts`} offset 0)`;
}

/** After these: whether a row that has the columns of parts so far down is told of. */
export function isTold({ apart, tree }: Parting, depth: number): Sql {
  return isAmong([...apart, ...tree.slice(0, depth)], `told_${depth - 1}`);
}

/** Looked up in a hash for each row: as a join, it would be planned by guesses at how many parts there are. */
function isAmong(keys: readonly string[], parts: string, of?: string): Sql {
  const own = of ? joined(keys.map((name) => sql`${raw(of)}.${raw(name)}`)) : columns(keys);
  return sql`((${own}) in (select ${columns(keys)} from ${raw(parts)})) is true`;
}

function partsAt(keys: readonly string[], level: number, { countPeople, selectAlone }: Source): Sql {
  const [own, wholeKeys] = [columns(keys), keys.slice(0, -1)];
  const whole = columns(wholeKeys);
  const [told, people] = [raw(`told_${level}`), raw(`people_${level}`)];
  const within = level === 0 ? empty : sql`where ${isAmong(wholeKeys, `told_${level - 1}`)}`;
  const counted = sql`${people} as materialized (${countPeople(keys, level, within)})`;
  // Nothing is told of the whole of what is apart, from which a part could be missed.
  if (level === 0)
    return sql`${counted}, ${told} as materialized (select ${own} from ${people} where people >= ${FEWEST_PEOPLE})`;
  const [shown, alone] = [raw(`shown_${level}`), raw(`alone_${level}`)];
  return sql`${counted}, ${shown} as materialized (
    select ${own} from (
      select *, bool_or(people < ${FEWEST_PEOPLE}) over (partition by ${whole}) as lacking,
        row_number() over (partition by ${whole} order by people < ${FEWEST_PEOPLE}, people, ${own}) as place
      from ${people}) ranked
    where people >= ${FEWEST_PEOPLE} and not (lacking and place = 1)
  ), ${alone} as materialized (
    select ${whole} from (${selectAlone(keys, level, within)}) each
    group by ${whole} having count(*) < ${FEWEST_PEOPLE}
  ), ${told} as materialized (
    select ${own} from ${shown} where not ${isAmong(wholeKeys, `alone_${level}`)})`;
}

/** What descriptions of figures about people in groups end with. */
export const SMALLER_GROUPS =
  'The same holds for each group within a month: one of few people is excluded, and so is the smallest other of its agency or channel, from which it could be derived.';
