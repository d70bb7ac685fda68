import type { Config } from '../../config/config.ts';
import { type Quota, type Refusal, refuseBeyondQuota } from '../../../kernel/refusal.ts';
import { Counter } from './counter.ts';
import { SharedCounter } from './shared-counter.ts';
import type { Database } from '../../database/sql.ts';
import { networkOf } from '../../../kernel/network.ts';
import { requestLimitOf } from '../../access/account.ts';
import type { Viewer } from '../../access/viewer.ts';

const WINDOW_SECONDS = 60;

type Policy = 'key' | 'address' | 'records' | 'anonymous' | 'misses';

/** Unknown payment references that a caller or a payment point may ask for in a minute. */
const MOST_MISSES = { caller: 10, biller: 20 } as const;

/**
 * Counts requests by the minute: an integrator's, of which it may send as many as operators or its pricing tier allow,
 * those of a session of staff, those that an address sends without either, and its tries to sign up or in and looks at
 * records.
 */
export class Limits {
  readonly #limiters: Readonly<Record<Policy, Pick<Counter, 'get' | 'consume'>>>;
  readonly #limits: Config['limits'];
  /** The last look of each guesser that is under way: the next one waits for it, and for whether it missed. */
  readonly #looks = new Map<string, Promise<void>>();
  /** Milliseconds of the copy of this process. */
  readonly #figures = new Counter(WINDOW_SECONDS);

  constructor(limits: Config['limits'], db: Database) {
    this.#limits = limits;
    const limiter = (policy: Policy) =>
      limits.shared ? new SharedCounter(db, policy, WINDOW_SECONDS) : new Counter(WINDOW_SECONDS);
    this.#limiters = {
      key: limiter('key'),
      address: limiter('address'),
      records: limiter('records'),
      anonymous: limiter('anonymous'),
      misses: limiter('misses'),
    };
  }

  /**
   * Counts a request of an integrator, by whichever of its keys and sessions, of a session of staff, or of a key of an
   * agency, by whichever of its tokens, or of who came by a payment link; null for callers that are not counted. Refuses what goes beyond.
   */
  async countCaller({ kind, integrator, session, key, payer, account }: Viewer): Promise<Quota | null> {
    if (kind === 'anonymous' || kind === 'system') return null;
    const most = account ? requestLimitOf(account, this.#limits) : this.#limits.perKey;
    return this.#count('key', (integrator ?? session ?? key ?? payer?.link)!, most);
  }

  /**
   * Looks for something by a number that could be guessed, one look of a guesser after another. Who missed too often
   * finds nothing more until the minute is over; `beyond` runs where that begins.
   */
  async countMisses<Found>(
    { of, who }: { readonly of: keyof typeof MOST_MISSES; readonly who: string },
    find: () => Promise<Found | null>,
    beyond?: () => Promise<void>,
  ): Promise<Found | null> {
    const guesser = `${of}:${who}`;
    const last = this.#looks.get(guesser);
    const { promise: look, resolve: end } = Promise.withResolvers<void>();
    this.#looks.set(guesser, look);
    try {
      await last;
      return await this.#look(guesser, MOST_MISSES[of], find, beyond);
    } finally {
      if (this.#looks.get(guesser) === look) this.#looks.delete(guesser);
      end();
    }
  }

  async #look<Found>(
    guesser: string,
    most: number,
    find: () => Promise<Found | null>,
    beyond?: () => Promise<void>,
  ): Promise<Found | null> {
    const before = await this.#limiters.misses.get(guesser);
    if (before && before.consumedPoints >= most) {
      // Refused tries count too, so that only one refusal is the first.
      if (before.consumedPoints === most) await beyond?.();
      await this.#count('misses', guesser, most);
    }
    const found = await find();
    if (found === null) await this.#limiters.misses.consume(guesser);
    return found;
  }

  /**
   * Counts that something was not found by a text that nobody can guess, and refuses what goes beyond. What is found is
   * never refused, however often others behind the same address missed.
   */
  async countMiss(who: string): Promise<void> {
    await this.#count('misses', `caller:${who}`, MOST_MISSES.caller);
  }

  /** Counts for how long figures were computed for somebody. */
  async countFigures(shares: readonly string[], ms: number): Promise<void> {
    for (const share of shares) await this.#figures.consume(share, ms);
  }

  /** Refuses somebody for whom figures were computed for as long as they may be. */
  async refuseFiguresBeyond(shares: readonly string[]): Promise<void> {
    const most = this.#limits.figuresSeconds;
    for (const share of shares) {
      const counted = await this.#figures.get(share);
      if (!counted || counted.consumedPoints < most * 1_000) continue;
      const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1_000));
      const quota = { name: 'seconds of figures', most, windowSeconds: WINDOW_SECONDS, remaining: 0, resetSeconds };
      throw refuseBeyondQuota(`At most ${most} s of figures a minute; try again in ${resetSeconds} s`, quota);
    }
  }

  /** Counts a request of an address that shows no credential. Refuses what goes beyond. */
  countAnonymous(address: string): Promise<Quota> {
    return this.#count('anonymous', networkOf(address), this.#limits.perAnonymous);
  }

  /** Counts a try of an address to sign up or in, or its look at a record. Refuses what goes beyond. */
  countAddress(address: string, policy: 'address' | 'records'): Promise<Quota> {
    return this.#count(policy, networkOf(address), this.#limits.perAddress);
  }

  async #count(policy: Policy, who: string, most: number): Promise<Quota> {
    const { consumedPoints, msBeforeNext } = await this.#limiters[policy].consume(who);
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    const remaining = Math.max(0, most - consumedPoints);
    const quota: Quota = { name: policy, most, windowSeconds: WINDOW_SECONDS, remaining, resetSeconds };
    if (consumedPoints <= most) return quota;
    const counted = policy === 'misses' ? 'unknown payment references and links' : 'requests';
    throw refuseBeyondQuota(`At most ${most} ${counted} a minute; try again in ${resetSeconds} s`, quota);
  }
}

/** Headers with the time of the next try, and the quota that was used up. */
export function retryHeadersOf({ code, quota }: Refusal): Record<string, string> {
  if (quota) return { ...quotaHeadersOf(quota), 'Retry-After': String(quota.resetSeconds) };
  if (code === 'unavailable') return { 'Retry-After': '5' };
  return code === 'idempotency_in_progress' ? { 'Retry-After': '1' } : {};
}

/** The headers of a refusal: when to try again, and how to show who asks. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  return {
    ...retryHeadersOf(refusal),
    ...(refusal.code === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer realm="revenue-rail"' }),
  };
}

/** A quota in the header fields of draft-ietf-httpapi-ratelimit-headers. */
export function quotaHeadersOf({ name, most, windowSeconds, remaining, resetSeconds }: Quota): Record<string, string> {
  // A limit of concurrent requests has its own unit instead of a window.
  const policy = windowSeconds === null ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  return {
    'RateLimit-Policy': `"${name}";q=${most};${policy}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
