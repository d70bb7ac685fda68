import { Refusal, refuseBeyondQuota } from '../../../kernel/refusal.ts';
import type { Viewer } from '../../access/viewer.ts';
import type { Source } from '../source.ts';

/** Bounds of something that goes on for long, so that only so much may be under way. */
export interface Bounds {
  /** In the plural, as callers are told. */
  readonly what: string;
  readonly perCaller: number;
  readonly perProcess: number;
}

/** The caller that takes a share, and its source. */
export interface Sharing {
  readonly viewer: Viewer;
  readonly transport: { readonly source: Source };
}

/**
 * Owners of the share that a caller takes of: an account, an agency or a member of staff. For a browser key, which
 * anybody finds, they are the key and the site that shows it, so that its account keeps its own.
 */
export function sharesOf({ viewer: { browser, key, actor }, transport: { source } }: Sharing): readonly string[] {
  return browser ? [key!, source.origin!] : [actor];
}

/** A caller that has a slot, until its request is over. */
interface Holder {
  readonly shares: readonly string[];
  readonly over: AbortSignal;
}

/** Seconds until a slot is likely to be free again. */
const TRY_AGAIN_SECONDS = 5;

/** Counts what goes on for long: each account, agency or member of staff may have some of it at a time, by whichever of their keys and sessions, and this process all told. A browser key has its own. */
export class Slots {
  readonly #bounds: Bounds;
  readonly #holders = new Set<Holder>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Number of slots taken by requests that are not over. Nothing has to give one back. */
  get taken(): number {
    for (const holder of this.#holders) if (holder.over.aborted) this.#holders.delete(holder);
    return this.#holders.size;
  }

  /**
   * Takes a slot until a request is over; refuses where its caller has all of its own, or this process has none left.
   */
  take(caller: Sharing & { readonly transport: { readonly over: AbortSignal } }): void {
    const shares = sharesOf(caller);
    const { what, perCaller, perProcess } = this.#bounds;
    const all = this.taken;
    const ownOf = (one: string) => [...this.#holders].filter((holder) => holder.shares.includes(one)).length;
    const own = Math.max(...shares.map(ownOf));
    if (own >= perCaller) {
      const quota = { name: what, most: perCaller, windowSeconds: null, remaining: 0, resetSeconds: TRY_AGAIN_SECONDS };
      throw refuseBeyondQuota(`At most ${perCaller} ${what} at a time; try again when one of yours has ended`, quota);
    }
    if (all >= perProcess) throw new Refusal('unavailable', `There are currently too many ${what}; try again shortly`);
    this.#holders.add({ shares, over: caller.transport.over });
  }
}
