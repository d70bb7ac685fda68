import { Refusal } from '../../kernel/refusal.ts';
import type { Database } from '../database/sql.ts';

/** Figures from a columnar copy of facts, which says its own time. Queried like a database. */
export interface Analytics extends Database {
  /** Brings the copy to this moment, and says which moment that is: all that was recorded until then is in it. */
  asOf(): Promise<Date>;
  /** The same for its materialized views, which are as of the last time that they were asked for. */
  refresh(): Promise<Date>;
  /**
   * The same for several questions of one request: the copy is brought up to date before the first of them, and all are
   * answered as of that moment, until the request is `over`. Without an `asker` it is the rail itself that asks.
   */
  atOnce(asker?: Asker, over?: AbortSignal): Analytics;
  /**
   * Brings the copy up to date where that is due: often while somebody asks, else now and then; and verifies it a day
   * after it was verified last, also by an earlier process.
   */
  keepUp(): Promise<void>;
  /** Time of the copy at present; null if it was not filled yet. */
  readonly keptAsOf: Date | null;
  /** Time of the copy when it was queried; null if it was not. */
  readonly askedAsOf: Date | null;
  /**
   * Reads all facts again and compares them with the copy, as of one moment. Answers the first documents that differ,
   * and has the copy made again if any does: it follows PostgreSQL, so something else has changed it.
   */
  verify(): Promise<readonly Difference[]>;
}

/** On whose behalf a request asks. */
export interface Asker {
  /** In whose line its questions wait. */
  readonly who: string;
  /** Longest time for each, in milliseconds; without it there is no limit. */
  readonly questionMs?: number;
  /** Pause after a question, as a multiple of its time. No pause by default. */
  readonly rests?: number;
  /** Waits for something of the copy, in a place; refuses where there is none. */
  waiting<T>(run: () => Promise<T>): Promise<T>;
  /** Refuses a question whose turn it is where its asker has used up their time. */
  admit(): Promise<void>;
  /** Counts how long a question took. */
  spend(ms: number): Promise<void>;
}

/** A document of which the copy has other rows than PostgreSQL. */
export interface Difference {
  readonly fact: string;
  /** The digits of its docname. */
  readonly document: number;
}

function refuse(): Promise<never> {
  return Promise.reject(new Refusal('unavailable', 'This process computes no figures (OVERSIGHT=off)'));
}

/** For a process that computes no figures. */
export const NO_ANALYTICS: Analytics & { close(): Promise<void> } = {
  asOf: refuse,
  refresh: refuse,
  rows: refuse,
  row: refuse,
  askedAsOf: null,
  keptAsOf: null,
  keepUp: async () => {},
  atOnce: () => NO_ANALYTICS,
  verify: async () => [],
  close: async () => {},
};
