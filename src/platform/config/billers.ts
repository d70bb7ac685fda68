import { z } from '../../kernel/zod.ts';
import { connectionName, country, currency } from '../../adapters/http/options.ts';

/** How people pay who have a payment reference. */
export const BILLER_CHANNELS = ['bank', 'agent', 'ussd'] as const;

export type BillerChannel = (typeof BILLER_CHANNELS)[number];

/** A payment point: it takes money for payment references, and tells the rail. The rail asks it nothing. */
export interface BillerOptions {
  readonly name: string;
  /** The country whose agencies it collects for; null: any. */
  readonly country: string | null;
  /** The currencies that it collects; null: any. */
  readonly currencies: readonly string[] | null;
  /** How people pay there; the first where it does not say which. */
  readonly channels: readonly BillerChannel[];
}

export interface Biller extends BillerOptions {
  /** What its messages are signed with; two while one is being replaced. */
  readonly secrets: readonly string[];
}

/** A payment point in `CONNECTIONS`. */
export const billerOptions = z.strictObject({
  name: connectionName.refine((name) => name !== 'cash', 'is the name of another provider'),
  country,
  currencies: z.array(currency).min(1).max(50),
  channels: z.array(z.enum(BILLER_CHANNELS)).min(1).max(BILLER_CHANNELS.length),
});

const MADE_UP: BillerOptions = { name: 'bank', country: null, currencies: null, channels: BILLER_CHANNELS };

/** The payment points of a rail; a sandbox without any has one that is made up. */
export function listBillers(
  connected: readonly BillerOptions[],
  mode: 'sandbox' | 'live',
  secretsOf: (name: string) => readonly string[],
): readonly Biller[] {
  const all = connected.length === 0 && mode === 'sandbox' ? [MADE_UP] : connected;
  return all.map((biller) => ({ ...biller, secrets: secretsOf(biller.name) }));
}

/** Whether a payment point collects for agencies of some countries, in a currency. */
export function servesMoney(
  { country: own, currencies }: BillerOptions,
  { countries, currency: asked }: { readonly countries: readonly string[]; readonly currency: string },
): boolean {
  return (own === null || countries.every((one) => one === own)) && (currencies === null || currencies.includes(asked));
}
