import { createHash } from 'node:crypto';
import { system } from '../access/viewer.ts';
import type { Notice, RawCallback, Standing } from '../adapters/payment/port.ts';
import type { Call } from '../call.ts';
import { untilSettled } from '../database/change.ts';
import { type Sql, sql } from '../database/sql.ts';
import { openChannel } from '../payments/channel.ts';
import { verification } from '../payments/confirm.ts';
import { type PaymentIntent, collectionOf, findIntentOf } from '../payments/find.ts';
import { type Decision, resolve } from '../payments/resolve.ts';
import { Refusal } from '../refusal.ts';
import { SIGNATURE, readNotice } from './event.ts';

/** A callback as it came, to the address of a provider. */
export interface CallbackInput extends RawCallback {
  readonly provider: string;
}

export interface CallbackAnswer {
  readonly decision: Decision | 'unknown_intent';
  readonly intent: string | null;
}

/**
 * Takes a provider's callback, in the provider's own form or in the rail's: checks its proof before anything is believed of it, and
 * does what a confirm would do.
 */
export async function receiveCallback(caller: Call, input: CallbackInput): Promise<CallbackAnswer> {
  const notice = await countedNotice(caller, input);
  const { provider, ...raw } = input;
  const call: Call = { ...caller, viewer: system(`callback:${provider}`) };
  // Of a provider that names the intent in the address alone, two intents can be told of in the same bytes.
  const bodyHash = createHash('sha256')
    .update(raw.query['intent'] ?? '')
    .update(raw.body)
    .digest();
  return untilSettled(async () => {
    const earlier = await storedDecision(call, provider, notice, bodyHash);
    if (earlier) return earlier;
    return decide(call, provider, notice, bodyHash);
  });
}

/** The notice of a callback. A signed one costs its address nothing, since a provider sends many; any other counts as an anonymous request. */
async function countedNotice(caller: Call, input: CallbackInput): Promise<Notice> {
  let notice: Notice | null = null;
  try {
    notice = provenNotice(caller, input);
    return notice;
  } finally {
    if (notice?.proof !== 'signed') await caller.limits.countAnonymous(caller.source.address);
  }
}

/** Reads a callback, in the provider's own form or in the rail's, and checks its proof. */
function provenNotice({ config: { callbackSecrets, mode }, channels }: Call, { provider, ...raw }: CallbackInput): Notice {
  if (!Object.hasOwn(callbackSecrets, provider)) throw new Refusal('not_found', 'There is no such provider');
  const adapter = Object.values(channels).find(({ aggregator }) => aggregator === provider);
  const native = raw.headers[SIGNATURE] == null ? adapter?.hear?.(raw) : null;
  const notice = native ?? readNotice(raw, callbackSecrets[provider]!, mode);
  if (notice.proof === 'unsigned' && mode === 'live') throw new Refusal('invalid_signature', 'The callback is not signed');
  if (notice.proof === 'forged') throw new Refusal('invalid_signature', 'The signature does not fit');
  return notice;
}

async function decide(call: Call, provider: string, notice: Notice, bodyHash: Buffer): Promise<CallbackAnswer | undefined> {
  const intent = await findIntentOf(call, provider, notice);
  const kept = (decision: CallbackAnswer['decision'], source: Sql) => sql`
    insert into inbound_callback (provider, event_id, body_hash, intent, decision, received_at)
    select ${provider}, ${notice.eventId}, ${bodyHash}, ${intent?.name ?? null}, ${decision}, ${call.now()} ${source}
    on conflict do nothing`;
  if (!intent) {
    await call.db.rows(kept('unknown_intent', sql``));
    return undefined;
  }
  const standing = await heard(call, intent, notice);
  const resolution = await resolve(call, intent, standing, {
    trace: [verification(intent, standing, `callback ${notice.eventId}`)],
    steps: (decision) => ({ kept: kept(decision, sql`from changed`) }),
  });
  // What was stored is the answer: with two at once only one is.
  return resolution && ((await storedDecision(call, provider, notice, bodyHash)) ?? undefined);
}

/** How the collection stands. Nothing is believed before the aggregator itself was asked, unless it is made up. */
async function heard(call: Call, intent: PaymentIntent, { claimed }: Notice): Promise<Standing> {
  const channel = openChannel(call, intent.channel);
  if (call.config.mode === 'live' || !channel.stub) return channel.verify(collectionOf(intent));
  // Nobody was ever asked to collect for an intent without a reference.
  return intent.aggregatorReference === null ? { ...claimed, status: 'NOT_FOUND' } : claimed;
}

function storedDecision(call: Call, provider: string, notice: Notice, bodyHash: Buffer): Promise<CallbackAnswer | null> {
  return call.db.row<CallbackAnswer>(sql`
    select decision, intent from inbound_callback
    where provider = ${provider} and (event_id = ${notice.eventId} or body_hash = ${bodyHash}) limit 1`);
}
