import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { Report } from '../report.ts';

const WARM = 40;
const PAUSES = 6;
const PAUSE_MS = 15_000;
/** Most times that the first payment after a pause may take as long as a warm one. */
const MOST_TIMES = 1.5;

/** Measures how long one payer waits for a whole flow: right after another, and after a pause. */
export async function measurePause(report: Report, once: () => Promise<void>): Promise<void> {
  const timesOf = async (count: number, pauseMs: number) => {
    const took: number[] = [];
    while (took.length < count) {
      await sleep(pauseMs);
      const from = performance.now();
      await once();
      took.push(performance.now() - from);
    }
    return took;
  };
  const warm = await timesOf(WARM, 0);
  const cold = await timesOf(PAUSES, PAUSE_MS);
  const silence = `after ${PAUSE_MS / 1_000} s of silence`;
  report.table(
    ['whole flow of one payer, jobs on, ms', 'p50', 'most'],
    [
      ['right after another', median(warm), Math.max(...warm)],
      [silence, median(cold), Math.max(...cold)],
    ],
  );
  const figure = median(cold) / median(warm);
  report.judge({ what: `whole flow ${silence} ÷ warm`, figure, unit: '×', target: { atMost: MOST_TIMES } });
}
