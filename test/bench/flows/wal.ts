import type pg from 'pg';
import type { Report } from '../report.ts';

/** Flows before, so that pages are in the log as a whole already; and those that are measured. */
const WARMTH = 200;
const FLOWS = 400;
/** Concurrent payers, so that rows are written in groups, as when many people pay. */
const PAYERS = 8;
const MOST_TABLES = 16;

const KB = 1_024;

/** Bytes of the log since a moment, by the table that a record changes, in its rows and in its indexes. */
const BY_TABLE = `
  with record as (
    select b.relfilenode, b.reltablespace, b.record_length as bytes, b.block_fpi_length as image
    from pg_get_wal_block_info($1, $2, false) b
    where b.block_id = 0 and b.reldatabase = (select oid from pg_database where datname = current_database())
  ), changed as (
    select pg_filenode_relation(reltablespace, relfilenode) as relation, bytes, image from record
  )
  select regexp_replace(coalesce(t.relname, c.relname, 'other'), '_(\\d{4}_\\d{2}|rest)$', '') as name,
    coalesce(sum(bytes) filter (where i.indexrelid is null), 0)::float as rows,
    coalesce(sum(bytes) filter (where i.indexrelid is not null), 0)::float as indexes, sum(image)::float as images
  from changed left join pg_class c on c.oid = relation left join pg_index i on i.indexrelid = c.oid
  left join pg_class t on t.oid = i.indrelid
  group by 1 order by sum(bytes) desc`;

const UPDATES = `
  select relname as name, n_tup_upd::int as updated, n_tup_hot_upd::int as hot from pg_stat_user_tables
  where relname = any('{payment_intent,assessment,webhook_delivery,propagation}') order by 1`;

interface Updates {
  readonly name: string;
  readonly updated: number;
  readonly hot: number;
}

interface Written {
  readonly name: string;
  readonly rows: number;
  readonly indexes: number;
  readonly images: number;
}

interface Payment {
  readonly what: string;
  once(): Promise<void>;
  settle(): Promise<void>;
  /** The most that it may write, including all jobs that follow. */
  readonly mostKb: number;
}

/** Measures what a whole flow writes to PostgreSQL's log, including its jobs, once they have ended. */
export async function measureWal(report: Report, db: pg.Pool, { what, once, settle, mostKb }: Payment): Promise<void> {
  await db.query('create extension if not exists pg_walinspect');
  const run = async (flows: number) => {
    const each = async () => {
      for (let left = flows / PAYERS; left > 0; left--) await once();
    };
    await Promise.all(Array.from({ length: PAYERS }, each));
    await settle();
  };
  const now = async () => {
    const { rows } = await db.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
    return rows[0]!.lsn;
  };
  await run(WARMTH);
  // Prevents a vacuum of earlier rows from being counted.
  await db.query('vacuum analyze');
  const [from, before] = [await now(), (await db.query<Updates>(UPDATES)).rows];
  await run(FLOWS);
  const until = await now();
  const { rows } = await db.query<{ bytes: number }>('select ($2::pg_lsn - $1::pg_lsn)::float as bytes', [from, until]);
  const total = rows[0]!.bytes / FLOWS / KB;
  const written = (await db.query<Written>(BY_TABLE, [from, until])).rows;
  const each = (bytes: number) => bytes / FLOWS / KB;
  report.table(
    [`log of ${what}, KB`, 'rows', 'indexes', 'all', 'of it whole pages'],
    [
      ...written
        .slice(0, MOST_TABLES)
        .map(({ name, rows: heap, indexes, images }) => [
          name,
          each(heap),
          each(indexes),
          each(heap + indexes),
          each(images),
        ]),
      [
        'all, ends of transactions included',
        null,
        null,
        total,
        each(written.reduce((sum, { images }) => sum + images, 0)),
      ],
    ],
  );
  const after = (await db.query<Updates>(UPDATES)).rows;
  report.table(
    [`updates of ${what}`, 'all', 'in place (HOT)'],
    after.map(({ name, updated, hot }) => {
      const earlier = before.find((one) => one.name === name)!;
      return [name, (updated - earlier.updated) / FLOWS, (hot - earlier.hot) / FLOWS];
    }),
  );
  report.judge({ what: `log of ${what}`, figure: total, unit: 'KB', target: { atMost: mostKb } });
}
