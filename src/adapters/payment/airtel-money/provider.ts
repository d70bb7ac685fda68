import type { PaymentProvider } from '../provider.ts';
import { options } from './options.ts';

/** Airtel Money, by its Collection API. */
export const airtelMoney: PaymentProvider<typeof options> = {
  name: 'airtel_money',
  channel: 'airtel_money',
  markets: {
    CD: ['CDF', 'USD'],
    CG: ['XAF'],
    GA: ['XAF'],
    KE: ['KES'],
    MG: ['MGA'],
    MW: ['MWK'],
    NE: ['XOF'],
    NG: ['NGN'],
    RW: ['RWF'],
    SC: ['SCR'],
    TD: ['XAF'],
    TZ: ['TZS'],
    UG: ['UGX'],
    ZM: ['ZMW'],
  },
  settles: { afterDays: 1, netOfFees: false },
  options,
  // Its hash is a member of the body.
  callbackHeaders: [],
  statement: {
    delimiter: ',',
    columns: {
      reference: 'Reference Id',
      amount: 'Transaction Amount',
      currency: 'Currency',
      status: 'Transaction Status',
      txnId: 'Transaction Id',
      settledAt: 'Transaction Date and Time',
    },
    paid: ['ts', 'success', 'transaction success'],
  },
  // It gives back a whole payment, once.
  refunds: { partial: false, several: false, withinDays: null, from: 'collector' },
  stub: { needsPayer: true },
  open: async (...given) => (await import('./adapter.ts')).openAirtelMoney(...given),
};
