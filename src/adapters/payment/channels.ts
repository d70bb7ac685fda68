import { cashChannel } from './cash.ts';
import type { PaymentChannels } from './port.ts';
import { stubChannel } from './stub.ts';

/** The channels of a mode. In live mode a channel without a live protocol is not open. */
export function channelsFor(mode: 'sandbox' | 'live'): PaymentChannels {
  if (mode === 'live') return { cash: cashChannel };
  return {
    mtn_momo: stubChannel('mtn_momo'),
    airtel_money: stubChannel('airtel_money'),
    card: stubChannel('card'),
    cash: stubChannel('cash'),
  };
}
