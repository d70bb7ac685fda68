import type { Asker } from '../../analytics/analytics.ts';
import type { Limits } from './limits.ts';
import { type Places, type Sharing, sharesOf } from './places.ts';

/** How long a question by a key may take that anybody finds in a page. */
const BROWSER_QUESTION_MS = 5_000;

interface Bounding {
  readonly limits: Limits;
  readonly places: { readonly figures: Places };
}

/** Has a request ask for figures within the bounds of its caller: it has one place for as long as it waits for any. */
export function askerOf({ places, limits }: Bounding, caller: Sharing): Asker {
  const { viewer, transport } = caller;
  const shares = sharesOf(caller);
  let waits = 0;
  let place = new AbortController();
  return {
    who: shares[0]!,
    ...(viewer.browser && { questionMs: BROWSER_QUESTION_MS }),
    async waiting(run) {
      await limits.refuseFiguresBeyond(shares);
      try {
        if (waits++ === 0) {
          place = new AbortController();
          places.figures.take({ viewer, transport: { ...transport, over: place.signal } });
        }
        return await run();
      } finally {
        if (--waits === 0) place.abort();
      }
    },
    admit: () => limits.refuseFiguresBeyond(shares),
    spend: (ms) => limits.countFigures(shares, ms),
  };
}
