import type { JWK } from 'jose';
import { commit, retryUntilSettled } from '../../change/commit.ts';
import { guard, statement, step } from '../../change/step.ts';
import { json, sql } from '../../database/sql.ts';
import type { Call, Rail } from '../../call/call.ts';
import { DAY_MS } from '../../../kernel/time.ts';

/** The one algorithm that the rail signs with. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** How long a token is good for. */
export const TOKEN_SECONDS = 900;

/** When the last token is over that a former key signed, on whichever process. */
function endOfTokens(at: Date): Date {
  return new Date(at.getTime() + (TOKEN_SECONDS + 60) * 1_000);
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

function findCurrent({ db }: Pick<Rail, 'db'>): Promise<SealedKey | null> {
  return db.row<SealedKey>(sql`select kid, private_key as sealed from signing_key where expires_at is null`);
}

/**
 * Makes the key pair that tokens are signed with, where there is none, or none that can be opened since SECRET_KEY is
 * another. Of processes that start at once, one makes it and all use it. Whether it took the place of another.
 */
export async function ensureSigningKey(rail: Pick<Rail, 'db' | 'vault' | 'now'>): Promise<boolean> {
  const { db, vault } = rail;
  const current = await findCurrent(rail);
  if (current && vault.open('token', current.kid, current.sealed) !== null) return false;
  const { kid, publicKey, sealed } = await draftKey(vault);
  const at = rail.now();
  const closed = step('closed')`
    update signing_key set expires_at = ${endOfTokens(at)} where kid = ${current?.kid ?? ''} and expires_at is null
    returning kid`;
  const made = sql`
    insert into signing_key (kid, public_key, private_key, created_at)
    select ${kid}, ${json(publicKey)}::jsonb, ${sealed}, ${at} where ${current === null} or exists (select from ${closed})
    on conflict do nothing returning 1`;
  return (await db.row(statement(made))) !== null && current !== null;
}

/** The key that signs at present. */
export async function openSigningKey(rail: Pick<Rail, 'db' | 'vault'>): Promise<OpenedSigningKey> {
  const current = await findCurrent(rail);
  const text = current && rail.vault.open('token', current.kid, current.sealed);
  if (!text) throw new Error('The key that signs tokens was sealed under another SECRET_KEY than this process has');
  return { kid: current.kid, privateKey: JSON.parse(text) as JWK };
}

/** The public keys under which tokens hold that are not over, the one that signs at present first. */
export async function listSigningKeys({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<PublicSigningKey[]> {
  const rows = await db.rows<{ publicKey: PublicSigningKey }>(sql`
    select public_key as "publicKey" from signing_key where expires_at is null or expires_at > ${now()}
    order by expires_at desc nulls first, kid`);
  return rows.map(({ publicKey }) => publicKey);
}

/** What became of a roll. */
export interface SigningKeyRoll {
  readonly kid: string;
  readonly previous: string;
  readonly previousUntil: Date;
}

/**
 * Signs with a new key from now on. The former one stays known until its tokens are over; with `atOnce`, as where it
 * may have got out, they end with it.
 */
export async function rollSigningKey(
  call: Call,
  { atOnce, reason }: { atOnce: boolean; reason: string | null },
): Promise<SigningKeyRoll> {
  await ensureSigningKey(call);
  const { kid, publicKey, sealed } = await draftKey(call.vault);
  return retryUntilSettled(async () => {
    const former = await findCurrent(call);
    if (!former) return undefined;
    const at = call.now();
    const until = atOnce ? at : endOfTokens(at);
    const changed = guard`
      update signing_key set expires_at = ${until} where kid = ${former.kid} and expires_at is null returning kid`;
    const made = step('made')`
      insert into signing_key (kid, public_key, private_key, created_at)
      select ${kid}, ${json(publicKey)}::jsonb, ${sealed}, ${at} from ${changed}`;
    const operated = {
      action: 'signing_key.roll',
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
export async function resealSigningKeys({ db, vault }: Pick<Rail, 'db' | 'vault'>): Promise<number> {
  if (!vault.isChangingKeys) return 0;
  const rows = await db.rows<SealedKey>(sql`select kid, private_key as sealed from signing_key`);
  let resealed = 0;
  for (const { kid, sealed } of rows) {
    const next = vault.reseal('token', kid, sealed);
    if (!next) continue;
    await db.rows(sql`update signing_key set private_key = ${next} where kid = ${kid}`);
    resealed++;
  }
  return resealed;
}

/** Forgets the keys whose tokens have been over for a day; how many. */
export async function purgeSigningKeys({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - DAY_MS);
  return (await db.rows(sql`delete from signing_key where expires_at < ${before} returning 1`)).length;
}

async function draftKey(vault: Rail['vault']): Promise<KeyDraft> {
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
  return { kid, publicKey, sealed: vault.seal('token', kid, JSON.stringify(privateKey)) };
}
