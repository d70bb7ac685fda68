import type { KeyStatus, AgencyStatus } from '../../../generated/prisma/enums.ts';
import { type Database, sql } from '../../database/sql.ts';
import type { PublicSigningKey } from './signing-keys.ts';

/** State of an agency's key: its own, and that of its agency. */
export interface Holding {
  readonly status: KeyStatus;
  readonly expiresAt: Date | null;
  readonly mdaStatus: AgencyStatus;
}

/** The two keys behind a token: that of the rail, which signed it, and that of the agency that asked for it. */
export interface Standing extends Holding {
  readonly publicKey: PublicSigningKey;
  /** Until when tokens of that key hold; null for the key that signs at present. */
  readonly signedUntil: Date | null;
  readonly name: string;
  readonly mda: string;
  readonly scopes: readonly string[];
}

/** Finds the keys that a token claims; null if there are none. */
export function findStanding(
  db: Database,
  { kid, agencyKey }: { kid: string; agencyKey: string },
): Promise<Standing | null> {
  return db.row<Standing>(sql`
    select s.public_key as "publicKey", s.expires_at as "signedUntil", k.name, k.mda, k.scopes, k.status,
      k.expires_at as "expiresAt", m.status as "mdaStatus"
    from signing_key s, agency_key k join mda m on m.name = k.mda where s.kid = ${kid} and s.use = 'token' and k.name = ${agencyKey}`);
}

/** True if both keys hold at a moment. */
export function standsAt({ signedUntil, ...agency }: Standing, now: Date): boolean {
  return (signedUntil === null || signedUntil > now) && holdsAt(agency, now);
}

/** True if a key of an agency holds at a moment, and its agency takes part. */
export function holdsAt({ status, expiresAt, mdaStatus }: Holding, now: Date): boolean {
  if (mdaStatus === 'Inactive' || status === 'revoked' || status === 'waiting') return false;
  return expiresAt === null || expiresAt > now;
}
