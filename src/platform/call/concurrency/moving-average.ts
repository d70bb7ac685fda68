/** How much the last of a row of values counts in their recent average. */
const LATELY = 0.1;

/** The recent average of a row of values, with one more of them; `before` is 0 where that is the first. */
export function movingAverage(before: number, now: number): number {
  return before === 0 ? now : before * (1 - LATELY) + now * LATELY;
}
