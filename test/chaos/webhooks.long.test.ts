import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { type Served, serve } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { type Sink, openSink } from '../harness/sink.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-webhooks-'));
let sink: Sink;
const running: Served[] = [];

beforeAll(async () => {
  sink = await openSink();
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

const INTEGRATORS = 40;
const OBJECTS = 125;
const MESSAGES = 2;
const TOTAL = INTEGRATORS * OBJECTS * MESSAGES;
/** Of ten endpoints three turn each message down once. */
const isFailing = (path: string) => Number(/(\d+)$/.exec(path)![1]) % 10 < 3;

describe(`${TOTAL} webhooks, 30 % of whose endpoints fail, and a worker that is killed midway`, () => {
  it('all arrive, in the order of each object, with few duplicates', async () => {
    await rail.rows(sql`
      insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status,
        email_verified, scopes, webhook_endpoint, created_at, updated_at)
      select 'SINK-' || n, 'Sink', 'sink-' || n || '@example.com', 'Sink', 'sandbox', 'free', 'Active', true, '{}',
        ${`${sink.url}/`} || n, now(), now()
      from generate_series(0, ${INTEGRATORS - 1}) n`);
    await rail.rows(sql`
      insert into outbox (id, type, object, sequence, integrator, payload, created_at)
      select gen_random_uuid(), 'webhook.test', 'O-' || n || '-' || o, s, 'SINK-' || n,
        jsonb_build_object('name', 'O-' || n || '-' || o), now() + (s * 1000 + o) * interval '1 ms'
      from generate_series(0, ${INTEGRATORS - 1}) n, generate_series(1, ${OBJECTS}) o,
        generate_series(1, ${MESSAGES}) s`);
    const refused = new Set<string>();
    const taken = new Map<string, number>();
    const order = new Map<string, number[]>();
    sink.answer = ({ path, json }, res) => {
      if (isFailing(path) && !refused.has(json.id)) {
        refused.add(json.id);
        return void res.writeHead(500).end();
      }
      const times = (taken.get(json.id) ?? 0) + 1;
      taken.set(json.id, times);
      if (times === 1) {
        const { name } = json.data.object;
        order.set(name, [...(order.get(name) ?? []), json.sequence]);
      }
      res.end();
    };
    const env = { DATABASE_URL: rail.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: '1' };
    const [victim, survivor] = await Promise.all([serve('src/app/main.ts', env), serve('src/app/main.ts', env)]);
    running.push(survivor);
    await expect.poll(() => taken.size, { timeout: 120_000 }).toBeGreaterThan(TOTAL * 0.3);
    await victim.kill();
    await expect.poll(() => taken.size, { timeout: 180_000, interval: 200 }).toBe(TOTAL);
    await expect
      .poll(() => rail.count(sql`select 1 from webhook_delivery where status <> 'delivered'`), { timeout: 60_000 })
      .toBe(0);

    expect(refused.size).toBe(TOTAL * 0.3);
    for (const [name, sequences] of order)
      expect(sequences, name).toEqual(Array.from({ length: MESSAGES }, (_, i) => i + 1));
    const duplicates = [...taken.values()].reduce((more, times) => more + times - 1, 0);
    // No more than one process has under way, however many there are.
    expect(duplicates).toBeLessThan(100);
    expect(await rail.count(sql`select 1 from webhook_delivery`)).toBe(TOTAL);
  });
});
