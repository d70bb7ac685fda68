import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../src/app/probes.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeActor } from '../harness/flow.ts';
import { ADMIN } from '../../src/platform/config/started-by.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('probes', () => {
  it('200: alive, ready, and measured by route, never by address', async () => {
    expect((await rail.ask('/healthz')).json).toEqual({ status: 'ok' });
    expect((await rail.ask('/readyz')).json).toEqual({ status: 'ready', clock_offset_ms: expect.any(Number) });
    const { key } = await makeActor(rail);
    await rail.ask('/v1/assessments/ASMT-2026-11-777777', { key });
    const { text } = await rail.ask('/metrics');
    expect(text).toContain('http_request_duration_seconds_count{endpoint="GET /v1/assessments/{name}",status="4xx"} 1');
    expect(text).not.toContain('ASMT-2026-11-777777');
    expect(text).toContain('process_cpu_user_seconds_total');
  });

  it('503: not ready at an older schema', async () => {
    await rail.rows(sql`update _prisma_migrations set migration_name = '0000_' || migration_name`);
    const { status, json } = await rail.ask('/readyz');
    expect([status, json]).toEqual([
      503,
      {
        status: 'not migrated',
        reason: expect.stringContaining('lacks a migration'),
        action: expect.stringContaining(`${ADMIN} migrate`),
        clock_offset_ms: expect.any(Number),
      },
    ]);
    await rail.rows(sql`update _prisma_migrations set migration_name = substr(migration_name, 6)`);
    expect((await rail.ask('/readyz')).status).toBe(200);
  });
});

describe('a database that goes away', () => {
  it('503 with Retry-After while it is away, and 200 once it is back', async () => {
    const actor = await makeActor(rail);
    const [{ name }] = (await rail.rows<{ name: string }>(sql`select current_database() as name`)) as [
      { name: string },
    ];
    const admin = new (await import('pg')).default.Client({ connectionString: rail.url.replace(name, 'postgres') });
    await admin.connect();
    try {
      await admin.query(`alter database ${name} with allow_connections false`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const answers = await Promise.all(Array.from({ length: 5 }, () => actor.ask('/v1/assessments')));
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
        expect(answer.headers.get('retry-after')).toBe('5');
      }
      const unready = await rail.ask('/readyz');
      expect(unready.status).toBe(503);
      expect(unready.json).toMatchObject({
        status: 'database unreachable',
        code: '55000',
        reason: expect.stringContaining('did not answer'),
        action: expect.stringContaining('Check that PostgreSQL runs'),
      });
      // Neither where the database is, nor who the rail is there.
      const { host, username, password, pathname } = new URL(rail.url);
      for (const secret of [host, password, pathname.slice(1), `${username}@`].filter((one) => one.length > 1))
        expect(unready.text).not.toContain(secret);
      expect((await rail.ask('/healthz')).status).toBe(200);
      // Rather nothing than what was so before.
      const metrics = await metricsOf(rail.rail).metrics();
      expect(metrics).toMatch(/^process_cpu_user_seconds_total /m);
      expect(metrics).not.toMatch(/^(backlog_\w+|open_anomalies)\{/m);
    } finally {
      await admin.query(`alter database ${name} with allow_connections true`);
      await admin.end();
    }
    expect((await actor.ask('/v1/assessments')).status).toBe(200);
  });
});
