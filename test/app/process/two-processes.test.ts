import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadProfile } from '../../../src/collection/catalogue/loading/load.ts';
import { readShippedProfiles } from '../../../src/collection/catalogue/loading/profile.ts';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { TWO_LINES_TOTAL, makeActor, createPending, createSent } from '../../harness/flow.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import { GATE, closeGate } from '../../harness/run/gate.ts';
import { type Served, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let processes: Served[] = [];

const start = () => serve('src/app/main.ts', { DATABASE_URL: rail.url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' });

beforeAll(async () => {
  await rail.query(`
    create function pass_gate() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin perform ${GATE.text}; return new; end $$`);
  processes = await Promise.all([start(), start()]);
});

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
});

async function post(origin: string, path: string, key: string | null, body: object = {}) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as {
      data?: { decision?: string; intent?: { status: string; aggregator_reference: string } };
    },
  };
}

describe('two processes on one database', () => {
  it('confirm an intent once under 50 confirms and duplicate callbacks at a time, without a 5xx', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createSent(rail, actor);
    const event = { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount: TWO_LINES_TOTAL, currency: 'UGX' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        post(processes[i % 2]!.origin, `/v1/payment-intents/${intent}:confirm`, actor.key),
      ).concat(
        Array.from({ length: 20 }, (_, i) =>
          post(
            processes[i % 2]!.origin,
            '/v1/webhooks/mtn_momo',
            null,
            i % 4 ? event : { ...event, event_id: randomUUID() },
          ),
        ),
      ),
    );
    const confirms = answers.slice(0, 50);
    const callbacks = answers.slice(50);
    for (const { status } of confirms) expect([200, 422]).toContain(status);
    for (const { status } of callbacks) expect(status).toBe(200);
    const winners =
      confirms.filter(({ status }) => status === 200).length +
      new Set(callbacks.filter(({ body }) => body.data!.decision === 'confirmed').map(() => 1)).size;
    expect(winners).toBe(1);
    const replays = callbacks.filter((_, i) => i % 4).map(({ body }) => body.data!.decision);
    expect(new Set(replays).size).toBe(1);
    expect(await rail.count(sql`select 1 from payment_event where intent = ${intent}`)).toBe(2);
    expect(await rail.count(sql`select 1 from outbox where object = ${assessment} and type = 'assessment.paid'`)).toBe(
      1,
    );
    await expectInvariants(rail);
  });

  it('initiate once when asked 20 times at a time', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post(processes[i % 2]!.origin, `/v1/payment-intents/${intent}:initiate`, actor.key),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(422)]);
    expect(await rail.count(sql`select 1 from trace_row where intent = ${intent} and kind = 'adapter.initiate'`)).toBe(
      1,
    );
  });

  it('reach the same collection after a kill -9 between the call to the provider and the commit', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const victim = await start();
    // The commit that follows the provider's answer is held up, so that the process can be killed in between.
    const gate = await closeGate(rail.url);
    await rail.query(`
      create trigger hold_up before update on payment_intent for each row when (new.status = 'Sent' and new.name = '${intent}') execute function pass_gate()`);
    const held = post(victim.origin, `/v1/payment-intents/${intent}:initiate`, actor.key).catch(() => null);
    await expect.poll(gate.waiting).toHaveLength(1);
    // From here on it answers nothing, not even that the statement which waits was given up after its seconds.
    victim.signal('SIGSTOP');
    expect((await post(processes[0]!.origin, `/v1/payment-intents/${intent}:initiate`, actor.key)).status).toBe(422);
    await victim.kill();
    await rail.rows(sql`select pg_terminate_backend(pid) from unnest(${await gate.waiting()}::int[]) pid`);
    expect(await held, victim.log()).toBeNull();
    await expect.poll(gate.waiting).toEqual([]);
    await gate.open();
    await rail.query('drop trigger hold_up on payment_intent');

    const [between] = await rail.rows<{ status: string; reference: string }>(
      sql`select status, aggregator_reference as reference from payment_intent where name = ${intent}`,
    );
    expect(between).toMatchObject({ status: 'Pending' });
    const again = await post(processes[1]!.origin, `/v1/payment-intents/${intent}:initiate`, actor.key);
    expect(again).toMatchObject({
      status: 200,
      body: { data: { intent: { status: 'Sent', aggregator_reference: between!.reference } } },
    });
    expect((await post(processes[0]!.origin, `/v1/payment-intents/${intent}:confirm`, actor.key)).status).toBe(200);
    await expectInvariants(rail);
  });

  it('give the catalogue the same tag, and another one after each change of it', async () => {
    const tagsOf = () =>
      Promise.all(processes.map(async ({ origin }) => (await fetch(`${origin}/v1/services`)).headers.get('etag')));
    const tags = new Set(await tagsOf());
    const [profile] = readShippedProfiles();
    const call = callOf(rail.rail, commandLine, 'load');
    for (const fee of [1, 2]) {
      const agencies = profile!.agencies.map((agency) => ({
        ...agency,
        services: agency.services.map((service) => ({ ...service, fee })),
      }));
      await rail.rail.transaction((db) => loadProfile({ ...call, db }, { ...profile!, agencies }));
      for (const tag of await tagsOf()) tags.add(tag);
    }
    expect(tags.size).toBe(3);
    await rail.rail.transaction((db) => loadProfile({ ...call, db }, profile!));
  });

  it('let a revocation hold from the very next request on either', async () => {
    for (let round = 0; round < 20; round++) {
      const { key } = await makeActor(rail);
      const ask = (i: number) =>
        fetch(`${processes[i]!.origin}/v1/assessments`, { headers: { authorization: `Bearer ${key}` } });
      expect([(await ask(0)).status, (await ask(1)).status]).toEqual([200, 200]);
      await rail.rows(
        sql`update api_key set status = 'revoked', revoked_at = now() where name = (select name from api_key order by created_at desc, name desc limit 1)`,
      );
      const after = [(await ask(0)).status, (await ask(1)).status];
      expect(after, processes.map(({ log }) => log()).join('')).toEqual([401, 401]);
    }
  });

  it(
    'listen where PORT says while BASE_URL tells integrators another address; a PORT that is taken stops the start',
    { tags: 'long' },
    async () => {
      const free = await findFreePort();
      const env = { DATABASE_URL: rail.url, PORT: String(free), JOBS: 'off', LOG_LEVEL: 'error' };
      const named = await serve('src/app/main.ts', { ...env, BASE_URL: 'http://rail.example.org' });
      expect(named.origin).toBe('http://rail.example.org');
      expect((await fetch(`http://127.0.0.1:${free}/readyz`)).status).toBe(200);
      await expect(serve('src/app/main.ts', env)).rejects.toThrow(/ended with 1/);
      await named.stop();
    },
  );

  it('finish what is under way when asked to stop', { tags: 'long' }, async () => {
    const actor = await makeActor(rail);
    const leaving = await start();
    const { intent } = await createSent(rail, actor);
    const gate = await closeGate(rail.url);
    await rail.query(`
      create trigger take_time before update on payment_intent for each row when (new.status = 'Confirmed' and new.name = '${intent}') execute function pass_gate()`);
    const underway = post(leaving.origin, `/v1/payment-intents/${intent}:confirm`, actor.key);
    await expect.poll(gate.waiting).toHaveLength(1);
    const stopping = leaving.stop();
    // It takes nothing any more.
    const isOpen = () => fetch(`${leaving.origin}/healthz`).then(Boolean, () => false);
    await expect.poll(isOpen).toBe(false);
    await gate.open();
    expect((await underway).status).toBe(200);
    expect(await stopping).toBe(0);
    const [row] = await rail.rows<{ status: string }>(sql`select status from payment_intent where name = ${intent}`);
    expect(row!.status).toBe('Confirmed');
  });
});
