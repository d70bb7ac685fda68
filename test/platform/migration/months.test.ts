import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { beginOf } from '../../../src/platform/database/docnames.ts';
import { listMigrations } from '../../../src/platform/database/migration/list.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';

const name = `t_${randomBytes(8).toString('hex')}`;
const url = inject('clusterUrl').replace('DATABASE', name);
let maintenance: pg.Client;
let db: pg.Client;

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function rowsOf<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await db.query<Row>(text, values)).rows;
}

const LOGS = ['trace_row', 'webhook_attempt', 'operator_audit'];

/** What is in the logs, as text, in order. */
async function readLogs(): Promise<string[]> {
  const rows = await rowsOf<{ row: string }>(
    LOGS.map((log) => `(select '${log} ' || to_jsonb(l)::text as row from ${log} l order by id)`).join(' union all '),
  );
  return rows.map(({ row }) => row);
}

/** A database from before logs were kept by months, with rows of two years. */
beforeAll(async () => {
  maintenance = await connect(inject('clusterUrl').replace('DATABASE', 'postgres'));
  await maintenance.query(`create database ${name}`);
  db = await connect(url);
  const migrations = listMigrations();
  await migrate(
    url,
    migrations.filter(({ name: one }) => one < '0045'),
  );
  await db.query(`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified, scopes, created_at, updated_at)
      values ('OLD-ABCDEF', 'Old', 'old@example.com', 'Old', 'sandbox', 'free', 'Active', true, '{}', now(), now());
    insert into outbox (id, type, object, sequence, payload, created_at) values ('00000000-0000-0000-0000-000000000001', 'x', 'x', 1, '{}', now());
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, created_at)
      select 'WHD-2026-01-000001', id, 'OLD-ABCDEF', type, object, 1, 'dead', now() from outbox;
    insert into trace_row (assessment, intent, at, kind, actor, summary, detail)
      select 'ASMT-' || to_char(at, 'YYYY-MM') || '-000001', null, at, 'x', 'x', 'x', '{}'
      from generate_series(now() - interval '2 years', now(), interval '1 day') at;
    insert into webhook_attempt (delivery, at, endpoint, duration_ms)
      select 'WHD-2026-01-000001', now() - n * interval '1 hour', 'https://example.com', 1 from generate_series(1, 50) n;
    insert into operator_audit (at, actor, action, subject, request_id)
      select now() - n * interval '1 day', 'x', 'x', 'x', 'x' from generate_series(1, 50) n;
    create role ${name} nologin;
    grant select on operator_audit to ${name}`);
  before = await readLogs();
  applied = await migrate(url);
});
let before: string[];
let applied: string[];
afterAll(async () => {
  await db.end();
  await maintenance.query(`drop database ${name} with (force)`);
  await maintenance.query(`drop role ${name}`);
  await maintenance.end();
});

