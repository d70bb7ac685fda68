import { createHash, randomInt, randomUUID } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789';
const SECRET_LENGTH = 32;
export const LINK_TOKEN = /^[A-Z0-9-]{3,64}\.[A-Z2-9]{32}$/;

export interface NewLink {
  readonly id: string;
  readonly token: string;
  readonly hash: Buffer;
}

/** A new magic link: its id, a dot, and 162 bits by chance. It says nothing of whom it signs in. */
export function makeSignInLink(): NewLink {
  const id = randomUUID();
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const token = `${id.toUpperCase()}.${secret}`;
  return { id, token, hash: hashLinkToken(token) };
}

/** True if a string has the form of a link's token. */
export function isLinkToken(value: string): boolean {
  return LINK_TOKEN.test(value);
}

/** Stored hash of a token. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
