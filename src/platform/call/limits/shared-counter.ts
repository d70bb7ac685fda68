import { type Purging, purgeRows } from '../../change/purge.ts';
import { type Database, sql } from '../../database/sql.ts';
import type { Counted } from './counter.ts';

const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Counts for all processes together, in the database and by its clock. */
export class SharedCounter {
  readonly #db: Database;
  readonly #policy: string;
  readonly #windowMs: number;

  constructor(db: Database, policy: string, windowSeconds: number) {
    this.#db = db;
    this.#policy = policy;
    this.#windowMs = windowSeconds * 1_000;
  }

  /** An end that is further away than any window is long was stored before the clock was set back. */
  get(who: string): Promise<Counted | null> {
    return this.#db.row<Counted>(sql`
      select points as "consumedPoints", expire - ${NOW} as "msBeforeNext" from rate_limit
      where key = ${this.#keyOf(who)} and expire > ${NOW} and expire <= ${NOW} + ${this.#windowMs}`);
  }

  async consume(who: string): Promise<Counted> {
    const running = sql`r.expire > excluded.expire - ${this.#windowMs} and r.expire <= excluded.expire`;
    const counted = await this.#db.row<Counted>(sql`
      insert into rate_limit as r (key, points, expire) values (${this.#keyOf(who)}, 1, ${NOW} + ${this.#windowMs})
      on conflict (key) do update set points = case when ${running} then r.points + 1 else 1 end,
        expire = case when ${running} then r.expire else excluded.expire end
      returning points as "consumedPoints", expire - ${NOW} as "msBeforeNext"`);
    return counted!;
  }

  #keyOf(who: string): string {
    return `${this.#policy}:${who}`;
  }
}

/** Forgets the counts that are over; how many. */
export async function purgeCounts(purging: Purging): Promise<number> {
  return purgeRows(purging, 'rate_limit', sql`expire < ${NOW}`);
}
