import { z } from '../../kernel/zod.ts';
import type { EnquiryOptions } from '../../adapters/billers/enquirer.ts';
import { type Settles, settlesForm } from '../../adapters/payment/statement.ts';
import { address, connectionName, country, currency, describePeer, peerOf, word } from '../../adapters/http/options.ts';

/** Channels of payments by payment reference. */
export const BILLER_CHANNELS = ['bank', 'agent', 'ussd'] as const;

export type BillerChannel = (typeof BILLER_CHANNELS)[number];

/** A payment point: it takes money for payment references, and tells the rail. */
export interface BillerOptions {
  readonly name: string;
  /** The country whose agencies it collects for; null: any. */
  readonly country: string | null;
  /** The currencies that it collects; null: any. */
  readonly currencies: readonly string[] | null;
  /** Channels of the payment point; the first if a message does not say which. */
  readonly channels: readonly BillerChannel[];
  /** Protocol: the rail's own, or M-Pesa's C2B. */
  readonly form: 'rail' | 'mpesa_c2b';
  /** Enquiries about unsigned reports; null: unsigned reports are refused. */
  readonly enquiries: EnquiryOptions | null;
  readonly settles: Settles;
}

/** Terms of payment points that say no others. */
const USUAL: Settles = { afterDays: 1, netOfFees: false };

export interface Biller extends BillerOptions {
  /** Secrets that sign its messages; two while one is being replaced. */
  readonly secrets: readonly string[];
}

/** A payment point in `CONNECTIONS`; the PEM file that it names is relative to a folder. */
export function describeBiller(folder: string) {
  const { url: _, ...patience } = describePeer(folder);
  const place = {
    name: connectionName.refine((name) => name !== 'cash', 'is the name of another provider'),
    country,
    channels: z.array(z.enum(BILLER_CHANNELS)).min(1).max(BILLER_CHANNELS.length),
    ...patience,
    settles: settlesForm.default(USUAL),
  };
  const ownForm = z.strictObject({
    form: z.literal('rail').optional(),
    ...place,
    currencies: z.array(currency).min(1).max(50),
    enquiries: address.optional(),
  });
  const mpesa = z.strictObject({
    form: z.literal('mpesa_c2b'),
    ...place,
    currencies: z.array(z.literal('KES')).length(1),
    url: address,
    short_code: z.string().regex(/^\d{5,7}$/, 'must be a short code of 5 to 7 digits'),
    consumer_key: word,
    consumer_secret: word,
  });
  return z.discriminatedUnion('form', [ownForm, mpesa]).transform((given): BillerOptions => ({
    name: given.name,
    country: given.country,
    currencies: given.currencies,
    channels: given.channels,
    form: given.form ?? 'rail',
    enquiries: enquiriesOf(given),
    settles: given.settles,
  }));

  function enquiriesOf(given: z.output<typeof ownForm> | z.output<typeof mpesa>): EnquiryOptions | null {
    if (given.form === 'mpesa_c2b') {
      const { short_code: shortCode, consumer_key: consumerKey, consumer_secret: consumerSecret } = given;
      return { form: given.form, peer: peerOf(given), shortCode, consumerKey, consumerSecret };
    }
    return given.enquiries === undefined ? null : { form: 'rail', peer: peerOf({ ...given, url: given.enquiries }) };
  }
}

const MADE_UP: BillerOptions = {
  name: 'bank',
  country: null,
  currencies: null,
  channels: BILLER_CHANNELS,
  form: 'rail',
  enquiries: null,
  settles: USUAL,
};

/** The payment points of a rail; a sandbox without any has one that is made up. */
export function listBillers(
  connected: readonly BillerOptions[],
  mode: 'sandbox' | 'live',
  secretsOf: (name: string) => readonly string[],
): readonly Biller[] {
  const all = connected.length === 0 && mode === 'sandbox' ? [MADE_UP] : connected;
  return all.map((biller) => ({ ...biller, secrets: secretsOf(biller.name) }));
}

/** True if a payment point collects for agencies of some countries, in a currency. */
export function servesMoney(
  { country: own, currencies }: BillerOptions,
  { countries, currency: asked }: { readonly countries: readonly string[]; readonly currency: string },
): boolean {
  return (own === null || countries.every((one) => one === own)) && (currencies === null || currencies.includes(asked));
}
