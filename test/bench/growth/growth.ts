import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { median } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import { measureExports } from './exports.ts';
import { type Asked, makeHistory, openHistory } from './history.ts';
import { QUESTIONS, type Question, questionOf } from './questions.ts';

/** Most that a question may take on the large history: a multiple of its time on the small one, or milliseconds. */
const MOST_TIMES = 1.5;
const MOST_MS = 20;
/** Assessments of the small history. */
const FEW = 3_000;
/** The name of files among the questions. */
const EXPORTS = 'exports';
const SAMPLES = 30;
const WARM_UP = 4;
/** Beyond it a question gets no further samples: what is this slow has missed its target whatever they would be. */
const PATIENCE_MS = 60_000;

/**
 * Asks every question whose name `only` fits of a small history and of one of so many assessments, in turns, and says
 * how much longer the large one takes.
 */
export async function measureGrowth(report: Report, cluster: Cluster, assessments: number, only: RegExp) {
  report.begin('Growth: lists, searches and filters, and what oversight asks');
  const urls = { small: await makeHistory(cluster, FEW), large: await makeHistory(cluster, assessments) };
  const opened: Asked[] = [];
  const open = async (url: string): Promise<Asked> => {
    const asked = await openHistory(url);
    opened.push(asked);
    return asked;
  };
  try {
    const [small, large] = [await open(urls.small), await open(urls.large)];
    const operations = await small.operations();
    const questions = [...QUESTIONS, ...operations.map(questionOf)].filter(({ what }) => only.test(what));
    // A question that is asked wrongly fails at once.
    for (const { asker, path } of questions) await small.ask(asker, path(small.facts));
    const rows: Cell[][] = [];
    for (const question of questions) rows.push(await compareSizes(report, question, small, large));
    report.table(['question', 'small p50', 'p95', 'large p50', 'p95', '×', 'samples'], rows);
    if (only.test(EXPORTS)) await measureExports(report, large);
  } finally {
    for (const asked of opened) await asked.close();
  }
}

async function compareSizes(report: Report, { asker, what, path }: Question, small: Asked, large: Asked) {
  const took: Record<'small' | 'large', number[]> = { small: [], large: [] };
  const until = performance.now() + PATIENCE_MS;
  for (let turn = 0; turn < WARM_UP + SAMPLES && performance.now() < until; turn++) {
    const pair = {
      small: await small.ask(asker, path(small.facts)),
      large: await large.ask(asker, path(large.facts)),
    };
    // The first ones plan statements and fill caches; of a slow question they count all the same.
    if (turn >= WARM_UP || performance.now() > until) {
      took.small.push(pair.small);
      took.large.push(pair.large);
    }
  }
  const times = median(took.large) / median(took.small);
  const met = times <= MOST_TIMES || median(took.large) <= MOST_MS;
  const target = { words: `${MOST_TIMES} × or ${MOST_MS} ms`, met };
  report.judge({ what: `${what} at ${median(took.large).toFixed(1)} ms`, figure: times, unit: '×', target });
  const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;
  return [what, median(took.small), p95(took.small), median(took.large), p95(took.large), times, took.large.length];
}
