import { airtelMoney } from './airtel-money/provider.ts';
import { flutterwave } from './flutterwave/provider.ts';
import { mtnMomo } from './mtn-momo/provider.ts';
import type { PaymentProvider } from './provider.ts';

/** The payment providers that the rail ships with. A further one is a folder next to these, and a line here. */
export const PROVIDERS: readonly PaymentProvider[] = [mtnMomo, airtelMoney, flutterwave];
