import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { Clock, ownHands } from '../../../src/platform/database/clock.ts';
import { type Database, sql } from '../../../src/platform/database/sql.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { type OpenRail, openRail } from '../../../src/app/open-rail.ts';
import { buildServer } from '../../../src/app/server.ts';
import { startSender } from '../../../src/accounts/webhooks/sender.ts';
import { testRail } from '../../harness/rail.ts';
import { openSink } from '../../harness/sink.ts';
import { countStatements } from '../../harness/run/statements.ts';
import { tally } from '../../harness/chaos/tally.ts';
import { someCitizen, twoLines } from '../../harness/flow.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

const HOUR_MS = 3_600_000;
/** By how many hours two moments differ, as clocks do that are wrong; how busy a machine is makes no hour. */
const hoursBetween = (one: number, other: number) => Math.abs(Math.round((one - other) / HOUR_MS));

const rail = testRail({ WEBHOOK_ALLOW_PRIVATE: 'on' });
/** Another process on the same database, on a machine whose clock is an hour late. */
let late: OpenRail;
let lateByMs = HOUR_MS;
const logged: string[] = [];

beforeAll(async () => {
  const config = readConfig({ DATABASE_URL: rail.url, DATA_DIR: rail.dataDir, WEBHOOK_ALLOW_PRIVATE: 'on' });
  const log = createLog('warn', { write: (line: string) => void logged.push(line) });
  late = await openRail(config, log, { ...ownHands, wall: () => Date.now() - lateByMs });
});
afterAll(() => late.close());

async function serveLate(): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const server = createServer(buildServer(late.rail));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

describe('a process whose clock is an hour late', () => {
  it('goes by the database, and says so at its start, in /readyz and in a metric', async () => {
    const row = await rail.rail.db.row<{ now: Date }>(sql`select clock_timestamp() as now`);
    expect(hoursBetween(late.rail.now().getTime(), row!.now.getTime())).toBe(0);
    expect(logged.join('')).toMatch(/"offset_ms":-3\d{6}.*clock is not the database's/);

    const ask = await serveLate();
    const ready = await ask('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ready',
      clock_offset_ms: expect.closeTo(-HOUR_MS, -6),
      warnings: [expect.stringContaining('clock')],
    });
    expect(await (await ask('/metrics')).text()).toMatch(/^clock_offset_seconds -3(59|60)\d/m);
    expect((await rail.ask('/readyz')).json).toEqual({ status: 'ready', clock_offset_ms: expect.closeTo(0, -6) });
  });

  it('has requests wait for the database once its clock jumps, and refuses them while that says no time', async () => {
    const ask = await serveLate();
    const { plaintext } = await rail.key('assessments.write');
    const body = JSON.stringify({ citizen: await someCitizen(rail), lines: await twoLines(rail) });
    const draw = () =>
      ask('/v1/assessments', {
        method: 'POST',
        headers: { authorization: `Bearer ${plaintext}`, 'content-type': 'application/json' },
        body,
      });
    const row = vi.spyOn(late.rail.background.db, 'row');
    const gate = Promise.withResolvers<void>();
    row.mockImplementationOnce(async () => {
      await gate.promise;
      throw Object.assign(new Error('the database system is shutting down'), { code: '57P01' });
    });
    lateByMs = -30 * 24 * HOUR_MS;
    onTestFinished(() => {
      lateByMs = HOUR_MS;
      row.mockRestore();
    });
    const refused = draw();
    await expect.poll(() => row.mock.calls.length).toBeGreaterThan(0);
    gate.resolve();
    expect((await refused).status).toBe(503);
    const made = (await (await draw()).json()) as { data: { name: string; created_at: string } };
    expect(hoursBetween(Date.parse(made.data.created_at), Date.now())).toBe(0);
  });

  it('delivers with one that is right: each message once, with the time that it is', async () => {
    const sink = await openSink();
    // Not before the other process has looked for work.
    const looked = Promise.withResolvers<void>();
    sink.answer = (_message, res) => void looked.promise.then(() => res.end());
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
    const looks = countStatements(rail.rail.db, 'claimed_until = now()');
    senders.push(startSender(rail.rail));
    await expect.poll(looks).toBeGreaterThan(1);
    looked.resolve();
    await expect.poll(() => rail.count(sql`select from webhook_delivery where status <> 'delivered'`)).toBe(0);
    await Promise.all(senders.map((sender) => sender.stop()));
    await sink.close();
    expect(Math.max(...Object.values(tally(sink.received.map(({ json }) => json.id))))).toBe(1);
    expect(sink.received).toHaveLength(80);
    for (const { at, headers } of sink.received)
      expect(hoursBetween(Number(headers['webhook-timestamp']) * 1_000, at)).toBe(0);
  });
});

