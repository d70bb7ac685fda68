import { expect, it } from 'vitest';
import { mergeHappenings } from '../../../src/site/records/happenings.ts';

const at = (...seconds: number[]) => seconds.map((second) => ({ occurredAt: `2026-01-01T00:00:${second}Z` }));
const secondsOf = (list: readonly { readonly occurredAt: string }[]) =>
  list.map(({ occurredAt }) => Number(occurredAt.slice(17, 19)));

it('puts payments and anomalies in the order of their moments, the newest first', () => {
  expect(secondsOf(mergeHappenings(at(50, 30, 40, 20), at(55, 35, 25, 15)))).toEqual([55, 50, 40, 35, 30, 25, 20]);
  expect(secondsOf(mergeHappenings([], at(20, 10)))).toEqual([20, 10]);
  expect(secondsOf(mergeHappenings(at(20, 10), []))).toEqual([20, 10]);
});
