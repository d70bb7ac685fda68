import { type AirtelMoneyOptions, airtelMoney } from './airtel-money.ts';
import { cashChannel } from './cash.ts';
import { type FlutterwaveOptions, flutterwave } from './flutterwave.ts';
import { type MtnMomoOptions, mtnMomo } from './mtn-momo.ts';
import type { PaymentChannel, PaymentChannels } from './port.ts';
import { stubChannel } from './stub.ts';

/** The channels that are connected to a real aggregator. */
export interface ConnectedChannels {
  readonly mtn_momo?: MtnMomoOptions | undefined;
  readonly airtel_money?: AirtelMoneyOptions | undefined;
  readonly card?: FlutterwaveOptions | undefined;
}

interface Setting {
  readonly mode: 'sandbox' | 'live';
  readonly connected: ConnectedChannels;
  /** Secrets of callbacks, by aggregator. */
  readonly callbackSecrets: Readonly<Record<string, readonly string[]>>;
  readonly origin: () => string;
  readonly now: () => Date;
}

/** The channels of a rail: those that are connected speak their protocol; the others are made up in sandbox mode, and closed in live mode. */
export function channelsFor({ mode, connected, callbackSecrets, origin, now }: Setting): PaymentChannels {
  const settings = (aggregator: string) => ({ secrets: callbackSecrets[aggregator] ?? [], origin });
  const { mtn_momo: mtn, airtel_money: airtel, card } = connected;
  const open: Partial<Record<keyof PaymentChannels, PaymentChannel>> = {
    ...(mtn && { mtn_momo: mtnMomo(mtn, settings('mtn_momo')) }),
    ...(airtel && { airtel_money: airtelMoney(airtel, settings('airtel_money')) }),
    ...(card && { card: flutterwave(card, settings('card')) }),
  };
  if (mode === 'live') return { ...open, cash: cashChannel };
  const made = (['mtn_momo', 'airtel_money', 'card', 'cash'] as const).map((channel) => [channel, stubChannel(channel, now)] as const);
  return { ...Object.fromEntries(made), ...open };
}
