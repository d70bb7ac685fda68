import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { violatedUniqueOf } from '../database/errors.ts';
import { type Step, step } from './step.ts';
import { type Purging, purgeRows } from './purge.ts';
import { type Database, sql } from '../database/sql.ts';
import { Refusal, refuseValue, rootOf } from '../../kernel/refusal.ts';

/**
 * Version of a row's form: its owner (a viewer's credential, or `namePrincipal`), its request (a keyed hash of
 * `fingerprintOf`), and its answer: since 2, packed before it is sealed. A change takes the next number, and has `find`
 * know the rows of the one before: processes of both versions run at the same time during an upgrade, and each has to
 * find the other's answers.
 */
const VERSION = 2;

/** Hours for which an answer is kept for repetitions. */
const KEPT_HOURS = 24;
/**
 * A row with an effect and no answer is a request between its commit and its answer, which takes milliseconds; after
 * this long its process must have died there, and the repetition is answered from the state of what was changed.
 */
const ABANDONED_AFTER_MS = 10_000;

/** A request that its caller may send again: what the statement that changes something books with the change. */
export interface Once {
  readonly principal: string;
  readonly key: string;
  /** Keyed hash of the request, since its body may hold a password. */
  readonly fingerprint: string;
  /** Hashes that the same request may be stored under, while a key is being replaced. */
  readonly fingerprints: readonly string[];
  readonly requestId: string;
  /** The docname that an earlier try changed before its process died; null on a first try. */
  readonly changed: string | null;
}

export interface StoredAnswer {
  readonly httpStatus: number;
  readonly body: string;
}

interface Row {
  readonly version: number;
  readonly fingerprint: string;
  readonly requestId: string;
  readonly subject: string | null;
  readonly httpStatus: number | null;
  /** Sealed: an answer can carry a key that was just issued. */
  readonly body: Buffer | null;
  readonly createdAt: Date;
}

/** The part of a call that is needed here. */
interface Caller {
  readonly db: Database;
  readonly vault: {
    hash(purpose: 'once', text: string): Buffer;
    hashes(purpose: 'request', text: string): Buffer[];
    seal(purpose: 'packed_answer', owner: string, packed: Buffer): Buffer;
    openBytes(purpose: 'answer' | 'packed_answer', owner: string, sealed: Uint8Array): Buffer | null;
  };
  readonly requestId: string;
  now(): Date;
}

/** True if a change was undone because another request under the same key had made one, by the key's constraint. */
export function isLostKey(error: unknown): boolean {
  return violatedUniqueOf(rootOf(error)) === 'idempotency_pkey';
}

/** Identity of a request; stored as a keyed hash of it alone. */
export function fingerprintOf(method: string, path: string, body: Buffer): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex');
}

/** Principal of a request without a credential: the address or account that its body names. */
export function namePrincipal(vault: Pick<Caller['vault'], 'hash'>, named: string): string {
  return `named:${vault.hash('once', named.trim().toLowerCase()).toString('base64url')}`;
}

