import { DAY_MS, dayOf } from '../../kernel/time.ts';
import { foldRevenue } from '../../oversight/revenue/fold.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeAgencies, makeCitizens } from './history/cast.ts';
import { EVENTS_EACH, type Month, writePayments } from './history/payments.ts';

export interface HistoryOptions {
  /** How many payment events, about. */
  readonly events: number;
  readonly years: number;
  /** How many agencies there are to be at the end; those that lack are made up. */
  readonly agencies: number;
  /** The same numbers make the same history. */
  readonly seed: number;
}

export interface HistoryProgress {
  readonly months: number;
  readonly ofMonths: number;
  readonly events: number;
}

/** Payments that one transaction writes. */
const BATCH = 50_000;
const FOLDED_AT_ONCE = 200_000;

type Seeding = Pick<Rail, 'db' | 'transaction' | 'now'>;

/**
 * Fills a database with a history that could have been: growing, busier at the end of a month and before the end of the
 * fiscal year in June, some agencies far larger than others, a few payments reversed and some never made. For trying
 * oversight out; it makes up people, and belongs into no real database.
 */
export async function* seedHistory(rail: Seeding, options: HistoryOptions): AsyncGenerator<HistoryProgress> {
  await rail.db.rows(sql`select setseed(${((options.seed % 1_000) + 1) / 1_001})`);
  await makeAgencies(rail.db, options.agencies, rail.now());
  await makeCitizens(rail.db, rail.now());
  const months = listMonthsUpTo(rail.now(), options.years);
  const weights = months.map(({ from }, index) => (1 + index / months.length) * (from.getUTCMonth() === 5 ? 1.6 : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let events = 0;
  for (const [index, month] of months.entries()) {
    const payments = Math.round((options.events / EVENTS_EACH) * (weights[index]! / whole));
    for (let left = payments; left > 0; left -= BATCH) {
      const seed = options.seed + index * 97 + left;
      events += await rail.transaction((db) => writePayments(db, month, Math.min(left, BATCH), seed));
    }
    for (let folded = FOLDED_AT_ONCE; folded === FOLDED_AT_ONCE;) folded = await foldRevenue(rail, FOLDED_AT_ONCE);
    yield { months: index + 1, ofMonths: months.length, events };
  }
  // PostgreSQL has no statistics yet of what was written in bulk.
  await rail.db.rows(sql`analyze`);
}

/** Whole months up to the last one, and the present one up to yesterday. */
function listMonthsUpTo(now: Date, years: number): Month[] {
  const today = dayOf(now);
  const months: Month[] = [];
  for (let back = Math.round(years * 12) - 1; back >= 0; back--) {
    const from = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1));
    const to = new Date(Math.min(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1), today.getTime()));
    if (to.getTime() - from.getTime() >= DAY_MS) months.push({ from, to });
  }
  return months;
}
