import type { ProviderStatus } from '../../../adapters/payment/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { IntentStatus } from '../../../generated/prisma/enums.ts';
import { type PaymentIntent, collectionOf, getIntent } from '../find.ts';

/** Answer of an aggregator or a payment point about an intent; `UNKNOWN`: there is nobody to ask. */
export type LiveState = Omit<ProviderStatus, 'status'> & { readonly status: ProviderStatus['status'] | 'UNKNOWN' };

export interface LiveStatus {
  readonly queriedAt: Date;
  readonly intent: PaymentIntent;
  readonly live: LiveState;
  readonly stub: boolean;
  /** Null where nobody was asked. */
  readonly match: boolean | null;
}

/** Expected answer of the aggregator for each stored status of an intent. */
const EXPECTED: Readonly<Record<IntentStatus, readonly LiveState['status'][]>> = {
  Pending: ['NOT_FOUND'],
  Sent: ['PENDING'],
  Confirmed: ['SUCCESSFUL'],
  Failed: ['FAILED'],
  Expired: ['FAILED', 'PENDING', 'NOT_FOUND'],
};

const NOTHING = { txnId: null, amount: null, currency: null, settledAt: null, reason: null, response: {} } as const;

/** Asks the aggregator or payment point for the status of an intent, next to the stored one. Changes nothing. */
export async function readLiveStatus(call: Call, name: string): Promise<LiveStatus> {
  const intent = await getIntent(call, name);
  const adapter = call.rail.aggregators.get(intent.aggregator)?.adapter;
  const live = adapter ? await adapter.verify(collectionOf(intent)) : await askPaymentPoint(call, intent);
  const sameMoney =
    live.status !== 'SUCCESSFUL' || (live.amount?.equals(intent.amount) === true && live.currency === intent.currency);
  return {
    queriedAt: call.now(),
    intent,
    live,
    stub: adapter?.stub ?? false,
    match: live.status === 'UNKNOWN' ? null : EXPECTED[intent.status].includes(live.status) && sameMoney,
  };
}

/** Asks a payment point about a payment that it reported, by its transaction and when it was paid. */
async function askPaymentPoint(
  { db, rail, now }: Call,
  { name, assessment, aggregator, aggregatorReference: txnId }: PaymentIntent,
): Promise<LiveState> {
  const enquirer = rail.enquirers.get(aggregator);
  const reported = await db.row<{ paidAt: Date }>(sql`
    select (detail->>'settled_at')::timestamptz as "paidAt" from trace_row
    where assessment = ${assessment} and intent = ${name} and kind = 'adapter.verify'`);
  if (!enquirer || !reported || txnId === null || !enquirer.has(reported.paidAt, now()))
    return { ...NOTHING, status: 'UNKNOWN' };
  const found = await enquirer.find({ txnId, ...reported });
  if (!found) return { ...NOTHING, status: 'NOT_FOUND' };
  const { reference, amount, currency, paidAt: settledAt } = found;
  const response = { txn_id: txnId, reference, amount: amount.toNumber(), currency, paid_at: settledAt.toISOString() };
  return { ...NOTHING, status: 'SUCCESSFUL', txnId, amount, currency, settledAt, response };
}
