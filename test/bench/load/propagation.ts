import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { simulateOutside } from '../../../src/sandbox/simulators/outside.ts';
import { flow } from '../flows/flow.ts';
import { repeatedly } from '../flows/flows.ts';
import { spread } from '../flows/subjects.ts';
import type { Report } from '../report.ts';
import { Setting, issueKey } from '../setting.ts';

const WARMTH_MS = 8_000;
const SPAN_MS = 20_000;
/** Most time that the remaining notices may take once nobody pays any more. */
const LONGEST_DRAIN_MS = 60_000;
/** An agency that is notified as fast as payments come is behind by what is on its way, and by at most this. */
const MOST_BEHIND_S = 1;

interface Notices {
  readonly arisen: number;
  readonly delivered: number;
  readonly at: number;
}

/**
 * Pays as fast as one process takes it, jobs on, with agencies that are reached over HTTP and answer at once: whether
 * they are told as fast as payments come.
 */
export async function measurePropagation(report: Report): Promise<void> {
  report.begin('propagation. Agencies are told while payments come at full speed');
  const setting = await Setting.open();
  const folder = mkdtempSync(join(tmpdir(), 'rail-bench-agencies-'));
  let origin = '';
  const outside = await simulateOutside({ folder, rail: () => origin, autopay: true });
  setting.closeWith(async () => {
    await outside.close();
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    const CONNECTIONS = join(folder, 'agencies.json');
    // Payments are collected as in other parts: what is measured is what follows them.
    writeFileSync(CONNECTIONS, JSON.stringify({ agencies: outside.connections.agencies }), { mode: 0o600 });
    const env = {
      ...(await setting.database('rail')),
      JOBS: 'on',
      DATABASE_POOL: '',
      ...outside.environment,
      CONNECTIONS,
    };
    const rail = await setting.serve('src/app/main.ts', env);
    ({ origin } = rail);
    const key = await issueKey(env);
    const client = setting.client(rail, key);
    const db = setting.pool(env);
    const next = await spread(client, key, db);

    const paying = repeatedly(async () => void (await flow(client, next())))(WARMTH_MS + SPAN_MS);
    await sleep(WARMTH_MS);
    await setting.analyze();
    const [before, cpuBefore] = [await countNotices(db), rail.cpuMs()];
    const { done } = await paying;
    const [after, cpuAfter] = [await countNotices(db), rail.cpuMs()];
    const left = after.arisen - after.delivered;
    const drainMs = await drain(db);

    const seconds = (after.at - before.at) / 1_000;
    const [arisen, delivered] = [after.arisen - before.arisen, after.delivered - before.delivered];
    report.table(
      ['', 'arisen a second', 'delivered a second', 'left at the end', 'done after s', 'server ms a payment'],
      [
        [
          `${(done / ((WARMTH_MS + SPAN_MS) / 1_000)).toFixed(0)} payments a second, each of two agencies`,
          arisen / seconds,
          delivered / seconds,
          left,
          drainMs / 1_000,
          ((cpuAfter - cpuBefore) / arisen) * 2,
        ],
      ],
    );
    report.judge({
      what: 'notices to agencies, delivered ÷ arisen',
      figure: delivered / arisen,
      unit: '×',
      target: {
        words: `at least 1, or less than ${MOST_BEHIND_S} s behind`,
        met: delivered >= arisen || left <= (MOST_BEHIND_S * arisen) / seconds,
      },
    });
  } finally {
    await setting.close();
  }
}

async function countNotices(db: pg.Pool): Promise<Notices> {
  const { rows } = await db.query<{ arisen: number; delivered: number }>(
    `select count(*)::int as arisen, count(*) filter (where status = 'done')::int as delivered from propagation`,
  );
  return { ...rows[0]!, at: performance.now() };
}

/** Waits until all are told; for how long that was. */
async function drain(db: pg.Pool): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { arisen, delivered, at } = await countNotices(db);
    if (arisen === delivered) return at - from;
    if (at - from > LONGEST_DRAIN_MS) throw new Error(`${arisen - delivered} notices were not delivered`);
    await sleep(100);
  }
}
