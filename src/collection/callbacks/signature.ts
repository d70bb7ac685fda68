import { createHmac, timingSafeEqual } from 'node:crypto';

/** Before the sender of what proved nothing, as sandbox mode allows. */
export const UNSIGNED = 'unsigned:';

/** The hex HMAC-SHA256 that signs a body. */
function signatureOf(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Whether a signature is that of the body under one of the secrets, found out in constant time. */
export function isSignedBy(secrets: readonly string[], body: Buffer, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  return secrets.map((secret) => timingSafeEqual(Buffer.from(signatureOf(secret, body), 'hex'), given)).includes(true);
}
