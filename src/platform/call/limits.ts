import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import { type Quota, type Refusal, refuseBeyondQuota } from '../../kernel/refusal.ts';
import { networkOf } from './networks.ts';
import type { Viewer } from '../access/viewer.ts';

const WINDOW_SECONDS = 60;

type Policy = 'key' | 'address' | 'anonymous';

/**
 * Counts requests by the minute: an integrator's, those of a session of staff, those that an address sends without
 * either, and its tries to sign up or in.
 */
export class Limits {
  readonly #limiters: Readonly<Record<Policy, RateLimiterAbstract>>;

  constructor({ perKey, perAddress, perAnonymous, shared }: Config['limits'], pool: pg.Pool) {
    const limiter = (policy: Policy, points: number) => {
      const options = { keyPrefix: policy, points, duration: WINDOW_SECONDS };
      if (!shared) return new RateLimiterMemory(options);
      return new RateLimiterPostgres({
        ...options,
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limit',
        tableCreated: true,
      });
    };
    this.#limiters = {
      key: limiter('key', perKey),
      address: limiter('address', perAddress),
      anonymous: limiter('anonymous', perAnonymous),
    };
  }

  /**
   * Counts a request of an integrator, by whichever of its keys and sessions, or of a session of staff; null for
   * callers that are not counted. Refuses what goes beyond.
   */
  async countCaller({ kind, integrator, session }: Viewer): Promise<Quota | null> {
    return kind === 'key' || kind === 'session' || kind === 'staff'
      ? this.#count('key', (integrator ?? session)!)
      : null;
  }

  /** Counts a request of an address that shows no credential. Refuses what goes beyond. */
  countAnonymous(address: string): Promise<Quota> {
    return this.#count('anonymous', networkOf(address));
  }

  /** Counts a try of an address to sign up or in. Refuses what goes beyond. */
  countAddress(address: string): Promise<Quota> {
    return this.#count('address', networkOf(address));
  }

  async #count(policy: Policy, who: string): Promise<Quota> {
    const limiter = this.#limiters[policy];
    try {
      return quotaOf(policy, limiter.points, await limiter.consume(who));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const quota = quotaOf(policy, limiter.points, error);
      throw refuseBeyondQuota(
        `At most ${limiter.points} requests a minute; try again in ${quota.resetSeconds} s`,
        quota,
      );
    }
  }
}

function quotaOf(policy: Policy, most: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Quota {
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return { name: policy, most, windowSeconds: WINDOW_SECONDS, remaining: remainingPoints, resetSeconds };
}

/** What tells a caller who may try again when that is, and what they have used up. */
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
  // What is bounded at a time has a unit of its own instead of a window.
  const policy = windowSeconds === null ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  return {
    'RateLimit-Policy': `"${name}";q=${most};${policy}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
