import { readTextMember } from '../../http/members.ts';
import type { PeerAnswer } from '../../http/peer.ts';
import type { ProviderStatus } from '../port.ts';

/**
 * MTN's reasons for a request that it did not take, and that another try cannot change. They come under 400 and under
 * 500 alike.
 */
export const REFUSALS: ReadonlySet<string> = new Set([
  'PAYER_NOT_FOUND',
  'PAYEE_NOT_FOUND',
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
  'NOT_ENOUGH_FUNDS',
  'PAYER_LIMIT_REACHED',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
]);

/** MTN's words on a collection or a refund. */
export const STATUSES: Readonly<Record<string, ProviderStatus['status']>> = {
  SUCCESSFUL: 'SUCCESSFUL',
  FAILED: 'FAILED',
  PENDING: 'PENDING',
};

/** The code of a refusal. */
export function codeOf({ body }: PeerAnswer): string {
  return readTextMember(body, 'code') ?? readTextMember(body, 'error') ?? 'no reason';
}
