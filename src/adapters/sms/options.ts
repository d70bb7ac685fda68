import { callingCodeOf } from '../../kernel/text/phone.ts';
import { z } from '../../kernel/zod.ts';
import { address, connectionName, country, describePeer, peerOf, word } from '../http/options.ts';
import type { PeerOptions } from '../http/peer.ts';

/** A connection to a gateway of text messages. */
export interface SmsConnection {
  readonly name: string;
  /** To whose phones it takes texts. */
  readonly countries: readonly string[];
  readonly peer: PeerOptions;
  readonly username: string;
  readonly apiKey: string;
  /** Sender of texts: a word, or a number that people can answer to; null: as the gateway has it. */
  readonly sender: string | null;
}

/** A gateway of text messages in `CONNECTIONS`. */
export function describeGateway(folder: string) {
  return z
    .strictObject({
      ...describePeer(folder),
      name: connectionName,
      gateway: z.literal('africas_talking'),
      url: address.default('https://api.africastalking.com'),
      countries: z
        .array(country.refine((code) => callingCodeOf(code) !== null, 'must be a country with phone numbers'))
        .min(1)
        .max(60),
      username: word,
      api_key: word,
      sender: z
        .string()
        .regex(/^[A-Za-z0-9._-]{1,20}$/, 'must be a registered sender ID or short code')
        .optional(),
    })
    .transform(({ name, countries, username, api_key: apiKey, sender, ...peer }): SmsConnection => ({
      name,
      countries,
      peer: peerOf(peer),
      username,
      apiKey,
      sender: sender ?? null,
    }));
}
