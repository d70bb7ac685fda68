import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from '../../../harness/people/payer.ts';
import { type Reply, ask, dataOf } from '../../run/ask.ts';
import type { Context, Scenario } from '../../run/scenario.ts';

const TIMES = 5;
const HANDS = 8;
/** The first payment of so many is taken back. */
const REVERSED = 5;
/** Time for which a request without a final answer is repeated. */
const PATIENCE_MS = 60_000;
/** Answers that say nothing for good. */
const PASSING = [409, 503];

export const repeats: Scenario = {
  name: 'repeats',
  title: 'requests that are repeated under their keys',
  promise: `Each request is sent ${TIMES} times under one idempotency key, one after another or all at once. All answers are the same bytes, and it is carried out once. The receipt of a payment that is taken back is void at once.`,
  unit: 'keys',
  full: 10_000,
  floor: 200,
  share: 2,
  async run(context) {
    const place = await context.open();
    await place.start(2);
    const shop = await place.shop(context.random);
    const made: Record<string, string[]> = { assessment: [], payment_intent: [] };
    let paid = 0;
    await context.spread(HANDS, async () => {
      // Each step of a payment is a key.
      const { citizen, services } = shop;
      const lines = services.map((service) => ({ service }));
      const assessment = await repeat(context, shop, '/v1/assessments', { citizen, lines, assess: true });
      if (!assessment) return;
      made['assessment']!.push(assessment);
      if (!context.more()) return;
      const intent = await repeat(context, shop, '/v1/payment-intents', { assessment, channel: 'mtn_momo' });
      if (!intent) return;
      made['payment_intent']!.push(intent);
      const payer = { payer_msisdn: '+256700123456' };
      if (!context.more() || !(await repeat(context, shop, `/v1/payment-intents/${intent}:initiate`, payer, intent)))
        return;
      if (!context.more() || !(await repeat(context, shop, `/v1/payment-intents/${intent}:confirm`, {}, intent)))
        return;
      if (paid++ % REVERSED !== 0 || !context.more()) return;
      if (!(await repeat(context, shop, `/v1/assessments/${assessment}:cancel`, { reason: 'Entered twice' }))) return;
      // A job that mends receipts is not to be faster.
      const issued = await place.query<{ name: string }>(
        `select name from receipt where assessment = $1 and status <> 'Void'`,
        [assessment],
      );
      context.lose(
        'receipts of reversed payments that are not void',
        issued.map(({ name }) => name),
      );
    });
    for (const [table, names] of Object.entries(made)) {
      const rows = await place.query<{ name: string }>(`select name from ${table} where integrator = $1`, [
        shop.integrator,
      ]);
      const acknowledged = new Set(names);
      const stored = new Set(rows.map(({ name }) => name));
      context.lose(
        'acknowledged and missing',
        names.filter((name) => !stored.has(name)),
      );
      context.lose(
        'made without an answer',
        [...stored].filter((name) => !acknowledged.has(name)),
      );
      context.hold(acknowledged.size === names.length, () => `${table}: one was answered to two keys`);
    }
  },
};

/** Sends a request under a key of its own again and again; what it made, or null where the answers differ. */
async function repeat(
  context: Context,
  shop: Shop,
  path: string,
  body: object,
  known?: string,
): Promise<string | null> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = async (): Promise<Reply> => {
    for (const end = performance.now() + PATIENCE_MS; ; await sleep(20)) {
      const reply = await ask(context.of(shop.origins) + path, { key: shop.key, body, headers });
      context.count('requests');
      if (!PASSING.includes(reply.status) || performance.now() > end) return reply;
    }
  };
  const replies: Reply[] = [];
  if (context.random() < 0.5) replies.push(...(await Promise.all(Array.from({ length: TIMES }, send))));
  else for (let time = 0; time < TIMES; time++) replies.push(await send());
  const [first] = replies as [Reply];
  const differing = replies.filter(({ status, text }) => status !== first.status || text !== first.text);
  context.lose(
    'answers that differ',
    differing.map(({ status, text }) => `${path}: ${status} ${text} after ${first.status} ${first.text}`),
  );
  // On a busy machine the rail asks the aggregator before the client does.
  const isDone = first.status === 200 || first.text.includes('already_confirmed');
  context.hold(isDone, () => `${path}: ${first.status} ${first.text}`);
  return isDone && differing.length === 0 ? (known ?? (dataOf(first) as { name: string }).name) : null;
}
