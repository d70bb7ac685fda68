import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Served } from '../../harness/processes.ts';
import type { Report } from '../report.ts';
import type { Setting } from '../setting.ts';

const TARGET_A_SECOND = 3;
/** Changes that jobs have yet to add up: those of the load before are over first. */
const TAILS = ['oversight_tail'];
const BEFORE_MS = 5_000;
const PATIENCE_MS = 180_000;
const REST_MS = 20_000;

/** Measures the work of an idle rail. */
export async function measureRest(report: Report, rail: Served, db: pg.Pool, { databaseMs }: Setting): Promise<void> {
  await db.query('create extension if not exists pg_stat_statements');
  await waitForJobs(db);
  await sleep(BEFORE_MS);
  await db.query('select pg_stat_statements_reset()');
  const [from, cpuFrom, databaseFrom] = [performance.now(), rail.cpuMs(), databaseMs()];
  await sleep(REST_MS);
  const { rows } = await db.query<{ statement: string; calls: number }>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as statement, calls::int from pg_stat_statements
     where query !~ 'pg_stat_statements' order by calls desc`,
  );
  const seconds = (performance.now() - from) / 1_000;
  const statements = rows.reduce((sum, { calls }) => sum + calls, 0) / seconds;
  report.table(
    ['at rest, a second', 'statements', 'server ms', 'PostgreSQL ms'],
    [['all', statements, (rail.cpuMs() - cpuFrom) / seconds, (databaseMs() - databaseFrom) / seconds]],
  );
  report.table(
    ['most of them', 'a second'],
    rows.slice(0, 5).map(({ statement, calls }) => [statement, calls / seconds]),
  );
  report.judge({
    what: 'statements at rest',
    figure: statements,
    unit: 'a second',
    target: { atMost: TARGET_A_SECOND },
  });
}

async function waitForJobs(db: pg.Pool): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  const waits = TAILS.map((tail) => `exists (select from ${tail})`).join(' or ');
  for (;;) {
    const { rows } = await db.query<{ waits: boolean }>(`select ${waits} as waits`);
    if (!rows[0]!.waits) return;
    if (performance.now() > until) throw new Error(`Jobs were not done after ${PATIENCE_MS / 1_000} s`);
    await sleep(500);
  }
}
