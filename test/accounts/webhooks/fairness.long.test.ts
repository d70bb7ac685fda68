import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, makeActor } from '../../harness/flow.ts';
import { TestRail } from '../../harness/rail.ts';
import { type Sink, openSink } from '../../harness/sink.ts';

let rail: TestRail;
let sink: Sink;

/** Lets those endpoints answer that have not yet. */
let letGo: () => void;

beforeAll(async () => {
  sink = await openSink();
  rail = new TestRail({ JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: '1' });
  await rail.start();
  const held = new Set<() => void>();
  let hanging = true;
  sink.answer = ({ path }, res) => {
    if (hanging && path.includes('hanging')) held.add(() => res.end());
    else res.end();
  };
  letGo = () => {
    hanging = false;
    for (const answer of held) answer();
  };
});
afterAll(async () => {
  letGo();
  await rail.stop();
  await sink.close();
});

async function listener(path: string): Promise<Actor> {
  const actor = await makeActor(rail);
  await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: `${sink.url}/${path}` } });
  return actor;
}

/** Messages about so many objects, none of which waits for another. */
function tell(actor: Actor, objects: number) {
  return rail.rows(sql`
    insert into outbox (id, type, object, sequence, integrator, payload, created_at)
    select gen_random_uuid(), 'webhook.test', ${actor.integrator} || '-' || n, 1, ${actor.integrator},
      jsonb_build_object('name', n), now()
    from generate_series(1, ${objects}::int) n`);
}

const arrived = (path: string) => sink.received.filter((message) => message.path === `/hook/${path}`).length;

describe('endpoints that accept a message and never answer', () => {
  it('keep the messages of others waiting for a moment at most', async () => {
    const healthy = await listener('healthy');
    const many = await Promise.all(Array.from({ length: 24 }, (_, i) => listener(`hanging-${i}`)));
    const start = Date.now();
    for (const actor of many) await tell(actor, 10);
    await expect.poll(() => sink.received.length).toBeGreaterThan(30);
    for (let round = 1; round <= 3; round++) {
      const started = Date.now();
      await healthy.post('/v1/me/webhook:test');
      await expect.poll(() => arrived('healthy'), { interval: 20 }).toBe(round);
      // A moment is a second; four are allowed for a machine that is busy. A hand that hangs is free after ten.
      expect(Date.now() - started).toBeLessThan(4_000);
    }
    await tell(healthy, 100);
    await expect.poll(() => arrived('healthy')).toBe(103);
    // Three in hand for each, and three more only when those have timed out.
    const timeOuts = Math.floor((Date.now() - start) / 10_000);
    for (let i = 0; i < 24; i++) expect(arrived(`hanging-${i}`), String(i)).toBeLessThanOrEqual(3 * (1 + timeOuts));
    letGo();
  });
});
