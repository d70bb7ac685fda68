import { isWholeWithin } from '../../../../platform/access/owned.ts';
import type { Call } from '../../../../platform/call/call.ts';
import { retryUntilSettled } from '../../../../platform/change/commit.ts';
import { allows } from '../../../../kernel/lifecycle.ts';
import { forbidBecause, refuseBecause, refuseValue } from '../../../../kernel/refusal.ts';
import { requireSha256, requireText } from '../../../../kernel/text/free-text.ts';
import { say } from '../../../../kernel/text/said.ts';
import { LONGEST_NUMBER } from '../dispute.ts';
import { type Refund, getRefund, readSharesOf } from '../find.ts';
import { finishRefund } from './finish.ts';
import { refundLifecycle } from '../lifecycle.ts';
import { isMoreThanLeft } from '../refundable.ts';

interface TransferInput {
  readonly id: string;
  readonly reference: string;
  readonly day: Date;
  readonly documentHash?: string | null | undefined;
}

/**
 * Records that an agency's bank paid an Approved refund, or one that its provider could not pay, or that the provider
 * paid a Sent one and did not say so.
 */
export function proveRefund(call: Call, input: TransferInput): Promise<Refund> {
  const providerReference = requireText('reference', input.reference, LONGEST_NUMBER);
  const documentHash = input.documentHash == null ? null : requireSha256('documentHash', input.documentHash);
  return retryUntilSettled(async () => {
    const before = await getRefund(call, input.id);
    const { name, status, method, intent, createdAt } = before;
    if (!isWholeWithin(call.viewer, await readSharesOf(call, name)))
      throw forbidBecause('paid_to_others', `${name} gives back money of other agencies too`);
    if (method !== 'transfer' && status !== 'Failed' && status !== 'Sent')
      throw refuseBecause('refund_not_possible', `${name} is paid by ${method}, which needs no proof`, 'name');
    if (!allows(refundLifecycle.finish, status))
      throw refuseBecause('refund_not_possible', `${name} is ${status}; only an Approved refund is paid`, 'name');
    // What failed was free for other refunds since.
    if (status === 'Failed' && (await isMoreThanLeft(call, before)))
      throw refuseBecause('refund_available_changed', `Not so much of ${intent} is left any more`, 'name');
    if (input.day > call.now()) throw refuseValue('day', say`must not be in the future`);
    if (input.day.getTime() < Date.parse(createdAt.toISOString().slice(0, 10)))
      throw refuseValue('day', say`must not be before the refund was requested`);
    return finishRefund(call, before, {
      method: status === 'Failed' ? 'transfer' : method,
      providerReference,
      paidOn: input.day,
      documentHash,
    });
  });
}
