import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRail } from '../../../src/app/open-rail.ts';
import { tasks } from '../../../src/app/jobs/tasks.ts';
import { startWorker } from '../../../src/app/jobs/worker.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { archiveMonths } from '../../../src/platform/audit/archive.ts';
import { ADMIN } from '../../../src/platform/config/started-by.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { makeMonths } from '../../../src/platform/audit/months.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { catchUp } from '../../harness/ledger.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { RuntimeRail, connected } from './runtime-rail.ts';

const rail = new RuntimeRail({});
let worker: Awaited<ReturnType<typeof startWorker>>;
beforeAll(async () => {
  await rail.start();
  worker = await startWorker(rail.rail);
});
afterAll(async () => {
  await worker.stop();
  await rail.stop();
});

/** Tables that are only added to. */
const LOGS = sql`
  select c.oid::regclass::text as name, (
    select min(attname) from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = '') as field
  from pg_class c where c.relkind in ('r', 'p') and exists (
  select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = 'refuse_rewriting'::regproc)`;

describe('the runtime role', () => {
  it('collects, tells, signs people in, and shows what it did', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createConfirmed(rail, actor);
    expect((await rail.ask(`/v1/payment-events?intent=${intent}`, { key: actor.key })).data).not.toHaveLength(0);
    expect((await rail.ask(`/v1/payment-intents/${intent}/trace`, { key: actor.key })).status).toBe(200);
    await catchUp(rail);
    const { plaintext: key } = await rail.key('oversight.read', 'oversight.audit');
    const file = await rail.ask('/v1/oversight/payment-events', { key, headers: { accept: 'text/csv' } });
    expect([file.status, file.text]).toEqual([200, expect.stringContaining('PEV-')]);
    const manager = await makeStaff(rail, 'system_manager');
    expect((await manager.ask('/v1/ops/audit')).status).toBe(200);
    expect((await rail.ask('/readyz')).json).toMatchObject({ status: 'ready' });
    expect(rail.logged.filter((line) => /permission denied|42501/.test(line))).toEqual([]);
  });

  it('runs every job', async () => {
    for (const job of Object.keys(tasks(rail.rail)).filter((name) => name !== 'send_mail'))
      await rail.rows(sql`select graphile_worker.add_job(${job}, max_attempts => 1)`);
    await expect
      .poll(() => rail.count(sql`select 1 from graphile_worker.jobs where attempts = 0 or locked_at is not null`))
      .toBe(0);
    expect(await rail.rows(sql`select task_identifier, last_error from graphile_worker.jobs`)).toEqual([]);
  });

  it('has the months of logs made, and does not archive them', async () => {
    rail.advance(24 * 400);
    await makeMonths(rail.rail)();
    const year = rail.rail.now().getUTCFullYear();
    expect(
      await rail.count(sql`select 1 from pg_inherits where inhrelid::regclass::text like ${`audit_log_${year}%`}`),
    ).toBeGreaterThan(2);
    expect(await archiveMonths(rail.rail)).toBe(0);
  });

  it('changes nothing of what is only added to, and nothing of the schema', async () => {
    const logs = await rail.rows<{ name: string; field: string }>(LOGS);
    expect(logs.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'audit_log',
        'operator_audit',
        'citizen_access',
        'trace_row',
        'payment_event',
        'event_seal',
      ]),
    );
    const tries = logs.flatMap(({ name, field }) => [
      `update ${name} set ${field} = ${field}`,
      `delete from ${name}`,
      `truncate ${name}`,
      `alter table ${name} disable trigger all`,
      `drop table ${name}`,
    ]);
    tries.push(
      'create table of_my_own (id integer)',
      'alter table assessment add column of_mine integer',
      'drop function refuse_rewriting() cascade',
      'create role of_mine',
      "update _prisma_migrations set checksum = 'x'",
      "update _definitions set hash = 'x'",
      "set session_replication_role = 'replica'",
    );
    await connected(rail.rail.config.databaseUrl!, async (client) => {
      for (const statement of tries) {
        const code = await client.query(statement).then(
          () => 'done',
          (error: unknown) => (error as pg.DatabaseError).code,
        );
        expect(code, statement).toBe('42501');
      }
    });
  });

  it('does not start on a database that lacks a migration or a definition, and says who brings it', async () => {
    const config = readConfig({ DATABASE_URL: rail.rail.config.databaseUrl!, MIGRATE: 'off' });
    const rest = `of this version; run ${ADMIN} migrate with the role`;
    for (const [change, lacks] of [
      ["update _definitions set hash = 'another' where name = 'views/event_share'", 'views/event_share'],
      ['update _prisma_migrations set finished_at = null', String.raw`0001_baseline and \d+ more`],
    ] as const) {
      await connected(rail.url, (client) => client.query(change));
      const refused = new RegExp(`^DATABASE_URL: the database lacks ${lacks} ${rest}`);
      await expect(openRail(config, createLog('silent'))).rejects.toThrow(refused);
    }
  });
});
