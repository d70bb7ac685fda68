import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { database, type Database, joined, raw, sql } from '../database/sql.ts';
import type { Fact } from './fact.ts';

/**
 * Position up to which PostgreSQL was read: the committed transactions (`pg_snapshot`), the moment by its clock, and
 * the database. Only positions of one database can be compared.
 */
export interface Position {
  readonly snapshot: string;
  readonly asOf: Date;
  /** The cluster, its timeline, the database, and what has all facts read again, such as another time zone of a country. */
  readonly origin: string;
}

/** Changes since a position. */
export interface Changes {
  readonly position: Position;
  /** True if the feed no longer has all changes since then, or is another database's. */
  readonly lost: boolean;
  /** Documents by their kind. */
  readonly documents: ReadonlyMap<string, readonly string[]>;
}

/** Some documents of a fact. */
export interface Part {
  readonly fact: Fact;
  readonly documents: readonly string[];
}

/** The rows of some documents, as JSON, and the numbers of these documents. */
export interface Read {
  readonly rows: string;
  readonly numbers: readonly number[];
}

/** The origin of what is read at a moment. */
export const ORIGIN = sql`
  (select system_identifier from pg_control_system()) || '.' || (select timeline_id from pg_control_checkpoint()) || '.'
    || (select oid from pg_database where datname = current_database()) || '.' || (select epoch from oversight.fact_feed)`;

/** On a replica, what it has replayed is as of its last transaction. */
const POSITION = sql`pg_current_snapshot()::text as snapshot,
  case when pg_is_in_recovery() then least(now(), pg_last_xact_replay_timestamp()) else now() end as "asOf",
  ${ORIGIN} as origin`;

/**
 * Changes that were not visible at a snapshot and are now, however long their transactions took. A replica does not
 * know which transactions are under way: there, all that any of them may have changed is read again. Planned each time: a
 * plan for any snapshot would read the feed of a whole day.
 */
const since = (snapshot: string) => sql`
  c.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
    and (pg_is_in_recovery() or not pg_visible_in_snapshot(c.xid, ${snapshot}::pg_snapshot))`;

/**
 * True if the feed no longer has all changes since a snapshot, or PostgreSQL has not come as far as it: its files were
 * put back.
 */
const lostSince = (snapshot: string) => sql`(
  pg_snapshot_xmin(${snapshot}::pg_snapshot) <= (select trimmed from oversight.fact_feed)
    or not pg_is_in_recovery() and pg_snapshot_xmax(${snapshot}::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()))`;

/** What has changed since a position, and the present one. */
export async function changesSince(db: Database, { snapshot, origin }: Position): Promise<Changes> {
  const query = sql`
    select p.*, case when p.lost then '{}' else (
      select coalesce(json_object_agg(kind, documents), '{}') from (
        select c.kind, array_agg(distinct c.document) as documents from oversight.fact_change c
        where ${since(snapshot)} group by c.kind) k) end as documents
    from (select ${POSITION}, ${lostSince(snapshot)} or ${ORIGIN} <> ${origin} as lost) p`;
  const [row] = await db.rows<Position & { lost: boolean; documents: Record<string, string[]> }>(query, 'each time');
  const { lost, documents, ...position } = row!;
  return { position, lost, documents: new Map(Object.entries(documents)) };
}

/**
 * Whole tables are joined in memory: most of the time goes into that. Row by row never, which takes hours where
 * PostgreSQL believes that a queue is empty. Until the transaction ends.
 */
const IN_BULK = sql`select set_config('work_mem', '128MB', true), set_config('enable_nestloop', 'off', true)`;

/** Looking documents up takes less time than planning that for some of them. Until the transaction ends. */
const PLANNED_ONCE = sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** PostgreSQL at one moment. */
export class Snapshot {
  readonly #client: pg.PoolClient;
  readonly db: Database;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.db = database(client);
  }

  async position(): Promise<Position> {
    return (await this.db.row<Position>(sql`select ${POSITION}`))!;
  }

  /** Reads documents of several facts by one statement: their rows in the order of the parts. */
  async read(parts: readonly Part[]): Promise<Read[]> {
    await this.db.rows(PLANNED_ONCE);
    const reads = parts.map(
      ({ fact, documents }, place) => sql`
        select ${place}::int as place, (select array_agg(document_number(d)) from unnest(${documents}::text[]) d) as numbers,
          (select coalesce(json_agg(f), '[]') from (
            ${raw(selectOf(fact, 'document_number(f.document)'))} where f.document = any(${documents})) f)::text as rows`,
    );
    return this.db.rows<Read>(sql`${joined(reads, ' union all ')} order by place`);
  }

  /** The name by which other connections see what this one sees, until it ends. */
  async share(): Promise<string> {
    return (await this.db.row<{ name: string }>(sql`select pg_export_snapshot() as name`))!.name;
  }

  /**
   * Writes all rows there are, or those of which something is true, to a file of comma-separated values. Documents are
   * written by their names: to take numbers from them is less work for who reads the file.
   */
  async writeAll(fact: Fact, path: string, where = 'true'): Promise<void> {
    await this.write(`${selectOf(fact, 'f.document')} where ${where}`, path);
  }

  async write(query: string, path: string): Promise<void> {
    await this.db.rows(IN_BULK);
    const rows = copyTo(`copy (${query}) to stdout (format csv)`);
    // The driver gives a statement its time until this is called, which keeps a process from ending; streams never call it.
    const timed: { callback?: () => void } = Object.assign(rows, { callback: () => {} });
    await pipeline(this.#client.query(rows), createWriteStream(path)).finally(() => timed.callback?.());
  }
}

/** Amounts are read as text: a number in JSON would be rounded to what its readers take for one. */
function selectOf({ name, columns }: Fact, document: string): string {
  const read = Object.entries(columns).map(([column, type]) =>
    type.startsWith('decimal') ? `${column}::text as ${column}` : column,
  );
  return `select ${document} as document, ${read.join(', ')} from oversight.fact_${name} f`;
}
