import { createHash } from 'node:crypto';
import { system } from '../access/viewer.ts';
import type { Standing } from '../adapters/payment/port.ts';
import type { Call } from '../call.ts';
import { untilSettled } from '../database/change.ts';
import { type Sql, sql } from '../database/sql.ts';
import { openChannel } from '../payments/channel.ts';
import { verification } from '../payments/confirm.ts';
import { type PaymentIntent, collectionOf, findIntentOf } from '../payments/find.ts';
import { type Decision, resolve } from '../payments/resolve.ts';
import { Refusal } from '../refusal.ts';
import { type ProviderEvent, parseEvent, standingOf } from './event.ts';
import { isSignedBy } from './signature.ts';

export interface CallbackInput {
  readonly provider: string;
  readonly body: Buffer;
  readonly signature?: string | null | undefined;
}

export interface CallbackAnswer {
  readonly decision: Decision | 'unknown_intent';
  readonly intent: string | null;
}

/** Takes a provider's callback: checks its signature over the raw bytes, and does what a confirm would do. */
export async function receiveCallback(caller: Call, { provider, body, signature }: CallbackInput): Promise<CallbackAnswer> {
  const { callbackSecrets, mode } = caller.config;
  if (!Object.hasOwn(callbackSecrets, provider)) throw new Refusal('not_found', 'There is no such provider');
  if (signature == null) {
    if (mode === 'live') throw new Refusal('invalid_signature', 'The callback is not signed');
  } else if (!isSignedBy(callbackSecrets[provider]!, body, signature)) {
    throw new Refusal('invalid_signature', 'The signature does not fit the body');
  }
  const call: Call = { ...caller, viewer: system(`callback:${provider}`) };
  const event = parseEvent(body);
  const bodyHash = createHash('sha256').update(body).digest();
  return untilSettled(async () => {
    const earlier = await storedDecision(call, provider, event, bodyHash);
    if (earlier) return earlier;
    return decide(call, provider, event, bodyHash);
  });
}

async function decide(call: Call, provider: string, event: ProviderEvent, bodyHash: Buffer): Promise<CallbackAnswer | undefined> {
  const intent = await findIntentOf(call, provider, { intent: event.intent ?? undefined, reference: event.reference ?? undefined });
  const kept = (decision: CallbackAnswer['decision'], source: Sql) => sql`
    insert into inbound_callback (provider, event_id, body_hash, intent, decision, received_at)
    select ${provider}, ${event.event_id}, ${bodyHash}, ${intent?.name ?? null}, ${decision}, ${call.now()} ${source}
    on conflict do nothing`;
  if (!intent) {
    await call.db.rows(kept('unknown_intent', sql``));
    return undefined;
  }
  const standing = await heard(call, intent, event);
  const resolution = await resolve(call, intent, standing, {
    trace: [verification(intent, standing, `callback ${event.event_id}`)],
    steps: (decision) => ({ kept: kept(decision, sql`from changed`) }),
  });
  // What was stored is the answer: with two at once only one is.
  return resolution && ((await storedDecision(call, provider, event, bodyHash)) ?? undefined);
}

/** How the collection stands: in live mode nothing is believed before the aggregator itself was asked. */
async function heard(call: Call, intent: PaymentIntent, event: ProviderEvent): Promise<Standing> {
  if (call.config.mode === 'live') return openChannel(call, intent.channel).verify(collectionOf(intent));
  const standing = standingOf(event);
  // Nobody was ever asked to collect for an intent without a reference.
  return intent.aggregatorReference === null ? { ...standing, status: 'NOT_FOUND' } : standing;
}

function storedDecision(call: Call, provider: string, event: ProviderEvent, bodyHash: Buffer): Promise<CallbackAnswer | null> {
  return call.db.row<CallbackAnswer>(sql`
    select decision, intent from inbound_callback
    where provider = ${provider} and (event_id = ${event.event_id} or body_hash = ${bodyHash}) limit 1`);
}
