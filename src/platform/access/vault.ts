import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Database, sql } from '../database/sql.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Purpose of a sealed text or a keyed hash: those of one purpose are worth nothing for another. */
type Purpose =
  | 'otp'
  | 'once'
  | 'request'
  | 'network'
  | 'address'
  | 'mail'
  | 'answer'
  | 'packed_answer'
  | 'webhook'
  | 'second_factor'
  | 'log_in'
  | 'passkey'
  | 'known'
  | 'token'
  | 'receipt'
  | 'payer'
  | 'stop';

/**
 * Keyed hashes, and texts sealed so that only this rail reads them: what must not be readable in a copy of the
 * database.
 */
export class Vault {
  readonly #masters: readonly string[];
  readonly #derived = new Map<string, Buffer>();

  /** The first key is used, the others are understood: that is how one is replaced. */
  constructor(masters: readonly string[]) {
    this.#masters = masters;
  }

  /** HMAC-SHA256: for what has so few values that a plain hash of it could be searched. */
  hash(purpose: Purpose, text: string): Buffer {
    return this.hashes(purpose, text)[0]!;
  }

  /** The same under each key, the first of which is what `hash` answers: what was hashed before a key was replaced fits too. */
  hashes(purpose: Purpose, text: string): Buffer[] {
    return this.#masters.map((master) =>
      createHmac('sha256', this.#key(master, `hash:${purpose}`))
        .update(text)
        .digest(),
    );
  }

  /** AES-256-GCM, bound to its purpose and to what it belongs to. */
  seal(purpose: Purpose, owner: string, content: string | Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(this.#masters[0]!, `seal:${purpose}`), nonce).setAAD(
      Buffer.from(owner),
    );
    const sealed = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Null where none of the keys opens it: it was sealed by another rail, or was changed. */
  open(purpose: Purpose, owner: string, sealed: Uint8Array): string | null {
    return this.openBytes(purpose, owner, sealed)?.toString('utf8') ?? null;
  }

  /** Does what `open` does, for bytes. */
  openBytes(purpose: Purpose, owner: string, sealed: Uint8Array): Buffer | null {
    for (const master of this.#masters) {
      const bytes = Buffer.from(sealed);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const key = this.#key(master, `seal:${purpose}`);
        // A tag that was cut short would be guessed sooner.
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(tag);
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        // Not sealed under this key; the next one may fit.
      }
    }
    return null;
  }

  /** True if there are keys besides the first; nothing kept for long should still be sealed under these. */
  get isChangingKeys(): boolean {
    return this.#masters.length > 1;
  }

  /** The same text sealed under the first key; null where it is already, or where no key opens it. */
  reseal(purpose: Purpose, owner: string, sealed: Uint8Array): Buffer | null {
    const [first] = this.#masters;
    if (new Vault([first!]).open(purpose, owner, sealed) !== null) return null;
    const text = this.open(purpose, owner, sealed);
    return text === null ? null : this.seal(purpose, owner, text);
  }

  #key(master: string, use: string): Buffer {
    const id = `${use}\n${master}`;
    let key = this.#derived.get(id);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', master, 'revenue-rail', use, 32));
      this.#derived.set(id, key);
    }
    return key;
  }
}

/**
 * A vault under the configured keys. A sandbox that has none makes one up, which all its processes share through the
 * database.
 */
export async function openVault(db: Database, configured: readonly string[] | null): Promise<Vault> {
  if (configured) return new Vault(configured);
  await db.rows(
    sql`
      insert into sandbox_secret (id, secret) values (1, ${randomBytes(32).toString('base64url')})
      -- Another process made the secret.
      on conflict do nothing`,
  );
  const row = await db.row<{ secret: string }>(sql`select secret from sandbox_secret where id = 1`);
  return new Vault([row!.secret]);
}
