import { dayOf } from '../kernel/time.ts';
import { placeEvents } from '../oversight/events/place.ts';
import { sealAll } from '../oversight/seals/seal.ts';
import type { Rail } from '../platform/call/call.ts';
import { sql } from '../platform/database/sql.ts';
import { codesOfIntegrators, makeClerks, makeIntegrators } from './history/accounts.ts';
import { EVENTS_EACH, type Month } from './history/cases.ts';
import { type Cast, makeAgencies, makeCitizens } from './history/cast.ts';
import { writeNotices, writeOperations, writeRequests } from './history/logs.ts';
import { writePayments } from './history/payments.ts';

export interface HistoryOptions {
  /** Number of payment events, about. */
  readonly events: number;
  readonly years: number;
  /** Number of agencies at the end; missing ones are made up. */
  readonly agencies: number;
  /** The same numbers make the same history. */
  readonly seed: number;
  /**
   * True if all other records of a rail are made up too, in proportion: integrators, the first of which owns two
   * fifths; a fifth as many citizens as assessments; counters, traces, the log of requests, messages, comparisons of
   * statements, operators' actions; and seals. Left out: payments of 5,000 citizens, and nothing else.
   */
  readonly whole?: boolean;
}

/** Progress of the work. */
export interface HistoryProgress {
  /** Records written by now: `12 of 36 months, 300,000 events`. */
  readonly done: string;
  readonly events: number;
}

/** Payments that one transaction writes. */
const BATCH = 50_000;
const PLACED_AT_ONCE = 200_000;

type Seeding = Pick<Rail, 'db' | 'transaction' | 'now'>;

/**
 * Fills a database with a history that could have been: growing, busier at the end of a month and before the end of the
 * fiscal year in June, some agencies far larger than others, a few payments reversed and some never made. For trying
 * oversight out; it makes up people, and belongs into no real database.
 */
export async function* seedHistory(rail: Seeding, options: HistoryOptions): AsyncGenerator<HistoryProgress> {
  await rail.db.rows(sql`select setseed(${((options.seed % 1_000) + 1) / 1_001})`);
  await makeAgencies(rail.db, options.agencies, rail.now());
  const cast = castOf(options, rail.now());
  await makeCitizens(rail.db, cast, rail.now());
  if (options.whole) {
    await makeIntegrators(rail.db, cast, rail.now());
    await makeClerks(rail.db, cast, rail.now());
  }
  const months = listMonthsUpTo(rail.now(), options.years);
  const weights = months.map(({ from }, index) => (1 + index / months.length) * (from.getUTCMonth() === 5 ? 1.6 : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let events = 0;
  let analyzed = 0;
  for (const [index, month] of months.entries()) {
    const payments = Math.round((options.events / EVENTS_EACH) * (weights[index]! / whole));
    events += await writeMonth(rail, cast, { month, payments, seed: options.seed + index * 97 });
    // Placing and sealing rely on statistics, which by then cover a fraction of the events.
    if (events >= 2 * analyzed) {
      await analyzeHistory(rail);
      analyzed = events;
    }
    yield { done: `${index + 1} of ${months.length} months, ${events.toLocaleString('en')} events`, events };
  }
  if (options.whole) {
    for await (const done of writeRest(rail, options, cast)) yield { done, events };
  }
  await analyzeHistory(rail);
}

interface MonthOfPayments {
  readonly month: Month;
  readonly payments: number;
  readonly seed: number;
}

/** Writes so many payments of a month, with their places in the stream; how many events those were. */
export async function writeMonth(
  rail: Seeding,
  cast: Cast,
  { month, payments, seed }: MonthOfPayments,
): Promise<number> {
  let events = 0;
  for (let left = payments; left > 0; left -= BATCH)
    events += await rail.transaction((db) => writePayments(db, month, Math.min(left, BATCH), seed + left, cast));
  for (let placed = PLACED_AT_ONCE; placed === PLACED_AT_ONCE;) placed = await placeEvents(rail, PLACED_AT_ONCE);
  return events;
}

/** Has PostgreSQL know how much was written: it plans by statistics, which it makes in its own time. */
export async function analyzeHistory({ db }: Pick<Rail, 'db'>): Promise<void> {
  await db.rows(sql`analyze`);
}

function castOf({ events, whole }: HistoryOptions, now: Date): Cast {
  const rest = { lean: 2, slowest: 7_200, oddOneOf: 10, messages: true, now };
  if (!whole) return { ...rest, citizens: 5_000, integrators: [], clerks: 0 };
  const assessments = Math.ceil(events / EVENTS_EACH);
  const people = Math.max(8, Math.round(Math.sqrt(assessments) * 0.4));
  return { ...rest, citizens: Math.ceil(assessments / 5), integrators: codesOfIntegrators(people), clerks: people };
}

/** Writes what is not of a month; for an assessment five requests, and half a line of what operators did. */
async function* writeRest(rail: Seeding, { events, years }: HistoryOptions, cast: Cast): AsyncGenerator<string> {
  const assessments = Math.ceil(events / EVENTS_EACH);
  for await (const lines of writeRequests(rail.db, 5 * assessments, cast, rail.now()))
    yield `${lines.toLocaleString('en')} requests`;
  await writeOperations(rail.db, Math.ceil(assessments / 2), years, cast);
  await writeNotices(rail.db, Math.ceil(assessments / 500), rail.now());
  let sealed = 0;
  for (let more = 1; more > 0; sealed += more) {
    more = await sealAll(rail);
    yield `${(sealed + more).toLocaleString('en')} seals`;
  }
}

/** Whole months up to the last one, and the present one up to yesterday. */
function listMonthsUpTo(now: Date, years: number): Month[] {
  const today = dayOf(now);
  return listMonths(monthsBefore(today, Math.round(years * 12) - 1), today);
}

/** The beginning of the month that is so many before that of a moment. */
export function monthsBefore(at: Date, months: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1));
}

/** The months from a day up to another one, which is in none of them: the first and the last may be parts. */
export function listMonths(first: Date, end: Date): Month[] {
  const months: Month[] = [];
  for (let from = first; from < end; from = monthsBefore(from, -1))
    months.push({ from, to: new Date(Math.min(monthsBefore(from, -1).getTime(), end.getTime())) });
  return months;
}
