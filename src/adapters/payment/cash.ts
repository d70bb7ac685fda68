import { type PaymentAdapter, onlyNext } from './port.ts';

/** Cash over the counter: the clerk who confirms has it in hand, so there is nobody to ask. */
export const cashAdapter: PaymentAdapter = {
  stub: false,
  available: true,
  enquirable: false,
  needsPayer: false,
  reference: (intent) => `CASH-${intent}`,
  async initiate({ intent }) {
    return {
      reference: `CASH-${intent}`,
      nextAction: onlyNext('none'),
      request: null,
      response: { status: 'ACCEPTED' },
    };
  },
  async verify({ intent, reference, amount, currency, createdAt }) {
    const known = reference !== null;
    return {
      status: known ? 'SUCCESSFUL' : 'NOT_FOUND',
      txnId: known ? `CASH-${intent}` : null,
      amount: known ? amount : null,
      currency: known ? currency : null,
      settledAt: known ? createdAt : null,
      reason: null,
      response: { counted_by: 'clerk' },
    };
  },
};
