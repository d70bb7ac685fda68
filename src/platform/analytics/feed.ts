import { type Purging, purgeRows } from '../change/purge.ts';
import { type Database, sql } from '../database/sql.ts';

/** A process that was away for longer makes its copy again. */
const KEPT_HOURS = 24;

/**
 * Takes from the feed of changes what every process has read by now. How far it is cut off is kept first, so that a copy
 * that lies behind it is known to.
 */
export async function trimFeed(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - KEPT_HOURS * 3_600_000);
  const last = await purging.db.row<{ xid: string }>(sql`
    with last as (
      -- All transactions up to here have ended: none of them adds to the feed any more.
      select xid from fact_change where at < ${before} and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid desc limit 1
    ), kept as (
      update fact_feed f set trimmed = last.xid from last where last.xid > f.trimmed
    )
    select xid::text from last`);
  return last ? purgeRows(purging, 'fact_change', sql`xid <= ${last.xid}::xid8`) : 0;
}

/**
 * Empties a feed whose transactions lie ahead of the server's, and has every copy made again: the database came from
 * another server, by a restore or a replication. What is visible of a server's own lies behind its snapshots.
 */
export async function emptyForeignFeed(db: Database): Promise<boolean> {
  const emptied = await db.row(sql`
    with present as (
      select pg_snapshot_xmax(pg_current_snapshot()) as xid
    ), ahead as (
      update fact_feed f set trimmed = '0', epoch = f.epoch + 1 from present
      where f.trimmed >= present.xid or exists (select from fact_change c where c.xid >= present.xid) returning 1
    ), emptied as (
      delete from fact_change where exists (select from ahead)
    )
    select 1 from ahead`);
  return emptied !== null;
}

/** Has every copy made again: for what was written past the triggers that feed it. */
export async function remakeCopies(db: Database): Promise<void> {
  await db.rows(sql`update fact_feed set epoch = epoch + 1`);
}
