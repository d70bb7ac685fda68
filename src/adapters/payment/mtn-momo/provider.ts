import type { PaymentProvider } from '../provider.ts';
import { options } from './options.ts';

/** MTN Mobile Money, by the Collections product of its Open API. */
export const mtnMomo: PaymentProvider<typeof options> = {
  name: 'mtn_momo',
  channel: 'mtn_momo',
  markets: {
    BJ: ['XOF'],
    CG: ['XAF'],
    CI: ['XOF'],
    CM: ['XAF'],
    GH: ['GHS'],
    GN: ['GNF'],
    LR: ['LRD', 'USD'],
    RW: ['RWF'],
    SZ: ['SZL'],
    UG: ['UGX'],
    ZA: ['ZAR'],
    ZM: ['ZMW'],
  },
  settles: { afterDays: 1, netOfFees: false },
  options,
  // The address that it is given carries the proof.
  callbackHeaders: [],
  statement: {
    delimiter: ',',
    columns: {
      reference: 'External Transaction Id',
      amount: 'Amount',
      currency: 'Currency',
      status: 'Status',
      txnId: 'Id',
      settledAt: 'Date',
    },
    paid: ['successful'],
  },
  // By its Disbursements product, which a connection may lack.
  refunds: { partial: true, several: true, withinDays: null, from: 'collector' },
  stub: { needsPayer: true },
  open: async (...given) => (await import('./adapter.ts')).openMtnMomo(...given),
};
