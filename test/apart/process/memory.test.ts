import { describe, expect, it } from 'vitest';
import { sendDocuments, soak } from '../../harness/chaos/memory.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

describe('memory', () => {
  it('is not filled by documents that nobody sends twice', async () => {
    expect(await sendDocuments(rail, 320)).toBeLessThan(40);
  });

  it('does not grow with the number of requests', { tags: 'long' }, async () => {
    expect(await soak(rail, { warm: 300, count: 600 })).toBeLessThan(20);
  });
});