describe('the clock', () => {
  const silent = createLog('silent');
  it('follows the database, but does not jump for what a round trip explains', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    /** A database whose clock is away from this machine's by so much, and how long it takes to say so. */
    let [away, roundTrip] = [5, 0];
    const row = async () => {
      vi.advanceTimersByTime(roundTrip / 2);
      const at = Date.now() + away;
      vi.advanceTimersByTime(roundTrip / 2);
      return { at } as never;
    };
    const db: Database = { row, rows: async () => [await row()] };
    const clock = await Clock.start(db, silent, ownHands);
    expect([clock.offsetMs, clock.isApart]).toEqual([0, false]);
    away = 90_000;
    await clock.measure();
    expect(clock.now()).toEqual(new Date(Date.now() + 90_000));
    expect([clock.offsetMs, clock.isApart]).toEqual([-90_000, true]);
    [away, roundTrip] = [90_400, 1_000];
    await clock.measure();
    expect(clock.offsetMs).toBe(-90_000);
    roundTrip = 600;
    await clock.measure();
    expect(clock.offsetMs).toBe(-90_400);
    away = 0;
    await clock.measure();
    expect([clock.offsetMs, clock.isApart]).toEqual([0, false]);
    clock.end();
  });

  it('goes on where its machine was suspended or its clock set, and by the database once that answers', async () => {
    let wall = Date.now();
    let up = 0;
    let away = 0;
    let asking = Promise.resolve();
    const row = async () => {
      await asking;
      return { at: wall + away } as never;
    };
    const db: Database = { row, rows: async () => [await row()] };
    const clock = await Clock.start(db, silent, { ...ownHands, wall: () => wall, up: () => up + performance.now() });
    onTestFinished(() => clock.end());
    const hoursOff = () => hoursBetween(clock.now().getTime(), wall + away);
    for (const { hours, suspended } of [
      { hours: 2, suspended: true },
      { hours: 24 * 40, suspended: true },
      // As of a clock that is set, here and under the database.
      { hours: 3, suspended: false },
      { hours: -5, suspended: false },
    ]) {
      const gate = Promise.withResolvers<void>();
      asking = gate.promise;
      wall += hours * HOUR_MS;
      if (suspended) up += hours * HOUR_MS;
      expect(hoursOff()).toBe(suspended ? 0 : Math.abs(hours));
      const settled = clock.settle();
      gate.resolve();
      await settled;
      expect(hoursOff()).toBe(0);
    }
    // A measurement may come first after a suspension: the next jump does not count that again.
    [wall, up] = [wall + 2 * HOUR_MS, up + 2 * HOUR_MS];
    await clock.measure();
    wall += 3 * HOUR_MS;
    expect(hoursOff()).toBe(3);
    await clock.settle();
    // As of a clock that is set on this machine alone.
    [wall, away] = [wall + 3 * HOUR_MS, away - 3 * HOUR_MS];
    await clock.settle();
    expect([hoursOff(), clock.isApart]).toEqual([0, true]);
    // One that is set while the database answers is looked at again.
    const gate = Promise.withResolvers<void>();
    asking = gate.promise;
    const measured = clock.measure();
    wall += 7 * HOUR_MS;
    gate.resolve();
    await measured;
    expect(hoursOff()).toBe(0);
  });
});
