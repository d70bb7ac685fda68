import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../../src/platform/database/cluster/cluster.ts';
import { serve } from '../../harness/processes.ts';
import { median } from '../measure.ts';
import type { Report } from '../report.ts';

const TARGET_MS = 2_500;
const STARTS = 5;

/** Measures how long a rail takes to listen, with its own PostgreSQL that starts with it. */
export async function measureStart(report: Report): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rail-bench-'));
  const cluster = await startCluster({ dataDir });
  await cluster.release();
  try {
    const took: number[] = [];
    for (let start = 0; start <= STARTS; start++) {
      const from = performance.now();
      const rail = await serve('src/app/main.ts', { DATA_DIR: dataDir, PORT: '0' }, { log: join(dataDir, 'log') });
      took.push(performance.now() - from);
      await rail.stop();
    }
    // The first one also makes the database.
    const [first, ...warm] = took;
    report.table(['start, ms', 'first', 'warm'], [['', first!, median(warm)]]);
    report.judge({
      what: 'start, warm',
      figure: median(warm),
      unit: 'ms',
      range: [Math.min(...warm), Math.max(...warm)],
      target: { atMost: TARGET_MS },
    });
  } finally {
    for (const path of [cluster.directory, dataDir]) rmSync(path, { recursive: true, force: true });
  }
}
