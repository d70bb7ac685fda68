import type { JWK } from 'jose';
import { type Committing, commit, retryUntilSettled } from '../../change/commit.ts';
import { guard, statement, step } from '../../change/step.ts';
import { type Database, type Sql, json, sql } from '../../database/sql.ts';
import type { Vault } from '../vault.ts';
import type { SigningKeyUse } from '../../../generated/prisma/enums.ts';
import { DAY_MS } from '../../../kernel/time.ts';

/** The one algorithm that the rail signs with. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** Lifetime of a token. */
export const TOKEN_SECONDS = 900;

/** Purpose of a key's signatures; one key signs for each purpose at present. */
export type Use = SigningKeyUse;

/** Services that keys are kept with. */
export interface Signing {
  readonly db: Database;
  readonly vault: Vault;
  now(): Date;
}

/**
 * End of a former key: for tokens, once the last one that it signed is over, on any process. A key of receipts signs no
 * more from the moment that another one does; its signatures may be later than now, if the clock was set back since.
 */
async function endOf({ db }: Pick<Signing, 'db'>, use: Use, kid: string, at: Date): Promise<Date> {
  if (use === 'token') return new Date(at.getTime() + (TOKEN_SECONDS + 60) * 1_000);
  const last = await db.row<{ at: Date }>(
    sql`select greatest(${at}::timestamptz, max(created_at)) as at from receipt where kid = ${kid}`,
  );
  return last!.at;
}

/** The public part of a key that the rail signs with, as a JSON Web Key (RFC 7517, RFC 8037). */
export interface PublicSigningKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: typeof SIGNING_ALGORITHM;
}

interface KeyDraft {
  readonly kid: string;
  readonly use: Use;
  readonly publicKey: PublicSigningKey;
  readonly sealed: Buffer;
}

/** A key to sign with. */
export interface OpenedSigningKey {
  readonly kid: string;
  readonly privateKey: JWK;
}

interface SealedKey {
  readonly kid: string;
  readonly sealed: Buffer;
}

function findCurrent({ db }: Pick<Signing, 'db'>, use: Use): Promise<SealedKey | null> {
  return db.row<SealedKey>(sql`
    select kid, private_key as sealed from signing_key where use = ${use}::signing_key_use and expires_at is null`);
}

/**
 * Makes the key pair of a use where there is none, or none that can be opened since SECRET_KEY is another. Of processes
 * that start at once, one makes it and all use it. Whether it took the place of another.
 */
export async function ensureSigningKey(rail: Signing, use: Use): Promise<boolean> {
  const { db, vault } = rail;
  const current = await findCurrent(rail, use);
  if (current && vault.open(use, current.kid, current.sealed) !== null) return false;
  const at = rail.now();
  const until = current && (await endOf(rail, use, current.kid, at));
  const closed = step('closed')`
    update signing_key set expires_at = ${until} where kid = ${current?.kid ?? ''} and expires_at is null
    returning kid`;
  const made = sql`
    ${insertKey(await draftKey(vault, use), at)} where ${current === null} or exists (select from ${closed})
    -- Another process made the key.
    on conflict do nothing returning 1`;
  return (await db.row(statement(made))) !== null && current !== null;
}

/** The key that signs at present. */
export async function openSigningKey(rail: Pick<Signing, 'db' | 'vault'>, use: Use): Promise<OpenedSigningKey> {
  const current = await findCurrent(rail, use);
  const text = current && rail.vault.open(use, current.kid, current.sealed);
  if (!text) throw new Error(`The key of use ${use} was sealed under another SECRET_KEY than this process has`);
  return { kid: current.kid, privateKey: JSON.parse(text) as JWK };
}

/** The public keys under which tokens hold that are not over, the one that signs at present first. */
export async function listSigningKeys({ db, now }: Pick<Signing, 'db' | 'now'>): Promise<PublicSigningKey[]> {
  const rows = await db.rows<{ publicKey: PublicSigningKey }>(sql`
    select public_key as "publicKey" from signing_key
    where use = 'token' and (expires_at is null or expires_at > ${now()})
    order by expires_at desc nulls first, kid`);
  return rows.map(({ publicKey }) => publicKey);
}

/** Result of a roll. */
export interface SigningKeyRoll {
  readonly kid: string;
  readonly previous: string;
  readonly previousUntil: Date;
}

/**
 * Signs with a new key from now on. A former one of tokens stays known until these are over; with `atOnce`, as where it
 * may have got out, they end with it.
 */
export async function rollSigningKey(
  call: Committing & Signing,
  use: Use,
  { atOnce = false, reason }: { atOnce?: boolean; reason: string | null },
): Promise<SigningKeyRoll> {
  await ensureSigningKey(call, use);
  const draft = await draftKey(call.vault, use);
  const { kid } = draft;
  return retryUntilSettled(async () => {
    const former = await findCurrent(call, use);
    if (!former) return undefined;
    const at = call.now();
    const until = atOnce ? at : await endOf(call, use, former.kid, at);
    const changed = guard`
      update signing_key set expires_at = ${until} where kid = ${former.kid} and expires_at is null returning kid`;
    const made = step('made')`${insertKey(draft, at)} from ${changed}`;
    const operated = {
      action: use === 'receipt' ? 'receipt_key.roll' : 'signing_key.roll',
      subject: kid,
      before: { kid: former.kid },
      after: { kid, former_until: until.toISOString() },
      reason,
    };
    const rolled = await commit(call, { subject: kid, guard: changed, steps: [made], operated });
    return rolled ? { kid, previous: former.kid, previousUntil: until } : undefined;
  });
}

/**
 * Seals signing keys under the first key that is configured, where they are under one that is being replaced; how many
 * they were.
 */
export async function resealSigningKeys({ db, vault }: Pick<Signing, 'db' | 'vault'>): Promise<number> {
  if (!vault.isChangingKeys) return 0;
  const rows = await db.rows<SealedKey & { use: Use }>(sql`
    select kid, use, private_key as sealed from signing_key where private_key is not null`);
  let resealed = 0;
  for (const { kid, use, sealed } of rows) {
    const next = vault.reseal(use, kid, sealed);
    if (!next) continue;
    await db.rows(sql`update signing_key set private_key = ${next} where kid = ${kid}`);
    resealed++;
  }
  return resealed;
}

/**
 * Forgets the keys whose tokens have been over for a day, and of keys that signed receipts the private half; how many.
 */
export async function purgeSigningKeys({ db, now }: Pick<Signing, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - DAY_MS);
  const forgotten = step('forgotten')`
    update signing_key set private_key = null
    where use = 'receipt' and private_key is not null and expires_at < ${before} returning kid`;
  const dropped = step('dropped')`
    delete from signing_key where use = 'token' and expires_at < ${before} returning kid`;
  return (await db.rows(statement(sql`select from ${forgotten} union all select from ${dropped}`))).length;
}

function insertKey({ kid, use, publicKey, sealed }: KeyDraft, at: Date): Sql {
  return sql`
    insert into signing_key (kid, use, public_key, private_key, created_at)
    select ${kid}, ${use}::signing_key_use, ${json(publicKey)}::jsonb, ${sealed}, ${at}`;
}

async function draftKey(vault: Vault, use: Use): Promise<KeyDraft> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const privateKey = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(privateKey);
  const publicKey: PublicSigningKey = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: privateKey.x!,
    kid,
    use: 'sig',
    alg: SIGNING_ALGORITHM,
  };
  return { kid, use, publicKey, sealed: vault.seal(use, kid, JSON.stringify(privateKey)) };
}
