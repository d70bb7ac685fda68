import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { type Served, serve } from '../harness/processes.ts';
import { openEndpoints, queueMessages, refuseOnce } from '../harness/chaos/webhooks.ts';
import { testRail } from '../harness/rail.ts';
import { type Sink, openSink } from '../harness/sink.ts';

const rail = testRail({ WEBHOOK_ALLOW_PRIVATE: '1' });
const folder = mkdtempSync(join(tmpdir(), 'rail-webhooks-'));
let sink: Sink;
const running: Served[] = [];

beforeAll(async () => {
  sink = await openSink();
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.kill()));
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startSender(): Promise<Served> {
  const env = { DATABASE_URL: rail.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: '1' };
  const sender = await serve('src/app/main.ts', env);
  running.push(sender);
  return sender;
}

const INTEGRATORS = 40;
const OBJECTS = 125;
const MESSAGES = 2;
const TOTAL = INTEGRATORS * OBJECTS * MESSAGES;
/** Three of ten endpoints refuse each message once. */
const isFailing = (path: string) => Number(/(\d+)$/.exec(path)![1]) % 10 < 3;

describe(`${TOTAL} webhooks, 30 % of whose endpoints fail, and a worker that is killed midway`, () => {
  it('all arrive, in the order of each object, with few duplicates', async () => {
    await openEndpoints(rail, sink, INTEGRATORS);
    await queueMessages(rail, { accounts: INTEGRATORS, from: 1, to: OBJECTS });
    const { refused, taken, order } = refuseOnce(sink, isFailing);
    const [victim] = await Promise.all([startSender(), startSender()]);
    await expect.poll(() => taken.size, { timeout: 800_000 }).toBeGreaterThan(TOTAL * 0.3);
    await victim.kill();
    await expect.poll(() => taken.size, { timeout: 800_000, interval: 200 }).toBe(TOTAL);
    await expect
      .poll(() => rail.count(sql`select 1 from webhook_delivery where status <> 'delivered'`), { timeout: 800_000 })
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

const ENDPOINTS = 10;
/** Messages of one account. Each goes to all of its endpoints, one of which never accepts any. */
const OF_ACCOUNT = 5_000;

describe(`${OF_ACCOUNT} messages of one account to ${ENDPOINTS} endpoints, one of which is dead`, () => {
  it('reach each other endpoint once or more, in the order of each object, and wait for the dead one alone', async () => {
    const { plaintext: key, integrator } = await rail.keyGranted({ managesAccount: true }, 'payments.read');
    const url = (place: number) => `${sink.url}/ten/${place}`;
    await rail.ask('/v1/me', { method: 'PATCH', key, body: { webhook_endpoint: url(0) } });
    for (let place = 1; place < ENDPOINTS; place++)
      expect((await rail.ask('/v1/me/webhook-endpoints', { key, body: { url: url(place) } })).status).toBe(200);
    const order = new Map<string, number[]>();
    const taken = new Set<string>();
    sink.answer = ({ path, json }, res) => {
      if (path.endsWith('/ten/9')) return void res.writeHead(500).end();
      const { name } = json.data.object;
      const object = `${path} ${name}`;
      if (!taken.has(`${path} ${json.id}`)) order.set(object, [...(order.get(object) ?? []), json.sequence]);
      taken.add(`${path} ${json.id}`);
      res.end();
    };
    await rail.rows(sql`
      insert into outbox (id, type, object, sequence, integrator, payload, created_at)
      select gen_random_uuid(), 'assessment.paid', 'T-' || o, s, ${integrator}, jsonb_build_object('name', 'T-' || o),
        now() + (s * 10000 + o) * interval '1 ms'
      from generate_series(1, ${OF_ACCOUNT / MESSAGES}) o, generate_series(1, ${MESSAGES}) s`);
    if (running.length === 0) await startSender();
    const prompt = (ENDPOINTS - 1) * OF_ACCOUNT;
    await expect.poll(() => taken.size, { timeout: 800_000, interval: 500 }).toBe(prompt);
    for (const [name, sequences] of order)
      expect(sequences, name).toEqual(Array.from({ length: MESSAGES }, (_, i) => i + 1));
    const statuses = () =>
      rail.rows(sql`
        select e.place, d.status, count(*)::int from webhook_delivery d join webhook_endpoint e on e.name = d.endpoint
        where d.integrator = ${integrator} group by 1, 2 order by 1, 2`);
    const expected = Array.from({ length: ENDPOINTS }, (_, place) => ({
      place,
      status: place === 9 ? 'pending' : 'delivered',
      count: OF_ACCOUNT,
    }));
    await expect.poll(statuses, { timeout: 800_000 }).toEqual(expected);
  });
});
