import type { PaymentProvider } from '../provider.ts';
import { HASH, SIGNATURE, options } from './options.ts';

/**
 * Cards, by an aggregator with Flutterwave's protocol. It goes by the name of its channel, as the first aggregator of
 * cards.
 */
export const flutterwave: PaymentProvider<typeof options> = {
  name: 'card',
  channel: 'card',
  markets: {
    CM: ['XAF', 'USD'],
    CI: ['XOF', 'USD'],
    EG: ['EGP', 'USD'],
    GH: ['GHS', 'USD'],
    KE: ['KES', 'USD'],
    MW: ['MWK', 'USD'],
    NG: ['NGN', 'USD'],
    RW: ['RWF', 'USD'],
    SN: ['XOF', 'USD'],
    TZ: ['TZS', 'USD'],
    UG: ['UGX', 'USD'],
    ZA: ['ZAR', 'USD'],
    ZM: ['ZMW', 'USD'],
  },
  settles: { afterDays: 1, netOfFees: true },
  options,
  callbackHeaders: [
    { name: HASH, description: `\`${HASH}\` of a card callback (version 3): the webhook secret itself.` },
    {
      name: SIGNATURE,
      description: `\`${SIGNATURE}\` of a card callback (version 4): HMAC-SHA256 (base64) of the body.`,
    },
  ],
  statement: {
    delimiter: ',',
    columns: {
      reference: 'tx_ref',
      amount: 'amount',
      currency: 'currency',
      status: 'status',
      txnId: 'flw_ref',
      settledAt: 'created_at',
    },
    paid: ['successful', 'succeeded'],
  },
  // Its list of refunds does not name ours, so that only one of a payment is recognised.
  refunds: { partial: true, several: false, withinDays: 180, from: 'collector' },
  stub: { needsPayer: false },
  open: async (...given) => (await import('./adapter.ts')).openFlutterwave(...given),
};
