import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PublicSigningKey } from '../../platform/access/tokens/signing-keys.ts';
import { SideTable } from '../../kernel/side-table.ts';
import { readCopied } from '../../kernel/text/typed.ts';
import { type ReceiptContents, readPayload } from './payload.ts';

/** A receipt as it was signed. */
export interface SignedReceipt {
  readonly payload: string;
  /** Ed25519 over the bytes of the payload, in base64url. */
  readonly signature: string;
  /** The key, or at least the first eight characters of what it is called. */
  readonly kid: string;
}

/** A key that signs receipts, or signed them, with the span in which it did. */
export interface ReceiptKey {
  readonly publicKey: PublicSigningKey;
  readonly from: Date;
  /** Null where it signs at present. */
  readonly until: Date | null;
}

/** Characters of a key's name in an address. */
const SHORT_KID = 8;
const SIGNATURE_CHARACTERS = 86;
/** Longest address that phones read from paper without effort. */
const LONGEST_ADDRESS = 300;

const beginOf = (origin: string) => `${origin}/verify#`;

/** The address that the QR code of a receipt has: what is signed is in its fragment, which browsers send to nobody. */
export function addressOf(origin: string, { payload, signature, kid }: SignedReceipt): string {
  return `${beginOf(origin)}${kid.slice(0, SHORT_KID)}.${signature}.${payload}`;
}

/** Longest text that can be signed. */
export function roomFor(origin: string): number {
  return LONGEST_ADDRESS - beginOf(origin).length - SHORT_KID - SIGNATURE_CHARACTERS - 2;
}

/** The receipt in an address, or in its fragment alone; null where there is none. */
export function readAddress(address: string): SignedReceipt | null {
  const [, kid, signature, payload] = /(?:^|#)([\w-]{8,43})\.([\w-]{86})\.(\S+)$/.exec(address) ?? [];
  return payload === undefined ? null : { kid: kid!, signature: signature!, payload };
}

/** Clocks of processes differ by less. */
const LEEWAY_MS = 60_000;

/**
 * Content of a receipt that one of these keys signed; null for any other. No key signs before its beginning, but it may
 * sign an earlier payment, as when a receipt is replaced. A key that signs no more may be in wrong hands.
 */
export function checkSignature(keys: readonly ReceiptKey[], signed: SignedReceipt): ReceiptContents | null {
  const key = findSigningKey(keys, signed);
  const contents = key && readPayload(signed.payload);
  if (!contents) return null;
  return key.until === null || contents.paidAt.getTime() <= key.until.getTime() + LEEWAY_MS ? contents : null;
}

/** The one of these keys that signed a text; null where none did. */
export function findSigningKey(
  keys: readonly ReceiptKey[],
  { payload, signature, kid }: SignedReceipt,
): ReceiptKey | null {
  const bytes = Buffer.from(signature, 'base64url');
  // Bits that stand for nothing would make several texts of one signature.
  if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return null;
  const key = kid.length >= SHORT_KID ? keys.find(({ publicKey }) => publicKey.kid.startsWith(kid)) : undefined;
  return key && verify(null, Buffer.from(payload), openPublic(key.publicKey), bytes) ? key : null;
}

const opened = new SideTable<PublicSigningKey, KeyObject>();

function openPublic(key: PublicSigningKey): KeyObject {
  const { kty, crv, x } = key;
  return opened.of(key, () => createPublicKey({ key: { kty, crv, x }, format: 'jwk' }));
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARACTERS = 10;

/** Code to type for a receipt whose QR code nothing reads: 50 bits of its signature, in the letters of Crockford. */
export function codeOf(signature: string): string {
  const digest = createHash('sha256').update(signature).digest().subarray(0, CODE_CHARACTERS);
  const code = Array.from(digest, (byte) => ALPHABET[byte & 31]).join('');
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** A code as it was meant: in any case, with letters that look like digits, and dashes anywhere. */
export function readCode(typed: string): string {
  const code = readCopied(typed)
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(/[^0-9A-Z]/g, '');
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}
