import { createHash, randomBytes } from 'node:crypto';
import { networkOf } from '../../../kernel/network.ts';
import { type Database, sql } from '../../database/sql.ts';
import { type Viewer, viewPayer } from '../viewer.ts';

/** Prefix that tells it from other credentials, so that scanners recognise a leaked one. */
const PREFIX = 'pay_';
const BYTES = 32;
const SHAPE = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`);

/** The secret that a new payment link ends with: 256 bits. */
export function mintLinkToken(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/** Stored hash of a token. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** True if a text sent as a key has the form of a payment link's token. */
export function isLinkToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Counters of misses, against those who guess. */
export interface Guessing {
  readonly db: Database;
  readonly limits: { countMiss(who: string): Promise<void> };
}

/** Finds the payer of a payment link, open or not; null if there is none. An address that guesses is stopped. */
export async function findPayer({ db, limits }: Guessing, token: string, address: string): Promise<Viewer | null> {
  const found = SHAPE.test(token)
    ? await db.row<{ link: string }>(sql`
        select name as link from payment_link where token_hash = ${hashLinkToken(token)}`)
    : null;
  if (found) return viewPayer({ ...found, token });
  await limits.countMiss(networkOf(address));
  return null;
}
