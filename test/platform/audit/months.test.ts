import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { beginOf } from '../../../src/platform/database/docnames.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { HOUR_MS } from '../../../src/kernel/time.ts';
import { testRail } from '../../harness/rail.ts';
import { countStatements } from '../../harness/run/statements.ts';
import { EmptyDatabase, connect } from '../migration/empty-database.ts';

const database = new EmptyDatabase('file');
const LOGS = ['trace_row', 'webhook_attempt', 'operator_audit', 'citizen_access'];

const monthOf = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7);
};
const partOf = (log: string, months: number) => `${log}_${monthOf(months).replace('-', '_')}`;

/** Logs as a database has them whose rows are older than its months: the part before ends with the next month. */
beforeAll(async () => {
  await migrate(database.url);
  await database.client.query(`
    create table trace_row_before partition of trace_row for values from (minvalue) to ('${monthOf(2)}-01 00:00:00+00')`);
  for (const log of LOGS)
    await database.rows(`select ensure_month($1, now() + n * interval '1 month') from generate_series(0, 3) n`, [log]);
});

async function insertTrace(at: string): Promise<{ id: string; part: string }> {
  const [row] = await database.rows<{ id: string; part: string }>(
    `insert into trace_row (assessment, at, kind, actor, summary, detail) values ('ASMT-2026-01-000001', $1, 'x', 'x', '["x"]', '{}')
     returning id, tableoid::regclass::text as part`,
    [at],
  );
  return row!;
}

async function listParts(logs: readonly string[]): Promise<string[]> {
  const parts = await database.rows<{ part: string }>(
    'select inhrelid::regclass::text as part from pg_inherits where inhparent = any($1::regclass[]) order by 1',
    [logs],
  );
  return parts.map(({ part }) => part);
}

/** The names of the parts that a plan of a statement reads. */
async function planParts(log: string, text: string, values: unknown[]): Promise<string[]> {
  const literal = values.map((value) => `'${value instanceof Date ? value.toISOString() : String(value)}'`).join(', ');
  await database.client.query(`set plan_cache_mode = force_generic_plan; prepare asked as ${text}`);
  const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) execute asked (${literal})`);
  await database.client.query('deallocate asked; reset plan_cache_mode');
  const lines = plan.map((row) => row['QUERY PLAN']);
  return lines.flatMap((line, index) =>
    line.includes('Scan') && !/never executed/.test(`${line}${lines[index + 1]}`)
      ? ([new RegExp(`on (${log}_\\w+)`).exec(line)?.[1]].filter(Boolean) as string[])
      : [],
  );
}

describe('logs by the month of their rows', () => {
  it('have a part for each month that is prepared, but for what an earlier part holds', async () => {
    expect(await listParts(['operator_audit'])).toEqual(
      [...[0, 1, 2, 3].map((ahead) => partOf('operator_audit', ahead)), 'operator_audit_rest'].toSorted(),
    );
    expect(await listParts(['trace_row'])).toEqual(
      [...[2, 3].map((ahead) => partOf('trace_row', ahead)), 'trace_row_before', 'trace_row_rest'].toSorted(),
    );
  });

  it('are made once by two processes that start together', async () => {
    const [one, other] = await Promise.all([connect(database.url), connect(database.url)]);
    try {
      const make = `select ensure_month('operator_audit', now() + interval '9 months')`;
      await one.query(`begin; ${make}`);
      // It looks for the part, and waits for the other process.
      const made = other.query(make);
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted`;
      await expect.poll(async () => (await database.rows(waiting)).length).toBe(1);
      await one.query('commit');
      await made;
    } finally {
      await Promise.all([one.end(), other.end()]);
    }
    expect(await listParts(['operator_audit'])).toContain(partOf('operator_audit', 9));
  });

  it('take rows in the part of the month, or in the one for the rest, numbered by one sequence', async () => {
    const earlier = await insertTrace(new Date().toISOString());
    const later = await insertTrace(`${monthOf(3)}-15T00:00:00Z`);
    const rest = await insertTrace('2999-01-01T00:00:00Z');
    expect([earlier, later, rest].map(({ part }) => part)).toEqual([
      'trace_row_before',
      partOf('trace_row', 3),
      'trace_row_rest',
    ]);
    expect([earlier, later, rest].map(({ id }) => Number(id) - Number(earlier.id))).toEqual([0, 1, 2]);
    // Rows of an existing part stay there: no caller is refused for them, and nothing is moved.
    await database.client.query(
      `select ensure_month('trace_row', '2999-01-01'), ensure_month('trace_row', '2025-01-01')`,
    );
    expect(
      await database.rows(
        `select to_regclass('trace_row_2999_01') as later, to_regclass('trace_row_2025_01') as earlier`,
      ),
    ).toEqual([{ later: null, earlier: null }]);
    await database.client.query(`select ensure_month('trace_row', '2998-01-01')`);
    expect((await insertTrace('2998-01-31T23:59:59.999Z')).part).toBe('trace_row_2998_01');
  });

  it('are only ever added to, each part too', async () => {
    const parts = (await listParts(LOGS)).filter((part) => part !== 'trace_row_before');
    expect(parts.length).toBeGreaterThan(15);
    for (const table of [...LOGS, ...parts])
      for (const change of [`update ${table} set at = at`, `delete from ${table}`, `truncate ${table}`])
        await expect(database.client.query(change), change).rejects.toThrow('is append-only');
  });

  it('are read in the months that were asked for alone', async () => {
    const trace = 'select * from trace_row where assessment = $1 and at >= $2 order by at, id';
    const ahead = `ASMT-${monthOf(3)}-000001`;
    expect(await planParts('trace_row', trace, [ahead, beginOf(ahead)])).toEqual([
      partOf('trace_row', 2),
      partOf('trace_row', 3),
      'trace_row_2998_01',
      'trace_row_rest',
    ]);
    const lately = 'select count(*) from operator_audit where at >= $1 and at < $2';
    const month = [`${monthOf(3)}-01T00:00:00Z`, `${monthOf(3)}-02T00:00:00Z`];
    expect(await planParts('operator_audit', lately, month)).toEqual([partOf('operator_audit', 3)]);
  });
});

describe('a process without jobs', () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  const rail = testRail({ JOBS: 'off' });
  afterAll(() => void vi.useRealTimers());
  const monthsOf = (year: number) =>
    rail.count(sql`select from pg_class where relispartition and relkind = 'r' and relname like ${`%\\_${year}\\_%`}`);
  const rest = sql`insert into trace_row (assessment, at, kind, actor, summary, detail)`;

  it('makes the months too, and says once of one that cannot be made', async () => {
    const year = rail.rail.now().getUTCFullYear() + 2;
    rail.advance((Date.UTC(year, 4, 10) - rail.rail.now().getTime()) / HOUR_MS);
    await rail.rows(sql`${rest} values ('ASMT-2026-01-000001', ${rail.rail.now()}, 'x', 'x', '["x"]', '{}')`);
    const { db } = rail.rail.background;
    const [looks, tries] = [countStatements(db, 'to_regclass(part)'), countStatements(db, 'ensure_month')];
    vi.advanceTimersByTime(HOUR_MS);
    await expect.poll(() => monthsOf(year)).toBe(4 * 5 - 1);
    await expect.poll(looks).toBe(2);
    vi.advanceTimersByTime(HOUR_MS);
    await expect.poll(looks).toBe(3);
    await expect.poll(() => rail.logged.filter((line) => line.includes(`trace_row_${year}_05`))).toHaveLength(1);
    expect(tries()).toBe(4 * 5);
  });
});
