import { type Connections, wordOf } from './connections.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';

/** For whom a connection speaks. */
export type Voice =
  | { readonly of: 'agency'; readonly code: string }
  /** All agencies of a kind in a country that have no connection of their own. */
  | { readonly of: 'kind'; readonly kind: string; readonly country: string; readonly except: readonly string[] }
  /** Agencies whose payments it gave fiscal numbers; null: all agencies of its country. */
  | { readonly of: 'fiscal partner'; readonly country: string; readonly agencies: readonly string[] | null };

/** Somebody who tells the rail of what happened on their side. */
export interface Pusher {
  /** Its name in addresses and, in capital letters, in the names of environment variables. */
  readonly name: string;
  readonly voice: Voice;
  /** Secrets that may sign its pushes; two while one is being replaced, and none if it cannot sign. */
  readonly secrets: readonly string[];
}

/** Those who may send callbacks, besides payment providers. */
export function listPushers(
  { agencies, fiscalPartners }: Pick<Connections, 'agencies' | 'fiscalPartners'>,
  secretsOf: (name: string) => readonly string[],
): readonly Pusher[] {
  const except = Object.keys(agencies).filter((key) => AGENCY_CODE.test(key));
  const voices: [string, Voice][] = [
    ...Object.entries(agencies).map(([key, { country }]): [string, Voice] => [
      wordOf(key),
      AGENCY_CODE.test(key) ? { of: 'agency', code: key } : { of: 'kind', kind: key, country, except },
    ]),
    ...Object.entries(fiscalPartners).map(([key, partner]): [string, Voice] => [
      key,
      { of: 'fiscal partner', ...partner },
    ]),
  ];
  return voices.map(([name, voice]) => ({ name, voice, secrets: secretsOf(name) }));
}
