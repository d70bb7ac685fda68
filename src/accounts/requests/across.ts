import type { Call } from '../../platform/call/call.ts';
import { ArchiveError, type ArchivedEntry, type Manifest } from '../../platform/audit/archived.ts';
import { findArchivedMonths, readArchivedMonth } from '../../platform/audit/read.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { type Moment, compareMoments } from '../../platform/reading/moment-names.ts';
import { MOST_COUNTED, type Page, type PageArgs, pageOf, windowOf } from '../../platform/reading/page.ts';
import { SideTable } from '../../kernel/side-table.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import type { LogEntry } from './entry.ts';
import { say } from '../../kernel/text/said.ts';

/** A span of time, its end not included. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** A list of requests, part of which is in the archive. */
export interface SpanListing extends Span {
  /** True if an entry of the archive is of the list. */
  readonly matches: (entry: ArchivedEntry) => boolean;
  /** The same for lists that are the same. */
  readonly purpose: string;
  readonly partsOf: (name: string) => Moment | null;
  /** The entries at hand within some bounds, so many in a direction. */
  readonly readHot: (bounds: readonly Sql[], direction: 'asc' | 'desc', limit: number) => Promise<LogEntry[]>;
  /** Number of entries at hand, up to a limit. */
  readonly countHot: (most: number) => Promise<number>;
}

/** Ends of a page, and the direction in which it is read: downwards is from the newest on. */
interface Bounds {
  readonly below: Moment | null;
  readonly above: Moment | null;
  readonly downwards: boolean;
}

type Placed = LogEntry & { readonly moment: Moment };

/** Entries of a file that are kept for the pages to come, so that a file is not read for each of them. */
const READ_AHEAD = 5_000;

/**
 * Reads a page of a list whose older part is in files, as if all of it were at hand. What is at hand is read first: a
 * month that is archived meanwhile is found in both, and never in neither. A file is read as it comes, whole, since it
 * is in the order of time and the newest is asked for; only as many entries as a page needs are kept of it.
 */
export async function readAcross(call: Call, listing: SpanListing, args: PageArgs): Promise<Page<LogEntry>> {
  const window = windowOf(args);
  const bounds: Bounds = {
    below: cursorOf(listing, 'after', window.after),
    above: cursorOf(listing, 'before', window.before),
    downwards: !window.backwards,
  };
  const needed = window.offset + window.size + 1;
  const hot = await listing.readHot(conditionsOf(bounds), bounds.downwards ? 'desc' : 'asc', needed);
  let found = place(listing, hot, bounds);
  const months = await findArchivedMonths(call, listing);
  for (const month of bounds.downwards ? months.toReversed() : months) {
    if (isOutside(month, bounds)) continue;
    if (isBeyond(found[needed - 1], month, bounds)) break;
    const cold = await readMonth(call, listing, month, bounds, needed);
    found = place(listing, [...found, ...cold], bounds);
  }
  return pageOf(found.slice(window.offset, needed), window, () => count(call, listing));
}

function cursorOf({ partsOf }: SpanListing, end: 'after' | 'before', name: string | null): Moment | null {
  const moment = name === null ? null : partsOf(name);
  if (name !== null && !moment) throw refuseValue(end, say`does not name a row of this list`);
  return moment;
}

function conditionsOf({ below, above }: Bounds): Sql[] {
  return [
    ...(below ? [sql`(r.ts, r.id) < (${below.at}, ${below.id}::uuid)`] : []),
    ...(above ? [sql`(r.ts, r.id) > (${above.at}, ${above.id}::uuid)`] : []),
  ];
}

/** Entries in the order in which they are read, each once. */
function place({ partsOf }: SpanListing, entries: readonly LogEntry[], { downwards }: Bounds): Placed[] {
  const placed = new Map(entries.map((entry) => [entry.name, { ...entry, moment: partsOf(entry.name)! }]));
  return [...placed.values()].toSorted((one, other) =>
    downwards ? compareMoments(other.moment, one.moment) : compareMoments(one.moment, other.moment),
  );
}

/** The first moment of an archived month, and that of the next. */
function spanOfMonth({ month }: Manifest): Span {
  const from = new Date(`${month}T00:00:00Z`);
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
}

/** True if a month lies wholly on the other side of a cursor. */
function isOutside(month: Manifest, { below, above }: Bounds): boolean {
  const { from, to } = spanOfMonth(month);
  return (below !== null && below.at < from) || (above !== null && above.at >= to);
}

