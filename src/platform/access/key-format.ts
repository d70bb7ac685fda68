import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^rail_(sandbox|live)_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Kind of a key: for trying things out, or for real payments. */
export type KeyMode = 'sandbox' | 'live';

export interface NewKey {
  readonly plaintext: string;
  readonly prefix: string;
  readonly last4: string;
  readonly hash: Buffer;
}

/**
 * A new bearer key. It ends in a checksum of the rest, so that scanners can tell a leaked key and a typo needs no
 * look-up.
 */
export function mintKey(mode: KeyMode): NewKey {
  const prefix = prefixOf(mode);
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  const plaintext = prefix + secret + checksum(prefix + secret);
  return { plaintext, prefix, last4: plaintext.slice(-4), hash: hashKey(plaintext) };
}

/** Prefix of the keys of a mode. */
export function prefixOf(mode: KeyMode): string {
  return `rail_${mode}_`;
}

/** True if a string has the form of a key. */
export function isKey(value: string): boolean {
  return SHAPE.test(value) && checksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH);
}

/** Stored hash of a key. A key has 190 bits of entropy, so a plain SHA-256 cannot be searched. */
export function hashKey(plaintext: string): Buffer {
  return createHash('sha256').update(plaintext).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
