/** Seconds before each further try: after these a message is dead. */
const RETRIES_AFTER = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/** So that what failed together is not tried again together. */
const JITTER = 0.2;

/** How many seconds each further try waits for at most. */
export const LONGEST_WAITS = RETRIES_AFTER.map((seconds) => seconds * (1 + JITTER));

/** When to try again after so many tries; null: never. `chance` is between 0 and 1. */
export function timeNextTry(attempts: number, at: Date, chance: number): Date | null {
  const seconds = RETRIES_AFTER[attempts - 1];
  if (seconds === undefined) return null;
  return new Date(at.getTime() + seconds * 1_000 * (1 - JITTER + 2 * JITTER * chance));
}
