import { AdapterFailure } from '../failure.ts';
import type { Collection, PaymentChannel, Standing } from './port.ts';

/**
 * An aggregator without a network: same input, same answer. The last digits of the payer's number choose how a collection goes:
 * `000` stays pending, `001` fails, `002` is accepted but the answer is lost, `003` completes with another amount; all else completes.
 */
export function stubChannel(aggregator: string): PaymentChannel {
  const reference = (intent: string) => `STUB-${aggregator.toUpperCase()}-${intent}`;
  return {
    aggregator,
    stub: true,
    available: true,
    // Whether cash is in hand, only the clerk knows.
    enquirable: aggregator !== 'cash',
    needsPayer: false,
    reference,
    async initiate(collection) {
      if (ending(collection) === '002') {
        throw new AdapterFailure(aggregator, 'timeout', `${aggregator} did not answer in time; it may have accepted the collection`);
      }
      const accepted = reference(collection.intent);
      return { reference: accepted, request: null, response: { status: 'ACCEPTED', reference: accepted, stub: true } };
    },
    async verify(collection) {
      const standing = standingOf(collection);
      return {
        ...standing,
        response: { status: standing.status, reference: collection.reference, txn_id: standing.txnId, reason: standing.reason, stub: true },
      };
    },
  };
}

function ending({ payerMsisdn }: Collection): string {
  return payerMsisdn?.slice(-3) ?? '';
}

function standingOf(collection: Collection): Omit<Standing, 'response'> {
  const open = { txnId: null, amount: null, currency: null, settledAt: null, reason: null };
  if (!collection.reference) return { ...open, status: 'NOT_FOUND' };
  switch (ending(collection)) {
    case '000':
      return { ...open, status: 'PENDING' };
    case '001':
      return { ...open, status: 'FAILED', reason: 'PAYER_DECLINED' };
    default:
      return {
        status: 'SUCCESSFUL',
        txnId: `TXN-${collection.intent}`,
        amount: ending(collection) === '003' ? collection.amount.plus(1) : collection.amount,
        currency: collection.currency,
        settledAt: collection.createdAt,
        reason: null,
      };
  }
}
