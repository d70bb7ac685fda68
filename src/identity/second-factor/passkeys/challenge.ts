import { createHash } from 'node:crypto';
import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { type Purging, purgeRows } from '../../../platform/change/purge.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Lifetime of a challenge: as long as a login waits for its second step. */
const MINUTES = 5;

/** Use of a passkey: to be enrolled, or to prove that its owner is there. */
type Use = 'enrol' | 'prove';

const ownerOf = (use: Use, staff: string) => `${use}\n${staff}`;

/**
 * A new challenge. It is sealed for one use by one person, and until a moment, so that nothing has to be kept of it until
 * it is answered.
 */
export function makeChallenge({ vault, now }: Call, use: Use, staff: string): Uint8Array<ArrayBuffer> {
  const until = now().getTime() + MINUTES * 60_000;
  return new Uint8Array(vault.seal('passkey', ownerOf(use, staff), String(until)));
}

/** True if a challenge, in Base64url, was made for this, and still counts. */
export function isChallenge({ vault, now }: Call, use: Use, staff: string, challenge: string): boolean {
  const until = vault.open('passkey', ownerOf(use, staff), Buffer.from(challenge, 'base64url'));
  return until !== null && Number(until) > now().getTime();
}

/** The step that uses a challenge up: it yields a row the first time, and never again. */
export function useChallenge({ now }: Call, challenge: string): Step {
  // By its bytes: text in Base64url has more than one spelling.
  const hash = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest();
  return step('answered')`
    insert into passkey_challenge (hash, expires_at) values (${hash}, ${new Date(now().getTime() + MINUTES * 60_000)})
    -- The second use of a challenge is refused.
    on conflict do nothing returning hash`;
}

/** Forgets challenges that have lapsed; how many. */
export async function purgeChallenges(purging: Purging): Promise<number> {
  return purgeRows(purging, 'passkey_challenge', sql`expires_at < ${purging.now()}`);
}
