import type { ProviderStatus } from '../../../adapters/payment/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { IntentStatus } from '../../../generated/prisma/enums.ts';
import { adapterOf } from '../aggregator.ts';
import { type PaymentIntent, collectionOf, getIntent } from '../find.ts';

export interface LiveStatus {
  readonly queriedAt: Date;
  readonly intent: PaymentIntent;
  readonly live: ProviderStatus;
  readonly stub: boolean;
  readonly match: boolean;
}

/** What the aggregator should say of an intent that stands as it is stored. */
const EXPECTED: Readonly<Record<IntentStatus, readonly ProviderStatus['status'][]>> = {
  Pending: ['NOT_FOUND'],
  Sent: ['PENDING'],
  Confirmed: ['SUCCESSFUL'],
  Failed: ['FAILED'],
  Expired: ['FAILED', 'PENDING', 'NOT_FOUND'],
};

/** Asks the aggregator for the status of an intent, next to the stored one. Changes nothing. */
export async function readLiveStatus(call: Call, name: string): Promise<LiveStatus> {
  const intent = await getIntent(call, name);
  const adapter = adapterOf(call, intent);
  const live = await adapter.verify(collectionOf(intent));
  const sameMoney =
    live.status !== 'SUCCESSFUL' || (live.amount?.equals(intent.amount) === true && live.currency === intent.currency);
  return {
    queriedAt: call.now(),
    intent,
    live,
    stub: adapter.stub,
    match: EXPECTED[intent.status].includes(live.status) && sameMoney,
  };
}
