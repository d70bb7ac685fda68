import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../endpoints/secret.ts';

/** The rail's own signature: hex HMAC-SHA256 of the body, keyed with the secret as it is shown. */
function signInOwnForm(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** A signature of Standard Webhooks (https://www.standardwebhooks.com), keyed with the decoded bytes. */
function signInStandardForm(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The headers that show a receiver who sent a message; with the secret before as well, while it still counts. */
export function signatureHeadersOf(
  secrets: { current: string; previous: string | null },
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const { current, previous } = secrets;
  const timestamp = Math.floor(at.getTime() / 1_000);
  const standard = [current, previous]
    .filter((secret) => secret !== null)
    .map((secret) => signInStandardForm(secret, id, timestamp, body));
  return {
    'X-Service-Signature': signInOwnForm(current, body),
    ...(previous && { 'X-Service-Signature-Previous': signInOwnForm(previous, body) }),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}
