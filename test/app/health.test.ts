import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Actor, draft, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

/** Runs statements as an administrator beside the rail, on a session that may write whatever the database says. */
async function administrate(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: rail.url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The same on the server's own database. */
async function administrateServer(statement: string): Promise<void> {
  const url = new URL(rail.url);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Has the rail connect anew, as after a failover. */
const ENDED = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'revenue-rail%'`;
const alter = (change: string) =>
  `do $$ begin execute format('alter database %I ${change}', current_database()); end $$`;

async function assessing(actor: Actor, name: string, key: string) {
  return actor.post(`/v1/assessments/${name}:assess`, {}, { 'idempotency-key': key });
}

const ready = async () => {
  const { status, json } = await rail.ask('/readyz');
  return [status, json.status];
};

describe('a database that became read-only', () => {
  afterEach(() => administrate(alter('reset default_transaction_read_only'), ENDED));

  it('is 503 to whoever writes, and makes the process not ready, until it takes writes again', async () => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    const key = randomUUID();
    expect(await ready()).toEqual([200, 'ready']);
    await administrate(alter('set default_transaction_read_only = on'), ENDED);
    await expect.poll(async () => (await assessing(actor, name, key)).code).toBe('unavailable');
    expect(await ready()).toEqual([503, 'database read-only']);
    expect((await assessing(actor, name, key)).status).toBe(503);

    await administrate(alter('reset default_transaction_read_only'), ENDED);
    await expect.poll(ready).toEqual([200, 'ready']);
    await expect.poll(async () => (await assessing(actor, name, key)).status).toBe(200);
  });

  it('is found by the probe where nobody writes', async () => {
    await administrate(alter('set default_transaction_read_only = on'), ENDED);
    await expect.poll(ready).toEqual([503, 'database read-only']);
    await administrate(alter('reset default_transaction_read_only'), ENDED);
    await expect.poll(ready).toEqual([200, 'ready']);
  });
});

describe('a process that was held up', () => {
  it('reads an answer that arrived meanwhile before it says that there is none', async () => {
    const { health } = rail.rail;
    await expect.poll(() => health.check()).toBe('ready');
    const check = health.check();
    // Until the question has left; its answer arrives while nothing here runs.
    await new Promise(setImmediate);
    execFileSync('sleep', ['1']);
    expect(await check).toBe('ready');
  });
});

describe('a disk without room', () => {
  it('makes the process not ready until a write of its own works', async () => {
    const { health } = rail.rail;
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    health.recordError(full);
    // There is room here, so that the next check finds it.
    expect(await ready()).toEqual([200, 'ready']);
    health.recordError(full);
    // No session may write, as where there is no room for what it writes.
    await administrate(alter('set default_transaction_read_only = on'));
    expect(await ready()).toEqual([503, 'database read-only']);
    await administrate(alter('reset default_transaction_read_only'));
    expect(await ready()).toEqual([200, 'ready']);
  });
});

describe('a server without a free connection', () => {
  it('leaves a process ready that has its own', async () => {
    expect(await ready()).toEqual([200, 'ready']);
    const allow = (connections: boolean) =>
      administrateServer(`alter database ${new URL(rail.url).pathname.slice(1)} allow_connections ${connections}`);
    await allow(false);
    const later = performance.now() + 60_000;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => later);
    try {
      for (let i = 0; i < 3; i++) expect(await ready()).toEqual([200, 'ready']);
    } finally {
      now.mockRestore();
      await allow(true);
    }
  });
});
