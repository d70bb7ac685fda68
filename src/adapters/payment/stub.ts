import { AdapterFailure } from '../failure.ts';
import {
  type Collection,
  type PaymentAdapter,
  type ProviderStatus,
  type RefundOrder,
  type RefundStatus,
  onlyNext,
} from './port.ts';

/**
 * Time for which a collection whose answer was lost stays pending, so that it can be initiated again by hand; then it
 * is found complete.
 */
const LOST_FOR_MS = 60_000;

interface StubSettings {
  /** Provider that it stands in for. */
  readonly name: string;
  readonly needsPayer: boolean;
  readonly enquirable: boolean;
  readonly now: () => Date;
}

/**
 * An aggregator without a network: same input, same answer. The last digits of the payer's number choose how a
 * collection goes: `000` stays pending, `001` fails, `002` is accepted but the answer to the first try is lost, `003`
 * completes with another amount; all else completes. Of refunds, `004` stays pending, `005` fails, and of `006` the first
 * answer is lost; all else is paid at once.
 */
export function openStub({ name, needsPayer, enquirable, now }: StubSettings): PaymentAdapter {
  const reference = (intent: string) => `STUB-${name.toUpperCase()}-${intent}`;
  return {
    stub: true,
    available: true,
    enquirable,
    needsPayer,
    reference,
    async initiate(order) {
      if (endingOf(order) === '002' && !order.repeated) {
        throw new AdapterFailure(
          name,
          'timeout',
          `${name} did not answer in time; it may have accepted the collection`,
        );
      }
      const accepted = reference(order.intent);
      return {
        reference: accepted,
        // There is no page to go to.
        nextAction: onlyNext(needsPayer ? 'push' : 'none'),
        request: null,
        response: { status: 'ACCEPTED', reference: accepted, stub: true },
      };
    },
    async refund(order) {
      if (endingOf(order.collection) === '006')
        throw new AdapterFailure(name, 'timeout', `${name} did not answer in time; it may have made the refund`);
      return refundStatusOf(order);
    },
    verifyRefund: async (order) => refundStatusOf(order),
    async verify(collection) {
      const providerStatus = providerStatusOf(collection, now());
      return {
        ...providerStatus,
        response: {
          status: providerStatus.status,
          reference: collection.reference,
          txn_id: providerStatus.txnId,
          reason: providerStatus.reason,
          stub: true,
        },
      };
    },
  };
}

function refundStatusOf({ refund, collection, reference }: RefundOrder): RefundStatus {
  const ending = endingOf(collection);
  const status = ending === '004' ? 'PENDING' : ending === '005' ? 'FAILED' : 'SUCCESSFUL';
  const reason = status === 'FAILED' ? 'PAYEE_CLOSED' : null;
  const txnId = status === 'SUCCESSFUL' ? `TXN-${refund}` : null;
  return { status, txnId, reason, response: { status, reference, txn_id: txnId, reason, stub: true } };
}

function endingOf({ payerMsisdn }: Collection): string {
  return payerMsisdn?.slice(-3) ?? '';
}

function providerStatusOf(collection: Collection, now: Date): Omit<ProviderStatus, 'response'> {
  const open = { txnId: null, amount: null, currency: null, settledAt: null, reason: null };
  if (!collection.reference) return { ...open, status: 'NOT_FOUND' };
  const lost =
    endingOf(collection) === '002' &&
    !collection.accepted &&
    now.getTime() < collection.askedAt.getTime() + LOST_FOR_MS;
  if (endingOf(collection) === '000' || lost) return { ...open, status: 'PENDING' };
  if (endingOf(collection) === '001') return { ...open, status: 'FAILED', reason: 'PAYER_DECLINED' };
  return {
    status: 'SUCCESSFUL',
    txnId: `TXN-${collection.intent}`,
    amount: endingOf(collection) === '003' ? collection.amount.plus(1) : collection.amount,
    currency: collection.currency,
    settledAt: collection.createdAt,
    reason: null,
  };
}
