import { AdapterFailure } from '../../../adapters/failure.ts';
import type { PaymentAdapter } from '../../../adapters/payment/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import { noteTrace, retryUntilSettled } from '../../../platform/change/commit.ts';
import { say } from '../../../kernel/text/said.ts';
import { type PaymentIntent, collectionOf, getIntent } from '../find.ts';
import { nextActionOf } from '../payer/next-action.ts';
import { updateFromAggregator } from './enquire.ts';
import { expireWithdrawn } from './expire.ts';

/**
 * Asks how an intent stands that its payer is about to pay in another way. One that a payer began by a link is first
 * withdrawn at its aggregator, where that can be done; unless it was paid, it then expires. That says nothing of the
 * money: what is paid nevertheless is booked as what arrives late is.
 */
export async function withdrawCollection(call: Call, name: string): Promise<void> {
  const intent = await getIntent(call, name);
  const adapter = call.rail.aggregators.get(intent.aggregator)?.adapter;
  // Of what is made up nobody was asked to pay anything.
  if (!adapter?.enquirable || adapter.stub) return;
  const isWithdrawn = intent.link !== null && (await ask(call, intent, adapter));
  const said = await retryUntilSettled(() => updateFromAggregator(call, name));
  if (isWithdrawn && said !== 'unanswered') await expireWithdrawn(call, name);
}

/** True if the aggregator lets nobody pay any more. */
async function ask(call: Call, intent: PaymentIntent, adapter: PaymentAdapter): Promise<boolean> {
  const { name, status, assessment, aggregator } = intent;
  if (!adapter.withdraw || status !== 'Sent') return false;
  const row = { kind: 'adapter.withdraw', assessment, intent: name } as const;
  try {
    const response = await adapter.withdraw({ ...collectionOf(intent), page: nextActionOf(intent)?.url ?? null });
    await noteTrace(call, [{ ...row, summary: say`${aggregator} withdrew the collection`, detail: { response } }]);
    return true;
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    const { kind, message } = error;
    const summary = say`${aggregator} did not withdraw the collection: ${kind}`;
    await noteTrace(call, [{ ...row, summary, detail: { outcome: kind, error: message } }]);
    call.log.warn({ intent: name, adapter: error.adapter, kind }, 'a collection was not withdrawn');
    return false;
  }
}
