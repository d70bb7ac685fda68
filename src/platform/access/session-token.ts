import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new session's secret, as its cookie carries it: 256 bits. */
export function makeSessionToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** True if a string has the form of a token. */
export function isSessionToken(value: string): boolean {
  return SHAPE.test(value);
}

/** Stored hash of a token. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
