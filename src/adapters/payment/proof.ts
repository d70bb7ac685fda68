import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, found out in a time that tells nothing of where they differ. */
export function equalText(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** An id for a callback that carries none: a repetition has the same bytes. */
export function bytesId(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `bytes:${hash.digest('hex')}`;
}
