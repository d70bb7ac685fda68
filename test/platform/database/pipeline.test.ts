import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPool } from '../../../src/platform/database/connection/connection.ts';
import { Pipeline } from '../../../src/platform/database/pipeline.ts';
import { database, sql } from '../../../src/platform/database/sql.ts';
import { GATE, closeGate } from '../../harness/run/gate.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const lost: Error[] = [];
let reads: pg.Pool;
let others: pg.Pool;

beforeAll(() => {
  const onLost = (error: Error) => void lost.push(error);
  reads = openPool(
    rail.url,
    {
      name: 'pipelined',
      work: 'request',
      settings: { default_transaction_read_only: 'on', lock_timeout: 0, statement_timeout: 0 },
    },
    1,
    onLost,
    { pipeline: true },
  );
  others = openPool(rail.url, { name: 'pooled', work: 'request' }, 2, onLost);
});

afterAll(() => Promise.all([reads.end(), others.end()]));

const failures: unknown[] = [];
const open = () => database(others, (error) => failures.push(error), new Pipeline(reads));
const at = sql`current_setting('application_name') as at from (values (1)) v`;
const PIPELINED = { at: 'revenue-rail pipelined' };
const POOLED = { at: 'revenue-rail pooled' };

describe('reads', () => {
  it('follow one another on one connection, and each gets its own answer', async () => {
    const db = open();
    const rows = await Promise.all(
      Array.from({ length: 9 }, (_, n) => db.row<{ n: number; at: string }>(sql`select ${n}::int as n, ${at}`)),
    );
    // The ninth finds no room.
    expect(rows).toEqual(Array.from({ length: 9 }, (_, n) => ({ n, ...(n < 8 ? PIPELINED : POOLED) })));
    expect(reads.totalCount).toBe(1);
  });

  it('leave what locks, writes or sets something to connections of their own', async () => {
    const db = open();
    expect(await db.row(sql`select ${at}`)).toEqual(PIPELINED);
    expect(
      await db.row(sql`select code, current_setting('application_name') as at from country limit 1 for update`),
    ).toMatchObject(POOLED);
    expect(await db.row(sql`with one as (select 1) select ${at}`)).toEqual(POOLED);
    expect(
      await db.row(sql`select set_config('rail.here', 'x', false), current_setting('application_name') as at`),
    ).toMatchObject(POOLED);
    // That a function writes shows when it does.
    expect(await db.row(sql`select lo_create(0), ${at}`)).toMatchObject(POOLED);
  });

  it('are no matter to one another where one is wrong', async () => {
    const db = open();
    const divided = (by: number) => db.row<{ n: number }>(sql`select 12 / ${by}::int as n from (values (1)) v`);
    const answers = await Promise.allSettled([divided(0), divided(3), divided(0), divided(4)]);
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value!.n : one.reason.code))).toEqual([
      '22012',
      4,
      '22012',
      3,
    ]);
    const misspelt = await Promise.allSettled(
      [1, 2].map((n) => db.row(sql`select nothing_such, ${n}::int from country`)),
    );
    expect(misspelt.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(['42703', '42703']);
    expect(await divided(6)).toEqual({ n: 2 });
  });

  it('go another way around one that takes long', async () => {
    const db = open();
    const gate = await closeGate(rail.url);
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = db.row(sql`select ${GATE}::text from (values (1)) v`);
    await expect.poll(gate.waiting).toHaveLength(1);
    vi.advanceTimersByTime(21);
    expect(await db.row(sql`select ${at}`)).toEqual(POOLED);
    await gate.open();
    await slow;
    expect(await db.row(sql`select ${at}`)).toEqual(PIPELINED);
  });

  it('are asked again where their connection was lost', async () => {
    const db = open();
    failures.length = 0;
    const gate = await closeGate(rail.url);
    const all = Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        db.row<{ n: number }>(sql`select ${n}::int as n, ${GATE}::text from (values (1)) v`),
      ),
    );
    await expect.poll(gate.waiting).toHaveLength(1);
    await others.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'revenue-rail pipelined'`,
    );
    await gate.open();
    expect((await all).map((row) => row!.n)).toEqual([0, 1, 2, 3]);
    expect(failures).toEqual([]);
    expect(lost).toHaveLength(1);
    expect(await db.row(sql`select ${at}`)).toEqual(PIPELINED);
  });
});
