/** Seconds before each further try: after these a message is dead. */
const RETRIES_AFTER = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/** Spread of waits, so that tries that failed together are not repeated together. */
const JITTER = 0.2;

/** Most seconds that each further try waits. */
export const LONGEST_WAITS = RETRIES_AFTER.map((seconds) => seconds * (1 + JITTER));

/** Time of the next try after so many; null: never. `chance` is between 0 and 1. */
export function timeNextTry(attempts: number, at: Date, chance: number): Date | null {
  const seconds = RETRIES_AFTER[attempts - 1];
  if (seconds === undefined) return null;
  return new Date(at.getTime() + seconds * 1_000 * (1 - JITTER + 2 * JITTER * chance));
}
