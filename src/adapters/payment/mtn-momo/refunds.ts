import { minorDigitsOf } from '../../../kernel/money.ts';
import { redactObject, readTextMember } from '../../http/members.ts';
import type { Peer } from '../../http/peer.ts';
import { Tokens } from '../../http/tokens.ts';
import type { PaymentAdapter, RefundOrder, RefundStatus } from '../port.ts';
import { REFUSALS, STATUSES, codeOf } from './answers.ts';
import type { MtnMomoOptions } from './options.ts';

const open = { txnId: null, reason: null };

/**
 * Refunds by MTN's Disbursements product. Like a collection, a refund has a UUID of ours, under which MTN makes it once.
 * It is paid from the account of that product.
 */
export function openMtnRefunds(
  peer: Peer,
  { subscription_key, api_user, api_key }: NonNullable<MtnMomoOptions['disbursement']>,
  targetEnvironment: string,
): Required<Pick<PaymentAdapter, 'refund' | 'verifyRefund'>> {
  const product = { 'ocp-apim-subscription-key': subscription_key };
  const target = { ...product, 'x-target-environment': targetEnvironment };
  const tokens = new Tokens(peer, {
    method: 'POST',
    path: '/disbursement/token/',
    headers: { ...product, authorization: `Basic ${Buffer.from(`${api_user}:${api_key}`).toString('base64')}` },
  });
  return {
    async refund({ refund, reference, amount, currency, collection }: RefundOrder): Promise<RefundStatus> {
      const json = {
        amount: amount.toFixed(minorDigitsOf(currency)),
        currency,
        externalId: refund,
        payerMessage: `Refund ${refund}`,
        payeeNote: collection.intent,
        referenceIdToRefund: collection.reference,
      };
      const answer = await tokens.authorised((bearer) =>
        peer.ask({
          method: 'POST',
          path: '/disbursement/v1_0/refund',
          headers: { ...target, ...bearer, 'x-reference-id': reference },
          json,
          safe: false,
        }),
      );
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      // 409: this very refund was taken before, and its answer lost.
      if (answer.status === 202 || answer.status === 409) return { ...open, status: 'PENDING', response };
      const code = codeOf(answer);
      if (answer.status === 400 || answer.status === 404 || REFUSALS.has(code))
        throw peer.failure('refused', `refused the refund: ${code}`);
      throw peer.failure('failed', `did not take the refund: ${answer.status} ${code}`);
    },
    async verifyRefund({ refund, reference }: RefundOrder): Promise<RefundStatus> {
      const path = `/disbursement/v1_0/refund/${encodeURIComponent(reference)}`;
      const answer = await tokens.authorised((bearer) =>
        peer.ask({ method: 'GET', path, headers: { ...target, ...bearer }, safe: true }),
      );
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      if (answer.status === 404) return { ...open, status: 'NOT_FOUND', response };
      const status = STATUSES[readTextMember(answer.body, 'status') ?? ''];
      if (answer.status !== 200 || !status)
        throw peer.failure('failed', `did not say how the refund stands: ${answer.status}`);
      if (readTextMember(answer.body, 'externalId') !== refund)
        throw peer.failure('failed', 'answered for another refund');
      return {
        status,
        txnId: readTextMember(answer.body, 'financialTransactionId'),
        reason: readTextMember(answer.body, 'reason', 'code') ?? readTextMember(answer.body, 'reason'),
        response,
      };
    },
  };
}
