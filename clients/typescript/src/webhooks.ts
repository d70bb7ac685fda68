import { RailError } from './errors.ts';
import type { RailEvent } from './types.ts';

type HeaderFields = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
type Bytes = Uint8Array<ArrayBuffer>;

const SECRET_PREFIX = 'whsec_';
/** Furthest sending time of a message from now: later, somebody repeats it. */
const TOLERANCE_S = 300;

/** For receivers of messages, who need no client. */
export const webhooks = {
  /**
   * The event of a message, if its signature is that of Standard Webhooks and at most 5 minutes old. The body is as it
   * was received, and the secret as the rail showed it. Otherwise it throws a `RailError` with the status 401.
   *
   * Old rails sign in a form of their own, which has no time. With `legacy`, a message that has this form alone
   * is taken for 5 minutes from the `created_at` of its body.
   */
  async unwrap(
    body: string | Uint8Array,
    headers: HeaderFields,
    secret: string,
    { legacy = false }: { readonly legacy?: boolean } = {},
  ): Promise<RailEvent> {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const field = (name: string) => fieldOf(headers, name);
    const standard = field('webhook-signature');
    const isRight =
      standard === null && legacy
        ? isRecent(createdAtOf(text)) &&
          (await isOwn(text, [field('x-service-signature'), field('x-service-signature-previous')], secret))
        : await isStandard(text, standard ?? '', field('webhook-id'), field('webhook-timestamp'), secret);
    if (!isRight)
      throw new RailError('The message was not signed with this secret within 5 minutes', {
        status: 401,
        code: 'invalid_signature',
      });
    return JSON.parse(text) as RailEvent;
  },
};

/** True if one of the signatures is that of Standard Webhooks (https://www.standardwebhooks.com). */
async function isStandard(
  body: string,
  signatures: string,
  id: string | null,
  timestamp: string | null,
  secret: string,
): Promise<boolean> {
  if (id === null || !isRecent(Number(timestamp ?? NaN))) return false;
  const key = decode(secret.replace(SECRET_PREFIX, ''));
  const candidates = signatures.matchAll(/(?<=^| )v1,([A-Za-z0-9+/]{43}=)(?= |$)/g);
  return hasSigned(
    key,
    `${id}.${timestamp}.${body}`,
    Array.from(candidates, ([, base64]) => decode(base64!)),
  );
}

/** True if a time in seconds is within 5 minutes of now. */
const isRecent = (seconds: number) => Math.abs(Date.now() / 1_000 - seconds) <= TOLERANCE_S;

/** Time of the event by its message, in seconds; NaN if it has none. */
function createdAtOf(body: string): number {
  try {
    return Date.parse((JSON.parse(body) as RailEvent).created_at) / 1_000;
  } catch {
    return NaN;
  }
}

/** True if one of the signatures is the rail's own: that with the present secret, or with the one before. */
async function isOwn(body: string, signatures: readonly (string | null)[], secret: string): Promise<boolean> {
  const candidates = signatures.filter((hex) => hex !== null && /^[0-9a-f]{64}$/.test(hex));
  const bytesOf = (hex: string | null) => Uint8Array.from(hex!.match(/../g)!, (byte) => Number.parseInt(byte, 16));
  return hasSigned(new TextEncoder().encode(secret), body, candidates.map(bytesOf));
}

/** Compares in constant time, which WebCrypto does. */
async function hasSigned(secret: Bytes, text: string, signatures: readonly Bytes[]): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(text);
  const results = await Promise.all(signatures.map((one) => crypto.subtle.verify('HMAC', key, one, signed)));
  return results.includes(true);
}

const decode = (base64: string): Bytes => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

function fieldOf(headers: HeaderFields, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([field]) => field.toLowerCase() === name)?.[1];
  return found === undefined ? null : String(found);
}
