import { expect, it } from 'vitest';
import { drawNumber } from '../../../src/collection/references/number.ts';

const COUNT = 5_000_000;

it('is drawn from so many that two of five million are alike as often as chance has it', () => {
  const seen = new Set<number>();
  let drawnAgain = 0;
  while (seen.size < COUNT) {
    const number = Number(drawNumber());
    // The database refuses a number that is taken, and another is drawn.
    if (seen.has(number)) drawnAgain++;
    seen.add(number);
  }
  // With 10^11 numbers, 125 pairs are expected. More than 200 do not occur by chance.
  expect(drawnAgain).toBeLessThan(200);
  expect(seen.size).toBe(COUNT);
});
