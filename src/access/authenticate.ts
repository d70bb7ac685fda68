import type { IncomingHttpHeaders } from 'node:http';
import type { IntegratorStatus, KeyStatus } from '../generated/prisma/enums.ts';
import { type Database, sql } from '../database/sql.ts';
import { Refusal } from '../refusal.ts';
import { COOKIES, cookieOf } from './cookies.ts';
import { hashKey, isKey } from './keys.ts';
import { hashSessionToken, isSessionToken } from './session-token.ts';
import { type Viewer, anonymous } from './viewer.ts';

interface KeyRow {
  readonly name: string;
  readonly integrator: string;
  readonly scopes: string[];
  readonly status: KeyStatus;
  readonly expiresAt: Date | null;
  readonly integratorStatus: IntegratorStatus;
}

interface SessionRow {
  readonly id: string;
  readonly integrator: string;
}

/**
 * Finds who calls from a request's headers. No credential makes an anonymous viewer. A key that does not hold is a 401 wherever it
 * is presented; a session that does not hold is none, since browsers send it unasked. Both are looked up each time, so that a
 * revocation, a suspension or a logout holds from the very next request on every process.
 */
export async function authenticate(db: Database, headers: IncomingHttpHeaders, cookiesCount: boolean, now: Date): Promise<Viewer> {
  const token = bearerToken(headers);
  if (token !== null) return byKey(db, token, now);
  const cookie = cookiesCount ? cookieOf(headers, COOKIES.integrator) : null;
  return cookie === null ? anonymous : bySession(db, cookie, now);
}

async function byKey(db: Database, token: string, now: Date): Promise<Viewer> {
  const row = isKey(token) ? await findKey(db, token) : null;
  if (!row || !isLive(row, now)) throw new Refusal('unauthenticated', 'The key is unknown, revoked or expired');
  return { kind: 'key', actor: row.integrator, integrator: row.integrator, key: row.name, session: null, scopes: new Set(row.scopes) };
}

async function bySession(db: Database, token: string, now: Date): Promise<Viewer> {
  if (!isSessionToken(token)) return anonymous;
  const row = await db.row<SessionRow>(sql`
    select s.id, s.integrator from session s join integrator i on i.code = s.integrator
    where s.hash = ${hashSessionToken(token)} and s.ended_at is null and s.expires_at > ${now} and i.status = 'Active'`);
  if (!row) return anonymous;
  return { kind: 'session', actor: row.integrator, integrator: row.integrator, key: null, session: row.id, scopes: new Set() };
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
