import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRail } from '../../../src/app/open-rail.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import type { Analytics } from '../../../src/platform/analytics/analytics.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { Report } from '../report.ts';

const TARGETS = { fillS: 90, openMs: 500 };

/** Measures the cost of the copy of facts: to fill it, and to open it again. */
export async function measureCopy(report: Report, url: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rail-bench-copy-'));
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, JOBS: 'off' });
  const open = () => openRail(config, createLog('silent'));
  try {
    const first = await open();
    const [from, cpuFrom] = [performance.now(), process.cpuUsage()];
    await untilThere(first.rail.analytics);
    const fillS = (performance.now() - from) / 1_000;
    const { user, system } = process.cpuUsage(cpuFrom);
    await first.close();

    const again = await open();
    const opened = performance.now();
    await again.rail.analytics.asOf();
    const openMs = performance.now() - opened;
    await again.close();

    report.table(
      ['the copy of facts', 'filled s', 'CPU s', 'opened ms', 'MiB'],
      [['', fillS, (user + system) / 1e6, openMs, sizeOf(dataDir) / 2 ** 20]],
    );
    report.judge({ what: 'filled from PostgreSQL', figure: fillS, unit: 's', target: { atMost: TARGETS.fillS } });
    report.judge({ what: 'opened, warm', figure: openMs, unit: 'ms', target: { atMost: TARGETS.openMs } });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Waits until a copy is filled: who asks earlier is told to come again. */
async function untilThere(analytics: Analytics): Promise<void> {
  for (;;) {
    try {
      return void (await analytics.asOf());
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error;
    }
  }
}

/** Bytes of the files within a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
