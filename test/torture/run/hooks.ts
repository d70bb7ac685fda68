import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../../harness/sink.ts';
import type { Place } from './place.ts';
import type { Context } from './scenario.ts';

/** Most time for messages once everything else is over. */
const PATIENCE_MS = 180_000;

/** Has an account's webhooks sent to a sink. */
export async function listenAt({ rail }: Place, key: string, sink: Sink): Promise<void> {
  const { status, text } = await rail.ask('/v1/me', { method: 'PATCH', key, body: { webhook_endpoint: sink.url } });
  if (status !== 200) throw new Error(text);
}

/** Waits until no message waits any more, or for three minutes. */
export async function untilDelivered({ query }: Place): Promise<void> {
  const isWaiting = async () =>
    (
      await query(`
        select from outbox_queue union all select from unsealed_event union all
        select from webhook_delivery where status = 'pending' limit 1`)
    ).length > 0;
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end && (await isWaiting());) await sleep(300);
}

/**
 * Compares the messages for an account with those that its sink accepted; for one of several endpoints, at its path.
 */
export async function compareDeliveries(
  context: Context,
  place: Place,
  integrator: string,
  sink: Sink,
  path = '/hook',
): Promise<void> {
  await untilDelivered(place);
  const received = sink.received.filter((message) => message.path === path);
  const taken = new Set(received.map(({ json }) => json.id));
  const rows = await place.query<{ id: string }>('select id::text from outbox where integrator = $1', [integrator]);
  const missing = rows.map(({ id }) => id).filter((id) => !taken.has(id));
  context.lose('messages not delivered', missing);
  context.count('messages delivered', taken.size);
  context.count('messages delivered again', received.length - taken.size);
  const last = new Map<string, number>();
  const seen = new Set<string>();
  for (const { json } of received) {
    const { name } = json.data.object;
    if (!seen.has(json.id)) {
      const before = last.get(name) ?? 0;
      context.hold(json.sequence > before, () => `message ${json.sequence} about ${name} came after ${before}`);
      last.set(name, json.sequence);
    }
    seen.add(json.id);
  }
}
