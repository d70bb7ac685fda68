import { createHash } from 'node:crypto';
import { actAsSystem } from '../../platform/access/viewer.ts';
import type { CallbackPayload, RawCallback, ProviderStatus } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { retryUntilSettled } from '../../platform/change/commit.ts';
import { step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { adapterOf } from '../payments/aggregator.ts';
import { traceVerification } from '../payments/confirm.ts';
import { type PaymentIntent, collectionOf, findIntentOf } from '../payments/find.ts';
import { type Decision, resolve } from '../payments/settlement/resolve.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isOwnForm, readNotice } from './event.ts';
import { UNSIGNED } from './signature.ts';
import type { PushDecision } from './pushes/decisions.ts';
import { receivePush } from './pushes/receive-push.ts';

/** A callback as it came, to the address of a provider. */
export interface CallbackInput extends RawCallback {
  readonly provider: string;
}

export interface CallbackAnswer {
  readonly decision: Decision | 'unknown_intent' | PushDecision;
  readonly intent: string | null;
  /** What a push of an agency was about; null for callbacks of payment providers. */
  readonly object: string | null;
}

/** Takes a callback: of a payment provider, or of an agency or fiscal partner that reports something unasked. */
export async function receiveCallback(caller: Call, input: CallbackInput): Promise<CallbackAnswer> {
  const { provider, ...raw } = input;
  if (Object.hasOwn(caller.config.callbackSecrets, provider)) return receiveProviderCallback(caller, input);
  return { intent: null, ...(await receivePush(caller, provider, raw)) };
}

/**
 * Takes a provider's callback, in the provider's own form or in the rail's: checks its proof before anything is
 * believed of it, and does what a confirm would do.
 */
async function receiveProviderCallback(caller: Call, input: CallbackInput): Promise<CallbackAnswer> {
  const notice = await admitCallback(caller, input);
  const { provider, ...raw } = input;
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  // Of a provider that names the intent in the address alone, the same bytes can be about two intents.
  const bodyHash = createHash('sha256')
    .update(raw.query['intent'] ?? '')
    .update(raw.body)
    .digest();
  const admitted: Admitted = {
    provider,
    storedAs: notice.proof === 'signed' ? provider : UNSIGNED + provider,
    notice,
    bodyHash,
  };
  return retryUntilSettled(async () => (await findDecision(call, admitted)) ?? (await decide(call, admitted)));
}

/** A callback that may be believed as far as its proof goes. */
interface Admitted {
  readonly provider: string;
  /**
   * Under what its decision is kept: what anybody can send never stands where the provider's own word is looked for.
   */
  readonly storedAs: string;
  readonly notice: CallbackPayload;
  readonly bodyHash: Buffer;
}

/**
 * The notice of a callback. A signed one costs its address nothing, since a provider sends many; any other counts as an
 * anonymous request.
 */
async function admitCallback(caller: Call, input: CallbackInput): Promise<CallbackPayload> {
  let notice: CallbackPayload | null = null;
  try {
    notice = proveNotice(caller, input);
    return notice;
  } finally {
    if (notice?.proof !== 'signed') await caller.limits.countAnonymous(caller.source.address);
  }
}

/** Reads a callback, in the provider's own form or in the rail's, and checks its proof. */
function proveNotice(
  { config: { callbackSecrets, mode }, aggregators }: Call,
  { provider, ...raw }: CallbackInput,
): CallbackPayload {
  const native = isOwnForm(raw) ? null : aggregators.get(provider)?.adapter.parseCallback?.(raw);
  const notice = native ?? readNotice(raw, callbackSecrets[provider]!, mode);
  if (notice.proof === 'unsigned' && mode === 'live')
    throw new Refusal('invalid_signature', 'The callback is not signed');
  if (notice.proof === 'forged') throw new Refusal('invalid_signature', 'The signature does not match');
  return notice;
}

async function decide(call: Call, admitted: Admitted): Promise<CallbackAnswer | undefined> {
  const { provider, notice } = admitted;
  const intent = await findIntentOf(call, provider, notice);
  // Not kept: its subject may be created later, and is then reported again.
  if (!intent) return { decision: 'unknown_intent', intent: null, object: null };
  const providerStatus = await verifyClaim(call, intent, notice);
  const resolution = await resolve(call, intent, providerStatus, {
    trace: [traceVerification(intent, providerStatus, `callback ${notice.eventId}`)],
    steps: (decision, changed) => [
      step('stored')`
        insert into inbound_callback (provider, event_id, body_hash, intent, decision, received_at)
        select ${admitted.storedAs}, ${notice.eventId}, ${admitted.bodyHash}, ${intent.name}, ${decision}, ${call.now()}
        from ${changed}
        on conflict do nothing`,
    ],
  });
  // What was stored is the answer: with two at once only one is.
  return resolution && ((await findDecision(call, admitted)) ?? undefined);
}

/** How the collection stands. Nothing is believed before the aggregator itself was asked, unless it is made up. */
async function verifyClaim(call: Call, intent: PaymentIntent, { claimed }: CallbackPayload): Promise<ProviderStatus> {
  const adapter = adapterOf(call, intent);
  if (call.config.mode === 'live' || !adapter.stub) return adapter.verify(collectionOf(intent));
  // Nobody was ever asked to collect for an intent without a reference.
  return intent.aggregatorReference === null ? { ...claimed, status: 'NOT_FOUND' } : claimed;
}

/**
 * The decision on the same event or the same bytes. What is unsigned is looked for under the provider's own name too:
 * it tells nothing that was not told before, and 1.1 stored it there.
 */
function findDecision(call: Call, { provider, storedAs, notice, bodyHash }: Admitted): Promise<CallbackAnswer | null> {
  return call.db.row<CallbackAnswer>(sql`
    select decision, intent, object from inbound_callback
    where provider = any(${[storedAs, provider]}) and (event_id = ${notice.eventId} or body_hash = ${bodyHash})
    order by provider = ${storedAs} desc limit 1`);
}
