import type { Rail } from '../../platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../platform/database/sql.ts';
import { startLoop } from '../../kernel/loop.ts';

/** So many changes are taken at a time. */
const BATCH = 1_000;
const IDLE_MS = 1_000;
/** How long it rests where it hears of nothing: whoever asks counts what waits, so that nothing is late. */
const UNHEARD_MS = 30_000;

/** Sums of months, which are counted anew once something of one has changed. */
export interface Recounted {
  readonly name: string;
  /** Any number that nobody else uses: one process at a time counts. */
  readonly lock: number;
  /** Where triggers queue what has changed, by `key`, in the transaction that changes it. */
  readonly tail: string;
  readonly sums: string;
  readonly key: readonly string[];
  /** The rows of the sums, in the order of their columns, of the keys in `keys`. */
  readonly count: Sql;
}

/** Counts anew what has changed, for as long as it is not stopped. Any number of processes may. */
export function startRecounting(rail: Rail, recounted: Recounted): { stop(): Promise<void> } {
  const round = async () => {
    const waiting = await rail.db.row(sql`select id from ${raw(recounted.tail)} order by id limit 1`);
    if (!waiting) return { leastMs: IDLE_MS, mostMs: UNHEARD_MS };
    return (await recount(rail, recounted)) === BATCH ? 0 : IDLE_MS;
  };
  return startLoop(rail.log, recounted.name, round, rail.work.hear);
}

/**
 * Takes what has changed and counts its months anew; all of that together or not at all. How many changes were taken;
 * none where another process is at it.
 */
export async function recount(
  { transaction }: Pick<Rail, 'transaction'>,
  { lock, tail, sums, key, count }: Recounted,
): Promise<number> {
  return transaction(async (db) => {
    const held = await db.row<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${lock}) as held`);
    if (!held!.held) return 0;
    const [table, columns] = [raw(tail), joined(key.map((name) => raw(name)))];
    // Statements of their own: whatever happens between them waits in the tail, and is counted again.
    const taken = await db.rows<{ keys: string; changes: number }>(sql`
      with taken as (
        delete from ${table} where id in (select id from ${table} order by id limit ${BATCH}) returning ${columns}
      )
      select jsonb_build_object(${joined(
        key.map((name) => sql`${raw(`'${name}'`)}, ${raw(name)}`),
      )})::text as keys, count(*)::int as changes from taken group by ${columns}`);
    if (taken.length === 0) return 0;
    const keys = sql`
      select ${columns} from jsonb_populate_recordset(null::${table}, ${`[${taken.map((one) => one.keys).join()}]`}::jsonb)`;
    await db.rows(sql`delete from ${raw(sums)} where (${columns}) in (${keys})`);
    await db.rows(sql`insert into ${raw(sums)} with keys as materialized (${keys}), ${count}`);
    return taken.reduce((total, { changes }) => total + changes, 0);
  });
}
