import type { Asker } from '../../analytics/analytics.ts';
import type { Limits } from './limits.ts';
import { type Slots, type Sharing, sharesOf } from './slots.ts';

/** Longest time for a question by a key that anybody finds in a page. */
const BROWSER_QUESTION_MS = 5_000;
/** Such questions take at most a sixth of the engine's time: payments have the rest, however many are asked at once. */
const BROWSER_RESTS = 5;

interface Bounding {
  readonly limits: Limits;
  readonly slots: { readonly figures: Slots };
}

/** Has a request ask for figures within the bounds of its caller: it has one slot for as long as it waits for any. */
export function askerOf({ slots, limits }: Bounding, caller: Sharing): Asker {
  const { viewer, transport } = caller;
  const shares = sharesOf(caller);
  let waits = 0;
  let slot = new AbortController();
  return {
    who: shares[0]!,
    ...(viewer.browser && { questionMs: BROWSER_QUESTION_MS, rests: BROWSER_RESTS }),
    async waiting(run) {
      await limits.refuseFiguresBeyond(shares);
      try {
        if (waits++ === 0) {
          slot = new AbortController();
          slots.figures.take({ viewer, transport: { ...transport, over: slot.signal } });
        }
        return await run();
      } finally {
        if (--waits === 0) slot.abort();
      }
    },
    admit: () => limits.refuseFiguresBeyond(shares),
    spend: (ms) => limits.countFigures(shares, ms),
  };
}
