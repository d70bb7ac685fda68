import { createHash, timingSafeEqual } from 'node:crypto';
import type { CallbackHeader } from './port.ts';

/** The header that signs a callback in the rail's own form, for all senders. */
export const OWN_SIGNATURE: CallbackHeader = {
  name: 'X-Service-Signature',
  description:
    "`X-Service-Signature` of the rail's own format: HMAC-SHA256 (hex) of the body with a webhook secret of the provider.",
};

/** True if two texts are the same, in a time that tells nothing of where they differ. */
export function isEqualText(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** An id for a callback that carries none: a repetition has the same bytes. */
export function identifyBytes(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `bytes:${hash.digest('hex')}`;
}
