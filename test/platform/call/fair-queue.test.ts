import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue, type Waiting } from '../../../src/kernel/fair-queue.ts';

/** Under way at a time, each for so long: a turn comes free every 10 ms. */
const UNDER_WAY = 8;
const REQUEST_MS = 80;
const GAP_MS = REQUEST_MS / UNDER_WAY;
const FAR_TOO_MANY = 1_000;

const SENDER = 'account A';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** The line of a sender of whom as many requests are under way as there can be. */
function openLine() {
  const lines = new FairQueue(UNDER_WAY, 1_000);
  const line = lines.of(SENDER);
  // Keeps the sender from being forgotten while nobody waits.
  line.underWay = UNDER_WAY;
  const join = () => lines.join(line, { go: () => {}, refuse: () => {} } satisfies Waiting);
  return {
    join,
    /** Lets requests of one kind join until the line is hopeless, and returns the number that wait. */
    fill(begins: boolean): number {
      while (line.waiting.size < FAR_TOO_MANY && !lines.isHopeless(SENDER, begins)) join();
      return line.waiting.size;
    },
    /** Gives so many turns; as many join. */
    serve(turns: number): void {
      for (let i = 0; i < turns; i++) {
        vi.advanceTimersByTime(GAP_MS);
        join();
        lines.leave(lines.next()!, [...line.waiting][0]!);
      }
    },
    /** Lets everybody go, and nobody join for so long. */
    rest(ms: number): void {
      for (const one of line.waiting) lines.leave(line, one);
      vi.advanceTimersByTime(ms);
    },
  };
}

describe('a line of a sender', () => {
  it('takes a crowd that comes at once for as long as it may wait; half of that from those that begin something', () => {
    const line = openLine();
    line.join();
    line.serve(5);
    expect([line.fill(true), line.fill(false)]).toEqual([50, 100]);
  });

  it('is narrower once some have waited in it at every moment; a quarter is for those that begin something', () => {
    const line = openLine();
    line.join();
    line.serve(11);
    // Four times as long as a request takes, and a quarter of that.
    expect([line.fill(true), line.fill(false)]).toEqual([8, 32]);
  });

  it('is as wide as before once nobody has waited in it for long enough, and not sooner', () => {
    const line = openLine();
    line.join();
    line.serve(11);
    expect(line.fill(true)).toBe(8);
    line.rest(400);
    expect(line.fill(true)).toBe(8);
    line.rest(501);
    expect(line.fill(true)).toBe(50);
  });
});
