import { setTimeout as sleep } from 'node:timers/promises';
import { startWorker } from '../../../src/app/jobs/worker.ts';
import { PATIENCE } from '../../harness/outside.ts';
import { PointBooks } from '../../harness/people/biller.ts';
import type { Place } from './place.ts';
import type { Context } from './scenario.ts';

/**
 * Two payment points, and how a connections file has them: what the bank reports counts at once, as a sandbox has it; the
 * kiosk is asked.
 */
export async function openPoints(context: Context): Promise<{ points: PointBooks[]; billers: object[] }> {
  const points = [new PointBooks('bank'), new PointBooks('kiosk')];
  const enquiries = await points[1]!.answerEnquiries();
  context.atEnd(() => enquiries.close());
  const point = { country: 'UG', currencies: ['UGX'], channels: ['bank'] };
  const billers = [
    { ...point, name: 'bank' },
    { ...point, name: 'kiosk', enquiries: enquiries.url, ...PATIENCE },
  ];
  return { points, billers };
}

/** Differences between the books of payment points and the rail's. */
export async function comparePoints({ rail }: Place, points: readonly PointBooks[]): Promise<string[]> {
  return (await Promise.all(points.map((point) => point.compare(rail)))).flat();
}

/**
 * Does some work. All the while, what payment points were answered about is asked about or booked: a process may die at
 * any moment.
 */
export async function whileKept(
  context: Context,
  { rail }: Place,
  points: readonly PointBooks[],
  work: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const forgotten = new Set<string>();
  const watch = async () => {
    for (; !over.signal.aborted; await sleep(50))
      for (const point of points) for (const txn of await point.findForgotten(rail)) forgotten.add(txn);
  };
  await Promise.all([work().finally(() => over.abort()), watch()]);
  context.lose('answered to a payment point, and neither asked about nor booked', [...forgotten]);
}

/** Notes what payment points took, and were answered. */
export function notePoints(context: Context, points: readonly PointBooks[]): void {
  for (const { name, taken } of points) context.count(`taken at ${name}`, taken.size);
  context.lose(
    'answered wrongly to a payment point',
    points.flatMap(({ wrong }) => wrong),
  );
}

/** Lets time pass until the rail has found out about all that it was not told; what differs then. */
export async function untilSettled({ rail }: Place, compare: () => Promise<string[]>): Promise<string[]> {
  const worker = await startWorker(rail.rail);
  try {
    let differences = await compare();
    for (let turn = 0; differences.length > 0 && turn < 120; turn++) {
      rail.advance(0.1);
      await sleep(500);
      differences = await compare();
    }
    return differences;
  } finally {
    await worker.stop();
  }
}
