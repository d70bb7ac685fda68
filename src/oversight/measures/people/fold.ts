import type { Rail } from '../../../platform/call/call.ts';
import { type Database, type Sql, joined, raw, sql } from '../../../platform/database/sql.ts';
import { restUntil, startLoop } from '../../../kernel/loop.ts';

/** Any number that nobody else uses: one process at a time adds up figures about people. */
const FOLD_LOCK = 7_283_008;
/** So many changes are taken at a time. */
const BATCH = 2_000;
/**
 * From how many changes that wait, and from which part of all facts, making all that there is anew takes less than
 * taking them one batch after another. A long history is not made anew for a morning's payments.
 */
const MANY = 50_000;
const MUCH = 0.1;
const IDLE_MS = 1_000;
/** How many times as long as it took to add up is rested after it. */
const REST = 10;

/** Adds up figures about people for as long as it is not stopped. Any number of processes may. */
export function startFoldingPeople(rail: Rail): { stop(): Promise<void> } {
  const round = async () => {
    const waiting = await rail.db.row(sql`select id from person_tail order by id limit 1`);
    if (!waiting) return restUntil(IDLE_MS);
    const started = performance.now();
    const taken = await foldPeople(rail);
    return taken === BATCH ? 0 : Math.max(IDLE_MS, REST * (performance.now() - started));
  };
  return startLoop(rail.log, 'people', round, rail.work.hear);
}

/** A table of facts, each of a person and month, and the sums of them. */
interface Family {
  readonly name: 'assessed' | 'attempt';
  /** By what sums are told apart. */
  readonly key: readonly string[];
  /** What of a fact is neither part of the key nor added up, as it is now: from `assessed_live l` and its like. */
  readonly beside: Readonly<Record<string, Sql>>;
  /** What is added up, from a fact `f`. */
  readonly added: Readonly<Record<string, Sql>>;
}

const counted = (flag: string) => sql`(f.${raw(flag)})::int`;
const flags = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, counted(name)]));
const asItIs = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, sql`l.${raw(name)}`]));

const FAMILIES: readonly Family[] = [
  {
    name: 'assessed',
    key: ['month', 'currency', 'mda', 'service', 'channel', 'status'],
    beside: {
      name: sql`'DUE-' || left(encode(sha256(convert_to(w.salt || ' ' || l.assessment || ' ' || l.mda, 'UTF8')), 'hex'), 24)`,
      ...asItIs('assessed_at', 'amount', 'seconds', 'leads', 'owing_agency', 'owing_service', 'paying_agency'),
      ...asItIs('unpaid_agency', 'timed_agency', 'timed_channel', 'timed_service'),
    },
    added: {
      assessments: counted('leads'),
      parts: sql`1`,
      amount: sql`f.amount`,
      ...flags('owing_agency', 'owing_service', 'paying_agency', 'unpaid_agency'),
      ...flags('timed_agency', 'timed_channel', 'timed_service'),
    },
  },
  {
    name: 'attempt',
    key: ['month', 'channel', 'mda', 'status', 'cause'],
    beside: asItIs('trying_channel', 'trying_agency'),
    added: { attempts: sql`1`, ...flags('trying_channel', 'trying_agency') },
  },
];

const named = (names: readonly string[]) => joined(names.map((name) => raw(name)));

