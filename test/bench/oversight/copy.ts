import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openRail } from '../../../src/app/open-rail.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import type { Analytics } from '../../../src/platform/analytics/analytics.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { BareFlow } from '../flows/bare-flow.ts';
import type { FlowSubject } from '../flows/subjects.ts';
import { percentile } from '../measure.ts';
import type { Report } from '../report.ts';

const TARGETS = { fillS: 90, openMs: 500, catchUpMs: 20 };
/** Payments that come meanwhile, and for how long. */
const A_SECOND = 100;
const SECONDS = 15;
/** Interval of the questions. */
const ASKED_EVERY_MS = 50;

/** With whose key payments are sent. */
export interface Payer {
  readonly integrator: string;
  readonly name: string;
}

/** Measures the cost of the copy of facts: to fill it, to open it again, and to update it for a question. */
export async function measureCopy(report: Report, url: string, key: Payer): Promise<void> {
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
    const { took, paid } = await whilePaying(url, key, again.rail.analytics);
    await again.close();

    report.table(
      ['the copy of facts', 'filled s', 'CPU s', 'opened ms', 'MiB'],
      [['', fillS, (user + system) / 1e6, openMs, sizeOf(dataDir) / 2 ** 20]],
    );
    report.table(
      [`caught up under ${A_SECOND} payments a second, ms`, 'p50', 'p95', 'p99', 'paid a second'],
      [[`${took.length} times`, ...[0.5, 0.95, 0.99].map((share) => percentile(took, share)), paid]],
    );
    report.judge({ what: 'filled from PostgreSQL', figure: fillS, unit: 's', target: { atMost: TARGETS.fillS } });
    report.judge({ what: 'opened, warm', figure: openMs, unit: 'ms', target: { atMost: TARGETS.openMs } });
    report.judge({
      what: `caught up under ${A_SECOND} payments a second, p99`,
      figure: percentile(took, 0.99),
      unit: 'ms',
      target: { atMost: TARGETS.catchUpMs },
    });
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

/**
 * Measures how long questions wait for the copy while payments come. Each payment begins at its time, even if earlier
 * ones have not ended. Also counts the payments done per second, which are fewer if the machine cannot keep up.
 */
async function whilePaying(url: string, key: Payer, analytics: Analytics): Promise<{ took: number[]; paid: number }> {
  const flows = new BareFlow(url, await payersOf(url, key), 'one statement a step');
  const payments: Promise<void>[] = [];
  const took: number[] = [];
  const from = performance.now();
  const until = from + SECONDS * 1_000;
  const paying = (async () => {
    while (performance.now() < until) {
      for (const due = ((performance.now() - from) / 1_000) * A_SECOND; payments.length < due;)
        payments.push(flows.once());
      await sleep(2);
    }
  })();
  while (performance.now() < until) {
    const asked = performance.now();
    await analytics.asOf();
    took.push(performance.now() - asked);
    await sleep(ASKED_EVERY_MS);
  }
  await paying;
  await Promise.all(payments);
  const paid = payments.length / ((performance.now() - from) / 1_000);
  await flows.close();
  return { took, paid };
}

/** Payers of a history by turns, each of two services of two agencies. */
async function payersOf(url: string, { integrator, name: key }: Payer): Promise<() => FlowSubject> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const citizens = await db.query<{ name: string }>('select name from citizen order by name limit 3000');
    const services = await db.query<FlowSubject['services'][number]>(
      `select name, service_name, mda, fee_amount::float from service where currency = 'UGX' and fee_amount > 0 order by mda, name`,
    );
    const apart = Math.floor(services.rows.length / 2);
    let turn = 0;
    return () => {
      const nth = turn++;
      const serviceAt = (at: number) => services.rows[at % services.rows.length]!;
      return {
        citizen: citizens.rows[nth % citizens.rows.length]!.name,
        services: [serviceAt(nth), serviceAt(nth + apart)],
        integrator,
        key,
      };
    };
  } finally {
    await db.end();
  }
}

/** Bytes of the files within a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