/** Refuses an `Idempotency-Key` that is none. */
export function requireKey(key: string): void {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw refuseValue('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
}

/** Opens a request that carries an `Idempotency-Key`: answers what is stored for it, or lets it run. */
export async function beginOnce(
  caller: Caller,
  { principal, key, fingerprint }: { principal: string; key: string; fingerprint: string },
): Promise<{ stored: StoredAnswer } | { once: Once }> {
  const { vault, requestId } = caller;
  requireKey(key);
  const fingerprints = vault.hashes('request', fingerprint).map((hash) => hash.toString('hex'));
  const once = {
    principal,
    key,
    fingerprint: fingerprints[0]!,
    fingerprints,
    requestId,
    changed: null,
  };
  const row = await find(caller, once);
  if (!row) return { once };
  const stored = replay(caller, row, once);
  if (stored) return { stored };
  if (caller.now().getTime() - row.createdAt.getTime() < ABANDONED_AFTER_MS) throw refuseInProgress();
  return { once: { ...once, requestId: row.requestId, changed: row.subject } };
}

/**
 * Records a change under the `Idempotency-Key` of its request, for each row of a step. It runs into the primary key
 * where another request under the same key was faster, which undoes the whole statement.
 */
export function recordKey(
  { once, now }: { readonly once: Once | null; now(): Date },
  changed: Step,
  subject: string | null,
): Step[] {
  if (!once || subject === null) return [];
  return [
    step('keyed')`
    insert into idempotency (principal, key, version, fingerprint, request_id, subject, created_at)
    select ${once.principal}, ${once.key}, ${VERSION}, ${once.fingerprint}, ${once.requestId}, ${subject}, ${now()}
    from ${changed}`,
  ];
}

/**
 * Keeps the answer of a request for its repetitions, and answers what is to be sent: this answer, or the one of a
 * request under the same key that was faster.
 */
export async function keepAnswer(caller: Caller, once: Once, answer: StoredAnswer): Promise<StoredAnswer> {
  // Answers repeat names and moments, and this is half of what a request under a key writes.
  const body = caller.vault.seal('packed_answer', ownerOf(once), deflateRawSync(answer.body));
  const kept = await caller.db.row(sql`
    insert into idempotency as i (principal, key, version, fingerprint, request_id, http_status, body, created_at)
    values (${once.principal}, ${once.key}, ${VERSION}, ${once.fingerprint}, ${once.requestId}, ${answer.httpStatus},
      ${body}, ${caller.now()})
    on conflict (principal, key) do update
      set version = excluded.version, http_status = excluded.http_status, body = excluded.body
      where i.request_id = excluded.request_id and i.body is null
    returning 1`);
  return kept ? answer : getMeanwhile(caller, once);
}

/** The answer of the request that took the key while this one ran. */
export async function getMeanwhile(caller: Caller, once: Once): Promise<StoredAnswer> {
  const row = await find(caller, once);
  const stored = row && replay(caller, row, once);
  if (!stored) throw refuseInProgress();
  return stored;
}

/** Answer instead of a conflict: that of a faster request under the same key. Null if there was none. */
export async function findMeanwhile(caller: Caller, once: Once): Promise<StoredAnswer | null> {
  const row = await find(caller, once);
  return row && getMeanwhile(caller, once);
}

/** True if an answer is the outcome of an operation that ran, which a repetition gets again. */
export function isOutcome(httpStatus: number): boolean {
  return httpStatus < 300 || httpStatus === 404 || httpStatus === 422;
}

/** Forgets the answers that no repetition can ask for any more; how many they were. */
export async function purgeAnswers(purging: Purging): Promise<number> {
  return purgeRows(purging, 'idempotency', sql`created_at <= ${expiryOf(purging.now())}`);
}

async function find({ db, now }: Caller, { principal, key }: Once): Promise<Row | null> {
  const row = await db.row<Row>(sql`
    select version, fingerprint, request_id as "requestId", subject, http_status as "httpStatus", body, created_at as "createdAt"
    from idempotency where key = ${key} and principal = ${principal}`);
  const expiry = expiryOf(now());
  if (!row || row.createdAt > expiry) return row;
  await db.rows(
    sql`delete from idempotency where principal = ${principal} and key = ${key} and created_at <= ${expiry}`,
  );
  return null;
}

function replay({ vault }: Caller, row: Row, once: Once): StoredAnswer | null {
  if (!once.fingerprints.includes(row.fingerprint))
    throw new Refusal('idempotency_mismatch', 'This Idempotency-Key was already used for a different request');
  if (row.httpStatus === null || row.body === null) return null;
  const isPacked = row.version > 1;
  const body = vault.openBytes(isPacked ? 'packed_answer' : 'answer', ownerOf(once), row.body);
  if (body === null) throw new Error('A stored answer was sealed under a key that this rail does not have');
  return { httpStatus: row.httpStatus, body: (isPacked ? inflateRawSync(body) : body).toString() };
}

/** Principal and key that a sealed answer is bound to. */
function ownerOf({ principal, key }: Pick<Once, 'principal' | 'key'>): string {
  return `${principal}\n${key}`;
}

/** Refuses a request that is to be sent again once the first one under its key was answered. */
export function refuseInProgress(): Refusal {
  return new Refusal(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still in progress; try again shortly',
  );
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() - KEPT_HOURS * 3_600_000);
}
