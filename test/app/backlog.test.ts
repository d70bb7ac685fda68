import type { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sealAll } from '../../src/oversight/seals/seal.ts';
import { relay } from '../../src/accounts/webhooks/relay.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { metricsOf } from '../../src/app/probes.ts';
import { createConfirmed, createSent, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

/** The metrics of a process that has just begun, by their names and labels. */
async function read(): Promise<Readonly<Record<string, number>>> {
  const lines = (await metricsOf(rail.rail).metrics()).split('\n').filter((line) => /^(backlog|open_anom)/.test(line));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}
const size = (queue: string) => `backlog_size{queue="${queue}"}`;
const age = (queue: string) => `backlog_oldest_seconds{queue="${queue}"}`;
const QUEUES = ['messages', 'deliveries', 'propagations', 'enquiries', 'seals'];

describe('what waits', () => {
  it('is nothing at first', async () => {
    const metrics = await read();
    for (const queue of QUEUES) expect([queue, metrics[size(queue)], metrics[age(queue)]]).toEqual([queue, 0, 0]);
    for (const severity of ['high', 'medium', 'low']) expect(metrics[`open_anomalies{severity="${severity}"}`]).toBe(0);
  });

  it('is counted by queue, with how long the oldest has waited', async () => {
    const from = rail.rail.now().getTime();
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    const { intent } = await createSent(rail, actor);
    await rail.rows(sql`
      insert into webhook_endpoint (name, integrator, place, label, url, created_at, updated_at)
      values ('EP-2020-000001', ${actor.integrator}, 0, 'default', 'https://hooks.example/', now(), now())`);
    const queued = await rail.count(sql`select 1 from outbox_queue`);
    expect(queued).toBeGreaterThan(0);
    await rail.rows(sql`
      insert into propagation (name, assessment, mda, kind, status, next_attempt_at, created_at)
      select name || '.KCCA', name, 'KCCA', 'payment', 'pending', now(), now() from assessment limit 1`);
    await rail.rows(sql`
      insert into anomaly (name, kind, mdas, severity, status, subject, evidence, raised_at)
      values ('ANOM-2020-01-000001', 'seal_gap', '{}', 'high', 'Open', 'x', '{}', now())`);
    const until = rail.rail.now().getTime();
    // It is made after a while.
    const [enquiry] = await rail.rows<{ at: Date }>(
      sql`select enquire_at as at from payment_intent where name = ${intent}`,
    );
    rail.advance(0.5);
    const asked = rail.rail.now().getTime();
    const metrics = await read();
    const answered = rail.rail.now().getTime();
    const waiting = Object.fromEntries(QUEUES.map((queue) => [queue, metrics[size(queue)]]));
    const propagations = await rail.count(sql`select 1 from propagation where status = 'pending'`);
    const seals = await rail.count(sql`select 1 from unsealed_event`);
    expect(waiting).toEqual({ messages: queued, deliveries: 0, propagations, enquiries: 1, seals });
    for (const queue of ['messages', 'propagations', 'enquiries', 'seals']) {
      const last = queue === 'enquiries' ? enquiry!.at.getTime() : until;
      expect(metrics[age(queue)], queue).toBeGreaterThanOrEqual((asked - last) / 1_000 - 1);
      expect(metrics[age(queue)], queue).toBeLessThanOrEqual((answered - from) / 1_000 + 1);
    }
    expect(metrics['open_anomalies{severity="high"}']).toBe(1);

    await relay(rail.rail);
    await sealAll(rail.rail);
    await rail.rows(sql`update payment_intent set enquire_at = null where name = ${intent}`);
    const later = await read();
    expect(later[size('messages')]).toBe(await rail.count(sql`select 1 from outbox_queue`));
    expect(later[size('deliveries')]).toBe(queued);
    expect([later[size('seals')], later[size('enquiries')], later[age('enquiries')]]).toEqual([0, 0, 0]);
    // Messages to a disabled endpoint do not count as waiting: they are not sent.
    await rail.rows(sql`update webhook_endpoint set disabled_at = now(), disabled_reason = 'kept_failing'`);
    expect((await read())[size('deliveries')]).toBe(0);
  });

  it('is read once in some seconds, however often it is asked', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const registry = metricsOf(rail.rail);
    const first = await registry.metrics();
    await rail.rows(sql`update anomaly set severity = 'low'`);
    const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('open_anomalies'));
    vi.advanceTimersByTime(10_000);
    expect(lines(await registry.metrics())).toEqual(lines(first));
    vi.advanceTimersByTime(1);
    expect(lines(await registry.metrics())).toContain('open_anomalies{severity="low"} 1');
  });

  it('stays as it was last read while the database is slow, with its age', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const impatient = { ...rail.rail, config: { ...rail.rail.config, metricsWaitMs: 1 } };
    const lines = async (of: Registry, pattern: RegExp) =>
      (await of.metrics()).split('\n').filter((line) => pattern.test(line));
    const registry = metricsOf(impatient);
    const values = /^(backlog_(size|oldest_seconds)|open_anomalies|payment_intents)\{/;
    // In hundreds of seconds: each poll advances the clock a little.
    const ages = async (of: Registry) =>
      (await lines(of, /^(backlog|payment_intents)_age_seconds /)).map((line) =>
        Math.floor(Number(line.split(' ')[1]) / 100),
      );
    await expect.poll(() => lines(registry, /\{(queue="seals"|status="Sent")\}/)).toHaveLength(3);
    const first = await lines(registry, values);
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`lock table outbox_queue, payment_intent in access exclusive mode`);
      vi.advanceTimersByTime(600_000);
      expect(await lines(registry, values)).toEqual(first);
      expect(await ages(registry)).toEqual([6, 6]);
      const begun = metricsOf(impatient);
      vi.advanceTimersByTime(200_000);
      expect(await lines(begun, values)).toEqual([]);
      expect(await ages(begun)).toEqual([2, 2]);
    });
    await expect.poll(() => ages(registry)).toEqual([0, 0]);
  });
});