/** Makes the facts of `whose` anew, and adds to the sums by how much they are others than before. */
function foldFamily({ name, key, beside, added }: Family): Sql {
  const table = (part: string) => raw(`${name}_${part}`);
  const columns = ['person', ...key, ...Object.keys(beside)];
  const fresh = joined([...key.map((column) => sql`l.${raw(column)}`), ...Object.values(beside)]);
  const sums = Object.keys(added);
  const signed = (from: Sql, sign: Sql) => sql`
    select ${joined(key.map((column) => sql`f.${raw(column)}`))}, ${joined(
      Object.entries(added).map(([sum, value]) => sql`${sign} * ${value} as ${raw(sum)}`),
    )} from ${from} f`;
  return sql`
    ${table('before')} as (
      delete from ${table('fact')} f using whose w where f.person = w.person returning f.*
    ), ${table('after')} as (
      insert into ${table('fact')} (${named(columns)})
      select w.person, ${fresh} from whose w
      cross join lateral (select * from ${table('live')} l where l.citizen = w.citizen and l.month = w.month offset 0) l
      returning *
    ), ${table('summed')} as (
      insert into ${table('sum')} as s (${named([...key, ...sums])})
      select ${named(key)}, ${joined(sums.map((sum) => sql`sum(${raw(sum)})`))} from (
        ${signed(table('before'), sql`-1`)} union all ${signed(table('after'), sql`1`)}
      ) d
      group by ${named(key)} having ${joined(
        sums.map((sum) => sql`sum(${raw(sum)}) <> 0`),
        ' or ',
      )} order by ${named(key)}
      on conflict (${named(key)}) do update set ${joined(
        sums.map((sum) => sql`${raw(sum)} = s.${raw(sum)} + excluded.${raw(sum)}`),
      )}
    )`;
}

/** Makes all facts and sums anew: what is written meanwhile waits. */
export async function sumPeople(db: Database): Promise<void> {
  await db.rows(sql`
    select pg_advisory_xact_lock(${FOLD_LOCK}), set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
      set_config('enable_seqscan', 'on', true)`);
  await db.rows(sql`delete from person_tail`);
  // Statements of their own, each with the time that one may take.
  for (const name of ['sum_assessed', 'sum_attempts', 'sum_payers']) await db.rows(sql`select ${raw(name)}()`);
}

const PAYERS = sql`
  payers as materialized (select distinct citizen from whose), payers_before as (
    delete from payer_fact f using payers p where f.citizen = p.citizen returning f.*
  ), payers_after as (
    insert into payer_fact (citizen, mda, month, first)
    select l.citizen, l.mda, l.month, l.first from payers p
    cross join lateral (select * from payer_live l where l.citizen = p.citizen offset 0) l returning *
  ), payers_summed as (
    insert into payer_sum as s (month, mda, people, first)
    select month, mda, sum(people), sum(first) from (
      select month, mda, -1 as people, -first::int as first from payers_before
      union all select month, mda, 1, first::int from payers_after
    ) d
    group by month, mda having sum(people) <> 0 or sum(first) <> 0 order by month, mda
    on conflict (month, mda) do update set people = s.people + excluded.people, first = s.first + excluded.first
  )`;

/**
 * Takes whose months have changed since, makes their facts anew, and brings the sums up to them; all of that together or
 * not at all. How many changes were taken; none where another process is at it.
 */
export async function foldPeople({ transaction }: Pick<Rail, 'transaction'>, most = BATCH): Promise<number> {
  return transaction(async (db) => {
    // Each is looked up by an index, whatever the planner believes of tables that it has no statistics of.
    const held = await db.row<{ held: boolean; many: boolean }>(sql`
      select pg_try_advisory_xact_lock(${FOLD_LOCK}) as held, set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true),
        exists (select from person_tail order by id offset greatest(${MANY}::int,
          (select ${MUCH}::real * reltuples from pg_class where oid = 'assessed_fact'::regclass))::bigint limit 1) as many`);
    if (!held!.held) return 0;
    if (held!.many) {
      await sumPeople(db);
      return most;
    }
    // A statement of its own: it has to see what the holder before it wrote.
    const row = await db.row<{ taken: number }>(sql`
      with taken as (
        delete from person_tail where id in (select id from person_tail order by id limit ${most})
        returning citizen, month
      ), whose as materialized (
        select t.*, person_in_month(s.salt, t.citizen, t.month) as person, s.salt
        from (select distinct citizen, month from taken) t cross join oversight_salt s
      ), ${joined(FAMILIES.map(foldFamily))}, ${PAYERS}
      select count(*)::int as taken from taken`);
    return row!.taken;
  });
}
