import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../../harness/sink.ts';
import type { Place } from './place.ts';
import type { Context } from './scenario.ts';

/** How long messages may take after everything else is over. */
const PATIENCE_MS = 120_000;

/** Has an account's webhooks sent to a sink. */
export async function listenAt({ rail }: Place, key: string, sink: Sink): Promise<void> {
  const { status, text } = await rail.ask('/v1/me', { method: 'PATCH', key, body: { webhook_endpoint: sink.url } });
  if (status !== 200) throw new Error(text);
}

/** What was to be sent to an account, compared with what its sink took. */
export async function compareDeliveries(
  context: Context,
  { query }: Place,
  integrator: string,
  { received }: Sink,
): Promise<void> {
  const taken = () => new Set(received.map(({ json }) => json.id));
  const missing = async () => {
    const rows = await query<{ id: string }>('select id::text from outbox where integrator = $1', [integrator]);
    const known = taken();
    return rows.map(({ id }) => id).filter((id) => !known.has(id));
  };
  let left = await missing();
  for (const end = performance.now() + PATIENCE_MS; left.length > 0 && performance.now() < end; left = await missing())
    await sleep(500);
  context.lose('messages not delivered', left);
  context.count('messages delivered', taken().size);
  context.count('messages delivered again', received.length - taken().size);
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
