import { type Database, sql } from '../../platform/database/sql.ts';
import { FEWEST_PEOPLE } from './small-cells.ts';

/** A change that waits to be disclosed, in one of the parts in which figures would move by it. */
export interface Waiting {
  readonly id: number;
  /** The last of the changes that it stands for. */
  readonly last: number;
  readonly person: number | string;
  /** The finest part of what may be asked that it is in, and what becomes of it there. */
  readonly part: string;
  /** The status that people leave by it, in its part; null where they leave none. */
  readonly left: string | null;
}

/** Those who have a status in a part regardless of what is disclosed now; no more than matter. */
export interface Staying {
  readonly left: string;
  readonly people: readonly (number | string)[];
}

const LEFT = sql`case when becomes <> 'cause' then concat_ws('|', fact, was, month, currency, mda, service, due, case fact when 'attempt' then channel end) end`;

/** Parts of which enough people wait, and what waits of these, in all its parts. */
const DUE = sql`
  parts as materialized (
    select id, last, fact, item, person::varchar as person, was, month, due, currency, mda, service, channel, case when was is not null then ${LEFT} end as "left",
      concat_ws('|', fact, coalesce(was, ''), becomes, month, currency, mda, service, channel, detail, due) as part
    from waiting
    union all
    select waiting, waiting, 'shift', document, person, null, month, null, currency, mda, null, null, null, concat_ws('|', 'shift', month, currency, mda)
    from shift where waiting is not null
  ), due as materialized (
    select * from parts where id in (
      select id from parts where part in (
        select part from parts group by part having count(distinct person) >= ${FEWEST_PEOPLE}))
  )`;

/**
 * Figures about people move in steps. What becomes of somebody waits, in the tables as in every copy of facts, until the
 * same has become of enough others in the same part: the same month, currency, agency and service, due month and channel
 * where it has one, and status before and after. These parts are the finest that can be asked for, so that by a step every figure,
 * however it is grouped and filtered, moves by many people or not at all; and no status is left with few. Answers whether
 * there was a step.
 *
 * A step is of what one copy has, of which another process may have taken some meanwhile: it counts only as the one after
 * the last that the copy knows of.
 */
export async function takeStep(copy: Pick<Database, 'rows'>, db: Database): Promise<boolean> {
  const [last] = await copy.rows<{ number: number }>(sql`select number from step`);
  if (!last) {
    // Changes before the first question are disclosed at once.
    await db.rows(sql`insert into people_step default values
    -- Another process took the first step.
    on conflict do nothing`);
    return true;
  }
  const due = await copy.rows<Waiting>(sql`with ${DUE} select id, last, person, part, "left" from due`);
  if (due.length === 0) return false;
  const staying = await copy.rows<Staying>(sql`
    with ${DUE}, statuses as (
      select distinct fact, was, month, due, currency, mda, service, case fact when 'attempt' then channel end as channel, "left" from due where "left" is not null
    )
    select s."left", list(distinct f.person::varchar)[:${FEWEST_PEOPLE}] as people
    from (
      select 'assessed' as fact, document as item, status, month, due, currency, mda, service, null as channel, person from assessed
      union all
      select 'attempt', attempt, status, month, null, null, mda, null, channel, person from attempt
    ) f join statuses s on s.fact = f.fact and s.was = f.status and s.month = f.month and s.mda = f.mda
      and s.currency is not distinct from f.currency and s.service is not distinct from f.service
      and s.channel is not distinct from f.channel and s.due is not distinct from f.due
    where (f.fact, f.item) not in (select (fact, item) from due where "left" is not null) group by s."left"`);
  const disclosed = chooseDisclosed(due, staying);
  if (disclosed.size === 0) return false;
  const row = await db.row<{ disclosed: number }>(sql`
    with step as (
      update people_step set number = number + 1 where number = ${last.number} returning number
    ), disclosed as (
      -- By documents, of which each has few rows: of a queue PostgreSQL believes that it is empty, and reads all of it each time.
      delete from people_waiting where exists (select from step) and id = any(array(
        select w.id from unnest(${[...disclosed.keys()]}::bigint[], ${[...disclosed.values()]}::bigint[]) t (id, last)
        cross join lateral (select f.document, f.intent from people_waiting f where f.id = t.id offset 0) f
        cross join lateral (
          select w.id from people_waiting w
          where w.document = f.document and w.intent is not distinct from f.intent and w.id + 0 <= t.last offset 0
        ) w))
      returning 1
    )
    select count(*)::int as disclosed from disclosed`);
  return row!.disclosed > 0;
}

/**
 * Changes that can be disclosed together: as many as possible, so that in each of their parts they are of enough
 * people, and each status that people leave is left by all, or keeps enough. For each change, its first and its last.
 */
export function chooseDisclosed(due: readonly Waiting[], staying: readonly Staying[]): ReadonlyMap<number, number> {
  const stay = new Map(staying.map(({ left, people }) => [left, people]));
  let disclosed = due;
  for (;;) {
    const kept = new Set<number>();
    for (const rows of Map.groupBy(disclosed, ({ part }) => part).values())
      if (countPeople(rows) < FEWEST_PEOPLE) for (const { id } of rows) kept.add(id);
    if (kept.size === 0)
      for (const [left, rows] of Map.groupBy(disclosed, (row) => row.left))
        if (left !== null) for (const id of listKept(rows, peopleLeft(left))) kept.add(id);
    if (kept.size === 0) return new Map(disclosed.map(({ id, last }) => [id, last]));
    disclosed = disclosed.filter(({ id }) => !kept.has(id));
  }

  /** Those who keep a status: those who are not about to leave it, and those whose change has to wait. */
  function peopleLeft(left: string): ReadonlySet<number | string> {
    const leaving = new Set(disclosed.map(({ id }) => id));
    const waiting = due.filter((row) => row.left === left && !leaving.has(row.id)).map(({ person }) => person);
    return new Set([...(stay.get(left) ?? []), ...waiting]);
  }
}

/** The latest changes of a status that have to wait for it to keep nobody, or enough. */
function listKept(rows: readonly Waiting[], people: ReadonlySet<number | string>): readonly number[] {
  if (people.size === 0 || people.size >= FEWEST_PEOPLE) return [];
  const others = [...new Set(rows.toSorted((a, b) => b.id - a.id).map(({ person }) => person))].filter(
    (person) => !people.has(person),
  );
  const missing = new Set(others.slice(0, FEWEST_PEOPLE - people.size));
  // If there are not enough, all wait.
  const wait = missing.size + people.size < FEWEST_PEOPLE ? rows : rows.filter(({ person }) => missing.has(person));
  return wait.map(({ id }) => id);
}

function countPeople(rows: readonly Waiting[]): number {
  return new Set(rows.map(({ person }) => person)).size;
}
