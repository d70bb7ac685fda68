import type { IncomingHttpHeaders } from 'node:http';
import type { IntegratorStatus, KeyStatus } from '../generated/prisma/enums.ts';
import { type Database, sql } from '../database/sql.ts';
import { Refusal } from '../refusal.ts';
import { hashKey, isKey } from './keys.ts';
import { type Viewer, anonymous } from './viewer.ts';

interface KeyRow {
  readonly name: string;
  readonly integrator: string;
  readonly scopes: string[];
  readonly status: KeyStatus;
  readonly expiresAt: Date | null;
  readonly integratorStatus: IntegratorStatus;
}

/**
 * Finds who calls from the headers. No credential makes an anonymous viewer; one that does not hold is a 401 wherever it is
 * presented. The key is looked up each time, so that a revocation holds from the very next request on every process.
 */
export async function authenticate(db: Database, headers: IncomingHttpHeaders, now: Date): Promise<Viewer> {
  const token = bearerToken(headers);
  if (token === null) return anonymous;
  const row = isKey(token) ? await findKey(db, token) : null;
  if (!row || !isLive(row, now)) throw new Refusal('unauthenticated', 'The key is unknown, revoked or expired');
  return { kind: 'key', actor: row.integrator, integrator: row.integrator, key: row.name, scopes: new Set(row.scopes) };
}

function bearerToken(headers: IncomingHttpHeaders): string | null {
  const given = [headers.authorization, headers['x-service-authorization']].flat().filter((value) => value !== undefined);
  const tokens = new Set(given.map((value) => /^Bearer +(\S+) *$/i.exec(value)?.[1] ?? ''));
  if (tokens.size > 1) throw new Refusal('unauthenticated', 'Authorization and X-Service-Authorization carry different credentials');
  for (const token of tokens) return token;
  return null;
}

function findKey(db: Database, token: string): Promise<KeyRow | null> {
  return db.row<KeyRow>(sql`
    select k.name, k.integrator, k.scopes, k.status, k.expires_at as "expiresAt", i.status as "integratorStatus"
    from api_key k join integrator i on i.code = k.integrator where k.hash = ${hashKey(token)}`);
}

function isLive(key: KeyRow, now: Date): boolean {
  if (key.integratorStatus !== 'Active' || key.status === 'revoked') return false;
  return key.expiresAt === null || key.expiresAt > now;
}
