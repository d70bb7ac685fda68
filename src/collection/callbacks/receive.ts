import { actAsSystem } from '../../platform/access/viewer.ts';
import type { CallbackPayload, IgnoredCallback, RawCallback, ProviderStatus } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { always, commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { adapterOf, proofBy } from '../payments/aggregator.ts';
import { traceVerification } from '../payments/confirm.ts';
import { pursueClaims } from '../payments/enquiries/schedule.ts';
import { type PaymentIntent, collectionOf, findIntentOf } from '../payments/find.ts';
import { planDispute } from '../payments/refunds/dispute.ts';
import { type Decision, resolve } from '../payments/settlement/resolve.ts';
import { agenciesBySize } from '../payments/splits.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { MoneyKind } from '../money/receive.ts';
import { type Decided, decisionsOn, refuseReused } from './decisions.ts';
import { readNotice } from './event.ts';
import { isOwnForm } from './signature.ts';
import type { PushDecision } from './pushes/decisions.ts';
import { receivePush } from './pushes/receive-push.ts';

/** A callback as it came, to the address of a provider. */
export interface CallbackInput extends RawCallback {
  readonly provider: string;
}

/** Decision on a callback; its `object` is the subject of a push by an agency or a payment point. */
export type CallbackAnswer = Decided<
  Decision | 'disputed' | 'unknown_intent' | 'ignored' | PushDecision | MoneyKind | 'unproved'
>;

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
  if ('ignored' in notice) return { decision: 'ignored', intent: null, object: null };
  const { provider, ...raw } = input;
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  return retryUntilSettled(() => decide(call, provider, notice, raw));
}

type Notice = CallbackPayload | IgnoredCallback;

/**
 * The notice of a callback. A signed one costs its address nothing, since a provider sends many; any other counts as an
 * anonymous request.
 */
async function admitCallback(caller: Call, input: CallbackInput): Promise<Notice> {
  let notice: Notice | null = null;
  try {
    notice = proveNotice(caller, input);
    return notice;
  } finally {
    if (notice?.proof !== 'signed') await caller.rail.limits.countAnonymous(caller.transport.source.address);
  }
}

/** Reads a callback, in the provider's own form or in the rail's, and checks its proof. */
function proveNotice(caller: Call, { provider, ...raw }: CallbackInput): Notice {
  const { config, rail } = caller;
  const native = isOwnForm(raw) ? null : rail.aggregators.get(provider)?.adapter.parseCallback?.(raw);
  const notice = native ?? readNotice(caller, raw, config.callbackSecrets[provider]!);
  if (notice.proof === 'unsigned' && config.mode === 'live')
    throw new Refusal('invalid_signature', 'The callback is not signed');
  if (notice.proof === 'forged') throw new Refusal('invalid_signature', 'The signature does not match');
  return notice;
}

async function decide(
  call: Call,
  provider: string,
  notice: CallbackPayload,
  raw: RawCallback,
): Promise<CallbackAnswer | undefined> {
  const intent = await findIntentOf(call, provider, notice);
  const { txnId, amount, currency } = notice.claimed;
  const { find, store, finding, raise } = decisionsOn<CallbackAnswer['decision']>(call, {
    sender: provider,
    signed: notice.proof === 'signed',
    eventId: notice.eventId,
    body: raw.body,
    about: {
      intent: intent?.name ?? notice.intent ?? notice.reference,
      txn_id: txnId,
      amount: amount?.toString(),
      currency,
      dispute: notice.dispute?.reference,
    },
    // The same bytes can be about two intents, where a provider names the intent in the address alone.
    address: raw.query['intent'] ?? undefined,
  });
  const known = await find();
  if (known && !known.reused) return known;
  if (known && (!intent || notice.dispute)) {
    await raise(known);
    throw refuseReused();
  }
  // Not kept: its subject may be created later, and is then reported again.
  if (!intent) return { decision: 'unknown_intent', intent: null, object: null };
  const answer = (decision: CallbackAnswer['decision']) => ({ decision, intent: intent.name, object: null });
  if (notice.dispute) {
    const { steps, trace } = await planDispute(call, always, intent, notice.dispute);
    await commit(call, { subject: null, guard: always, steps: [...steps, store(always, answer('disputed'))], trace });
    return answer('disputed');
  }
  const providerStatus = await verifyClaim(call, intent, notice.claimed);
  // A decision that may still change is not stored: the same callback is checked again.
  const isInterim = (decision: Decision) =>
    decision === 'pending' || (intent.status !== 'Confirmed' && !isBorneOut(notice.claimed, providerStatus));
  const resolution = await resolve(call, intent, providerStatus, {
    trace: [traceVerification(intent, providerStatus, `callback ${notice.eventId}`)],
    // The callback had the aggregator asked, and the answer alone counts.
    proof: proofBy(adapterOf(call, intent)),
    steps: (decision, changed) => (known || isInterim(decision) ? [] : [store(changed, answer(decision))]),
    ...(known && { reused: finding(known, agenciesBySize(intent.splits)) }),
  });
  if (known && resolution) throw refuseReused();
  // The stored decision is the answer: of two at once, only one is stored.
  const after = resolution && (await find());
  if (after && !after.reused) return after;
  return resolution && (after || isInterim(resolution.decision) ? answer(resolution.decision) : undefined);
}

function isBorneOut(claimed: ProviderStatus, providerStatus: ProviderStatus | null): boolean {
  return claimed.status !== 'SUCCESSFUL' || providerStatus?.status === 'SUCCESSFUL';
}

/** State of the collection. A claim of payment that is not borne out is asked about from now on. */
async function verifyClaim(call: Call, intent: PaymentIntent, claimed: ProviderStatus): Promise<ProviderStatus> {
  let providerStatus: ProviderStatus | null = null;
  try {
    providerStatus = await askAbout(call, intent, claimed);
    return providerStatus;
  } finally {
    if (!isBorneOut(claimed, providerStatus)) await call.db.rows(pursueClaims([intent.name], call.now()));
  }
}

/** Nothing is believed before the aggregator itself was asked, unless it is made up. */
async function askAbout(call: Call, intent: PaymentIntent, claimed: ProviderStatus): Promise<ProviderStatus> {
  const adapter = adapterOf(call, intent);
  if (call.config.mode === 'live' || !adapter.stub) return adapter.verify(collectionOf(intent));
  // Nobody was ever asked to collect for an intent without a reference.
  return intent.aggregatorReference === null ? { ...claimed, status: 'NOT_FOUND' } : claimed;
}