/** True if nothing of a month can come before the last entry that a page needs. */
function isBeyond(last: Placed | undefined, month: Manifest, { downwards }: Bounds): boolean {
  const { from, to } = spanOfMonth(month);
  return last !== undefined && (downwards ? last.moment.at >= to : last.moment.at < from);
}

interface Kept {
  readonly bounds: Bounds;
  readonly entries: readonly LogEntry[];
  /** True if the month has no more of them in this direction. */
  readonly whole: boolean;
}

/** Entries read for a call, whose next pages begin where they end: an export asks for one after the other. */
const keptFor = new SideTable<Call, Map<string, Kept>>();

async function readMonth(
  call: Call,
  listing: SpanListing,
  month: Manifest,
  bounds: Bounds,
  needed: number,
): Promise<readonly LogEntry[]> {
  const known = keptFor.of(call, () => {
    call.rail.slots.archive.take(call);
    return new Map<string, Kept>();
  });
  const key = `${month.month} ${bounds.downwards} ${listing.purpose}`;
  const kept = known.get(key);
  const fitting =
    kept && isWithin(bounds, kept.bounds) ? kept.entries.filter((entry) => isBetween(listing, entry, bounds)) : [];
  if (kept && isWithin(bounds, kept.bounds) && (kept.whole || fitting.length >= needed)) return fitting;
  const most = Math.max(needed, READ_AHEAD);
  const entries = await collect(call, listing, month, bounds, most);
  known.set(key, { bounds, entries, whole: entries.length < most });
  return entries;
}

/** True if some bounds lie within others, with as much room on the side that is read to. */
function isWithin(inner: Bounds, outer: Bounds): boolean {
  const below = !outer.below || (inner.below !== null && compareMoments(inner.below, outer.below) <= 0);
  const above = !outer.above || (inner.above !== null && compareMoments(inner.above, outer.above) >= 0);
  return below && above;
}

function isBetween({ partsOf }: Pick<SpanListing, 'partsOf'>, { name }: LogEntry, bounds: Bounds): boolean {
  return isMomentBetween(partsOf(name)!, bounds);
}

function isMomentBetween(moment: Moment, { below, above }: Bounds): boolean {
  return (!below || compareMoments(moment, below) < 0) && (!above || compareMoments(moment, above) > 0);
}

/** Entries of a month within some bounds, up to a number: the newest, or else the oldest of them. */
async function collect(
  call: Call,
  listing: SpanListing,
  month: Manifest,
  bounds: Bounds,
  most: number,
): Promise<LogEntry[]> {
  let entries: LogEntry[] = [];
  for await (const entry of readMatching(call, listing, month)) {
    const moment = { at: new Date(entry.ts), id: entry.id };
    if (bounds.below && compareMoments(moment, bounds.below) >= 0) break;
    if (!isMomentBetween(moment, bounds)) continue;
    entries.push(entryOf(entry));
    if (!bounds.downwards && entries.length === most) break;
    // The newest are the last: now and then, those before are let go.
    if (entries.length >= 2 * most) entries = entries.slice(-most);
  }
  return bounds.downwards ? entries.slice(-most) : entries;
}

/** The entries of a month that are of a list. Says so where the archive cannot be read, to callers and in the log. */
async function* readMatching(
  call: Call,
  { from, to, matches }: SpanListing,
  month: Manifest,
): AsyncGenerator<ArchivedEntry> {
  try {
    for await (const entry of readArchivedMonth(call, month)) {
      if (!matches(entry)) continue;
      const at = Date.parse(entry.ts);
      if (at >= from.getTime() && at < to.getTime()) yield entry;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    call.log.error({ err: error, request_id: call.requestId }, 'a month of the archive cannot be read');
    throw new Refusal(
      'unavailable',
      `The archive of ${error.month.slice(0, 7)} cannot be read at present, so its requests are missing; ask the operators of this rail`,
    );
  }
}

function entryOf({ id, ts, request_id, http_status, endpoint, event, key, object, refusal }: ArchivedEntry): LogEntry {
  return {
    name: `${ts}_${id}`,
    ts: new Date(ts),
    requestId: request_id,
    httpStatus: http_status,
    endpoint,
    event,
    key,
    object,
    refusal: refusal ?? null,
  };
}

/** Counts the whole list, as far as lists are counted. */
async function count(call: Call, listing: SpanListing): Promise<number> {
  const most = MOST_COUNTED + 1;
  let counted = await listing.countHot(most);
  for (const month of await findArchivedMonths(call, listing)) {
    if (counted >= most) break;
    const entries = readMatching(call, listing, month);
    while (counted < most && !(await entries.next()).done) counted++;
    await entries.return(undefined);
  }
  return counted;
}
