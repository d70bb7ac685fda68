import type { Client } from '../clients.ts';

/** Seed of the random order of questions, so that each run asks the same. */
const SEED = 28;
const WANTED = 40;
/**
 * Most questions that are tried: some measures are not kept by some dimensions, and some questions ask for too much.
 */
const TRIED = 400;

const DIMENSIONS = wordsOf(`
  agency sector family service channel country region district station counter kind fiscal_year quarter month week day
  weekday hour`);
const MEASURES = wordsOf(`
  net collected reversed payments average pieces median lower_quartile upper_quartile assessed paid outstanding cancelled
  p50 p90 p99 attempts failed success_rate payers shifts variance`);
const PRESETS = ['last_30_days', 'last_month', 'this_fiscal_year', 'last_fiscal_year'] as const;
const MOST_DIMENSIONS = 3;
const MOST_MEASURES = 3;

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Numbers from 0 to 1 in an order that looks like none (mulberry32). */
function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A question that nobody thought of: any measures by any dimensions, of a span, and of one channel at times. */
function draw(lot: () => number): string {
  const some = <T>(of: readonly T[], most: number) =>
    of
      .map((each) => ({ each, at: lot() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, 1 + Math.floor(lot() * most))
      .map(({ each }) => each);
  const one = <T>(of: readonly T[]) => of[Math.floor(lot() * of.length)]!;
  const query = new URLSearchParams({
    by: some(DIMENSIONS, MOST_DIMENSIONS).join(','),
    measures: some(MEASURES, MOST_MEASURES).join(','),
    preset: one(PRESETS),
    limit: '1000',
  });
  if (lot() < 0.3) query.set('channel', 'mtn_momo');
  return `/v1/oversight/figures?${query.toString()}`;
}

/** Questions that nobody foresaw and that are answered, and how many others were refused before they were computed. */
export async function drawQuestions(client: Client): Promise<{ paths: string[]; refused: number }> {
  const lot = lots(SEED);
  const paths: string[] = [];
  let tried = 0;
  for (; paths.length < WANTED && tried < TRIED; tried++) {
    const path = draw(lot);
    const answered = await client.get(path).then(
      () => true,
      (error: unknown) => (String(error).includes(': 422 ') ? false : Promise.reject(error)),
    );
    if (answered) paths.push(path);
  }
  if (paths.length < WANTED) throw new Error(`Only ${paths.length} of ${tried} questions were answered`);
  return { paths, refused: tried - paths.length };
}
