import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { Report } from '../report.ts';

const PAUSES = 8;
const PAUSE_MS = 15_000;
const FOLLOWING = 10;
/** Most times that the first payment after a pause may take as long as those that follow it. */
const MOST_TIMES = 1.5;

/** Measures how long one payer waits for a whole flow: after a pause, and right after another, in turns. */
export async function measurePause(report: Report, once: () => Promise<void>): Promise<void> {
  const time = async () => {
    const from = performance.now();
    await once();
    return performance.now() - from;
  };
  const [cold, warm, ratios]: [number[], number[], number[]] = [[], [], []];
  while (cold.length < PAUSES) {
    await sleep(PAUSE_MS);
    const first = await time();
    const following: number[] = [];
    while (following.length < FOLLOWING) following.push(await time());
    cold.push(first);
    warm.push(...following);
    ratios.push(first / median(following));
  }
  const silence = `after ${PAUSE_MS / 1_000} s of silence`;
  report.table(
    ['whole flow of one payer, jobs on, ms', 'p50', 'most'],
    [
      ['right after another', median(warm), Math.max(...warm)],
      [silence, median(cold), Math.max(...cold)],
    ],
  );
  report.judge({
    what: `whole flow ${silence} ÷ warm`,
    figure: median(ratios),
    unit: '×',
    range: [Math.min(...ratios), Math.max(...ratios)],
    target: { atMost: MOST_TIMES },
  });
}
