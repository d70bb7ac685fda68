import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectInvariantsOf } from '../../harness/chaos/invariants.ts';
import { type Exposed, expose, surviveKills } from '../../harness/chaos/kills.ts';
import { OwnPostgres } from '../../harness/postgres.ts';

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

describe('a PostgreSQL that is killed under load', () => {
  it('ends no process, and loses nothing that was acknowledged', async () => {
    const { lost, unlogged, wrong, statuses, confirmed } = await surviveKills(exposed, { kills: 3, clients: 3 });
    expect(exposed.processes.map((one) => one.alive())).toEqual([true, true]);
    expect({ lost, unlogged, wrong }).toEqual({ lost: [], unlogged: [], wrong: [] });
    expect(Object.keys(statuses).filter((status) => !['200', '409', '422', '503'].includes(status))).toEqual([]);
    expect(confirmed).toBeGreaterThan(0);
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
