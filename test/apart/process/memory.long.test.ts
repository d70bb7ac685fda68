import { describe, expect, it } from 'vitest';
import { sendDocuments, soak } from '../../harness/chaos/memory.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

describe('memory', () => {
  it('is not filled by 4,000 documents that nobody sends twice', async () => {
    expect(await sendDocuments(rail, 4_000)).toBeLessThan(100);
  });

  it('is after 20,000 requests as it was once the process was warm', async () => {
    expect(await soak(rail, { warm: 2_000, count: 20_000 })).toBeLessThan(50);
  });
});
