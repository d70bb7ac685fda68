import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectInvariantsOf } from '../../harness/chaos/invariants.ts';
import { type Exposed, expose, surviveKills } from '../../harness/chaos/kills.ts';
import { OwnPostgres } from '../../harness/postgres.ts';

const KILLS = 50;

let postgres: OwnPostgres;
let exposed: Exposed;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  exposed = await expose(postgres, 2);
});

afterAll(async () => {
  await Promise.all(exposed.processes.map((one) => one.stop()));
  await postgres.remove();
});

/** Connections of the rail by what they are for. */
async function connections(): Promise<number> {
  const [row] = await postgres.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name like 'revenue-rail%'`,
  );
  return row!.count;
}

describe(`a PostgreSQL that is killed ${KILLS} times under load`, () => {
  it('ends no process, loses nothing that was acknowledged, and is written to again within 3 s', async () => {
    const { processes } = exposed;
    await surviveKills(exposed, { more: (kills) => kills < 3, clients: 6 });
    const before = {
      memory: processes.map((one) => one.memoryMiB()),
      files: processes.map((one) => one.openFiles()),
      connections: await connections(),
    };
    const survival = await surviveKills(exposed, { more: (kills) => kills < KILLS, clients: 6 });
    const after = {
      memory: processes.map((one) => one.memoryMiB()),
      files: processes.map((one) => one.openFiles()),
      connections: await connections(),
    };
    process.stdout.write(`${JSON.stringify({ survival, before, after })}\n`);
    expect(processes.map((one) => one.alive())).toEqual([true, true]);
    expect(survival).toMatchObject({ lost: [], unlogged: [], wrong: [] });
    expect(Object.keys(survival.statuses).filter((status) => !['200', '409', '422', '503'].includes(status))).toEqual(
      [],
    );
    expect(survival.slowestWriteMs).toBeLessThan(3_000);
    for (const [index, memory] of after.memory.entries()) expect(memory).toBeLessThan(before.memory[index]! * 1.5);
    for (const [index, files] of after.files.entries()) expect(files).toBeLessThan(before.files[index]! + 15);
    expect(after.connections).toBeLessThanOrEqual(2 * 25);
    await expectInvariantsOf((query) => postgres.query(query));
  });

  it('runs a job again that was under way', async () => {
    const holding = new pg.Client({ connectionString: postgres.url });
    holding.on('error', () => {});
    await holding.connect();
    await holding.query('begin; lock table session');
    await postgres.query(`select graphile_worker.add_job('purge_sessions')`);
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from session%'`;
    await expect.poll(() => postgres.query(waiting)).toHaveLength(1);
    await postgres.kill();
    // Long enough that its runner learns of it while nothing can be booked.
    await sleep(1_000);
    await postgres.startAgain();
    // Others that were interrupted before may still wait for their next attempt.
    const left = `select attempts, last_error from graphile_worker.jobs where task_identifier = 'purge_sessions'`;
    await expect.poll(() => postgres.query(left), { timeout: 30_000 }).toEqual([]);
    expect(exposed.processes.map((one) => one.alive())).toEqual([true, true]);
  });
});
