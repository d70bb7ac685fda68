import { createHmac, timingSafeEqual } from 'node:crypto';
import { OWN_SIGNATURE } from '../../adapters/payment/proof.ts';
import type { RawCallback } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** Before the sender of what proved nothing, as sandbox mode allows. */
export const UNSIGNED = 'unsigned:';

const SIGNATURE = OWN_SIGNATURE.name.toLowerCase();

/** True if a callback has the headers of the rail's own form. */
export function isOwnForm({ headers }: RawCallback): boolean {
  return headers[SIGNATURE] != null;
}

/** True if a callback is signed. Sandbox mode alone takes one without a signature, nobody one with a wrong one. */
export function isSigned(
  { config: { mode } }: Pick<Call, 'config'>,
  secrets: readonly string[],
  { body, headers }: RawCallback,
): boolean {
  const signature = headers[SIGNATURE];
  if (signature == null && mode === 'live') throw new Refusal('invalid_signature', 'The callback is not signed');
  if (signature != null && !isSignedBy(secrets, body, signature))
    throw new Refusal('invalid_signature', 'The signature does not match the body');
  return signature != null;
}

/**
 * Reads what a sender with these secrets sends; null where there is no such sender. What is signed costs its address
 * nothing, since senders send much; anything else counts as an anonymous request.
 */
export async function admitSigned<Message>(
  caller: Call,
  secrets: readonly string[] | null,
  raw: RawCallback,
  parse: (body: Buffer) => Message,
): Promise<{ readonly signed: boolean; readonly message: Message }> {
  let signed = false;
  try {
    if (!secrets) throw new Refusal('not_found', 'The provider does not exist');
    signed = isSigned(caller, secrets, raw);
    return { signed, message: parse(raw.body) };
  } finally {
    if (!signed) await caller.rail.limits.countAnonymous(caller.transport.source.address);
  }
}

/** The hex HMAC-SHA256 that signs a body. */
function signatureOf(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** True if a signature is that of the body under one of the secrets, in constant time. */
function isSignedBy(secrets: readonly string[], body: Buffer, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  return secrets.map((secret) => timingSafeEqual(Buffer.from(signatureOf(secret, body), 'hex'), given)).includes(true);
}