/** The names of the parts that a plan of a statement reads. */
async function planParts(log: string, text: string, values: unknown[]): Promise<string[]> {
  const literal = values.map((value) => `'${value instanceof Date ? value.toISOString() : String(value)}'`).join(', ');
  await db.query(`set plan_cache_mode = force_generic_plan; prepare asked as ${text}`);
  const plan = await rowsOf<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) execute asked (${literal})`);
  await db.query('deallocate asked; reset plan_cache_mode');
  const lines = plan.map((row) => row['QUERY PLAN']);
  return lines.flatMap((line, index) =>
    line.includes('Scan') && !/never executed/.test(`${line}${lines[index + 1]}`)
      ? ([new RegExp(`on (${log}_\\w+)`).exec(line)?.[1]].filter(Boolean) as string[])
      : [],
  );
}

const monthOf = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7);
};

describe('logs of a database that has rows', () => {
  it('are made ones by months, with all their rows, where they are', async () => {
    expect(applied).toEqual(expect.arrayContaining(['0045_bounds_of_logs', '0046_logs_by_month']));
    expect(await readLogs()).toEqual(before);
    for (const log of LOGS) {
      const parts = await rowsOf<{ part: string; rows: number }>(
        `select c.relname as part, (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || c.relname, true, true, '')))[1]::text::int as rows
         from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
        [log],
      );
      const months = [2, 3].map((ahead) => `${log}_${monthOf(ahead).replace('-', '_')}`);
      expect(parts.map(({ part }) => part)).toEqual([...months, `${log}_before`, `${log}_rest`]);
      expect(parts.filter(({ rows }) => rows > 0).map(({ part }) => part)).toEqual([`${log}_before`]);
    }
  });

  it('keep their keys, indexes, triggers, grants and the view that reads them', async () => {
    const indexes = await rowsOf<{ name: string }>(
      `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = any($1::regclass[]) and i.indisvalid order by 1`,
      [LOGS],
    );
    expect(indexes.map(({ name: index }) => index)).toEqual(
      expect.arrayContaining([
        'operator_audit_subject_idx',
        'trace_row_assessment_at_id_idx',
        'webhook_attempt_delivery_idx',
      ]),
    );
    await expect(
      db.query(
        `insert into webhook_attempt (delivery, at, endpoint, duration_ms) values ('WHD-nobody', now(), 'x', 1)`,
      ),
    ).rejects.toMatchObject({ code: '23503' });
    expect(await rowsOf(`select has_table_privilege('${name}', 'operator_audit', 'select') as granted`)).toEqual([
      { granted: true },
    ]);
    expect(await rowsOf('select * from oversight.fact_cancellation')).toEqual([]);
    const reads = await rowsOf(
      `select distinct d.refobjid::regclass::text as table from pg_depend d join pg_rewrite r on r.oid = d.objid
       where r.ev_class = 'oversight.fact_cancellation'::regclass and d.refobjid::regclass::text like 'trace%'`,
    );
    expect(reads).toEqual([{ table: 'trace_row' }]);
  });

  it('go on with their numbers, in the part of the month, or in the one for the rest', async () => {
    const insert = (at: string) =>
      rowsOf<{ id: string; part: string }>(
        `insert into trace_row (assessment, at, kind, actor, summary, detail) values ('ASMT-2026-01-000001', $1, 'x', 'x', 'x', '{}')
         returning id, tableoid::regclass::text as part`,
        [at],
      );
    const [last] = await rowsOf<{ last: string }>('select max(id) as last from trace_row');
    const [now] = await insert(new Date().toISOString());
    expect([Number(now!.id) > Number(last!.last), now!.part]).toEqual([true, 'trace_row_before']);
    const ahead = monthOf(3);
    expect((await insert(`${ahead}-15T00:00:00Z`))[0]!.part).toBe(`trace_row_${ahead.replace('-', '_')}`);
    expect((await insert('2999-01-01T00:00:00Z'))[0]!.part).toBe('trace_row_rest');
    // What a part holds already stays there: nobody is refused for it, and nothing is moved.
    await db.query(`select ensure_month('trace_row', '2999-01-01'), ensure_month('trace_row', '2025-01-01')`);
    expect(
      await rowsOf(`select to_regclass('trace_row_2999_01') as later, to_regclass('trace_row_2025_01') as earlier`),
    ).toEqual([{ later: null, earlier: null }]);
    await db.query(`select ensure_month('trace_row', '2998-01-01')`);
    expect((await insert('2998-01-31T23:59:59.999Z'))[0]!.part).toBe('trace_row_2998_01');
  });

  it('are only ever added to, each part too', async () => {
    const parts = await rowsOf<{ part: string }>(
      'select inhrelid::regclass::text as part from pg_inherits where inhparent = any($1::regclass[])',
      [LOGS],
    );
    expect(parts.length).toBeGreaterThan(10);
    for (const table of [...LOGS, ...parts.map(({ part }) => part)])
      for (const change of [`update ${table} set id = 1`, `delete from ${table}`, `truncate ${table}`])
        await expect(db.query(change), change).rejects.toThrow('is append-only');
  });

  it('are read in the months that were asked for alone', async () => {
    const trace = 'select * from trace_row where assessment = $1 and at >= $2 order by at, id';
    const ahead = `ASMT-${monthOf(3)}-000001`;
    expect(await planParts('trace_row', trace, [ahead, beginOf(ahead)])).toEqual([
      `trace_row_${monthOf(2)}`.replace('-', '_'),
      `trace_row_${monthOf(3)}`.replace('-', '_'),
      'trace_row_2998_01',
      'trace_row_rest',
    ]);
    const lately = 'select count(*) from operator_audit where at >= $1 and at < $2';
    const month = [`${monthOf(3)}-01T00:00:00Z`, `${monthOf(3)}-02T00:00:00Z`];
    expect(await planParts('operator_audit', lately, month)).toEqual([
      `operator_audit_${monthOf(3)}`.replace('-', '_'),
    ]);
  });
});
