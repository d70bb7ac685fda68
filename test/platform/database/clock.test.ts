import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { Clock } from '../../../src/platform/database/clock.ts';
import { type Database, sql } from '../../../src/platform/database/sql.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { type OpenRail, openRail } from '../../../src/app/open-rail.ts';
import { buildServer } from '../../../src/app/server.ts';
import { startSender } from '../../../src/accounts/webhooks/sender.ts';
import { testRail } from '../../harness/rail.ts';
import { openSink } from '../../harness/sink.ts';
import { tally } from '../../harness/chaos/tally.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

const HOUR_MS = 3_600_000;

const rail = testRail({ WEBHOOK_ALLOW_PRIVATE: 'on' });
/** Another process on the same database, on a machine whose clock is an hour late. */
let late: OpenRail;
const logged: string[] = [];

beforeAll(async () => {
  const config = readConfig({ DATABASE_URL: rail.url, DATA_DIR: rail.dataDir, WEBHOOK_ALLOW_PRIVATE: 'on' });
  const log = createLog('warn', { write: (line: string) => void logged.push(line) });
  late = await openRail(config, log, { wall: () => Date.now() - HOUR_MS, moved: () => 0 });
});
afterAll(() => late.close());

describe('a process whose clock is an hour late', () => {
  it('goes by the database, and says so at its start, in /readyz and in a metric', async () => {
    const row = await rail.rail.db.row<{ now: Date }>(sql`select clock_timestamp() as now`);
    expect(Math.abs(late.rail.now().getTime() - row!.now.getTime())).toBeLessThan(2_000);
    expect(logged.join('')).toMatch(/"offset_ms":-3\d{6}.*clock is not the database's/);

    const server = createServer(buildServer(late.rail));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const ready = await ask('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      clock_offset_ms: expect.closeTo(-HOUR_MS, -4),
      warnings: [expect.stringContaining('clock')],
    });
    expect(await (await ask('/metrics')).text()).toMatch(/^clock_offset_seconds -3(59|60)\d/m);
    server.closeAllConnections();
    server.close();
    expect((await rail.ask('/readyz')).json).toEqual({ status: 'ready', clock_offset_ms: expect.closeTo(0, -3) });
  });

  it('delivers with one that is right: each message once, with the time that it is', async () => {
    const sink = await openSink();
    // Slow enough that the other process looks for work meanwhile.
    sink.answer = (_message, res) => void setTimeout(() => res.end(), 150);
    await rail.rows(sql`
      insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status,
        email_verified, scopes, created_at, updated_at)
      select 'CLOCK-' || n, 'Clock', 'clock-' || n || '@example.com', 'Clock', 'sandbox', 'free', 'Active', true, '{}',
        now(), now() from generate_series(1, 10) n`);
    await giveEndpoint(rail, sql`code like 'CLOCK-%'`, sink.url);
    await rail.rows(sql`
      insert into outbox (id, type, object, sequence, integrator, payload, created_at)
      select gen_random_uuid(), 'webhook.test', 'O-' || n || '-' || o, 1, 'CLOCK-' || n,
        jsonb_build_object('name', 'O-' || n || '-' || o), now()
      from generate_series(1, 10) n, generate_series(1, 8) o`);
    const senders = [startSender(late.rail)];
    await expect.poll(() => sink.received.length, { interval: 10 }).toBeGreaterThan(0);
    senders.push(startSender(rail.rail));
    await expect.poll(() => new Set(sink.received.map(({ json }) => json.id)).size).toBe(80);
    await sleep(500);
    await Promise.all(senders.map((sender) => sender.stop()));
    await sink.close();
    expect(Math.max(...Object.values(tally(sink.received.map(({ json }) => json.id))))).toBe(1);
    for (const { at, headers } of sink.received)
      expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - at)).toBeLessThan(60_000);
  });
});

describe('the clock', () => {
  const silent = createLog('silent');
  /** A database whose clock is away from this machine's by so much. */
  const databaseAt = (away: () => number): Database => {
    const row = async () => ({ at: Date.now() + away() }) as never;
    return { row, rows: async () => [await row()] };
  };

  it('follows the database, but does not jump for what a round trip explains', async () => {
    let away = 5;
    const clock = await Clock.start(
      databaseAt(() => away),
      silent,
      { wall: () => Date.now(), moved: () => 0 },
    );
    expect(Math.abs(clock.offsetMs)).toBeLessThan(20);
    away = 90_000;
    await clock.measure();
    expect(clock.now().getTime()).toBeGreaterThan(Date.now() + 89_000);
    expect([clock.offsetMs, clock.isApart]).toEqual([expect.closeTo(-90_000, -3), true]);
    away = 0;
    await clock.measure();
    expect(clock.isApart).toBe(false);
    clock.end();
  });
});
