import { CSV, PARQUET } from '../../../src/graphql/files/encode.ts';
import { median } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import type { Asked } from './history.ts';

const PATH = '/v1/oversight/payment-events';
const FORMATS = { CSV, Parquet: PARQUET } as const;
/**
 * Least rate of a file of a long list, in megabytes a second. A compressed file is measured by the size of the same
 * rows as CSV: the better it is compressed, the fewer bytes it has.
 */
const LEAST_MB = 20;
const ROUNDS = 3;
/** Most memory that a process may have gained between the first and the last file of each format. */
const MOST_GROWTH_MIB = 50;

/** Takes all payment events of a history as files, in turns, and looks at the memory of the process that writes them. */
export async function measureExports(report: Report, history: Asked): Promise<void> {
  const before = history.memoryMiB();
  const rates = new Map<string, number[]>();
  const after: number[] = [];
  const rows: Cell[][] = [];
  let unpackedBytes = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [format, accept] of Object.entries(FORMATS)) {
      const { bytes, ms, firstMs } = await history.take('auditor', PATH, accept);
      if (accept === CSV) unpackedBytes = bytes;
      const rate = unpackedBytes / 1e3 / ms;
      rows.push([format, bytes / 1e6, firstMs, ms / 1e3, rate, history.memoryMiB()]);
      // The first round warms up.
      if (round > 0) rates.set(format, [...(rates.get(format) ?? []), rate]);
    }
    after.push(history.memoryMiB());
  }
  report.table(['payment events as', 'MB', 'first byte ms', 's', 'MB/s as CSV', 'MiB after'], rows);
  for (const [format, seen] of rates) {
    const range = [Math.min(...seen), Math.max(...seen)] as const;
    const what = `payment events as ${format}${format === 'CSV' ? '' : ', by the same as CSV'}`;
    report.judge({ what, figure: median(seen), unit: 'MB/s', range, target: { atLeast: LEAST_MB } });
  }
  report.judge({
    what: `memory after ${2 * ROUNDS} more files, ${after[0]!.toFixed(0)} MiB before and ${before.toFixed(0)} MiB before any`,
    figure: after.at(-1)! - after[0]!,
    unit: 'MiB more',
    target: { atMost: MOST_GROWTH_MIB },
  });
}
