import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { withdraw } from '../../collection/approvals/ask.ts';
import { agencyKeyApproval } from './approval.ts';
import { keyLifecycle, keyStatusOf } from '../keys/lifecycle.ts';
import { type AgencyKey, getAgencyKey } from './find.ts';
import { say } from '../../kernel/text/said.ts';

/**
 * Ends a key of an agency at once and for good, and with it the tokens that stand on it. One that is revoked already
 * stays as it is.
 */
export function revokeAgencyKey(call: Call, input: { id: string; reason: string }): Promise<AgencyKey> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const before = await getAgencyKey(call, input.id);
    const at = call.now();
    const status = keyStatusOf(before, at);
    if (status === 'revoked') return before;
    if (!allows(keyLifecycle.revoke, status))
      throw new Refusal('validation_failed', say`${before.name} is already ${status}`);
    const { to, from } = keyLifecycle.revoke;
    const changed = guard`
      update agency_key set status = ${to}::key_status, revoked_at = ${at}, revoked_reason = ${reason}, updated_at = ${at}
      where name = ${before.name} and status = any(${from}::key_status[]) returning name`;
    const operated = {
      action: 'agency_key.revoke',
      subject: before.name,
      before: { status },
      after: { status: to },
      reason,
    };
    const steps = [withdraw(call, agencyKeyApproval, changed, before.name, 'The key was revoked')];
    const revoked = await commit(call, { subject: before.name, guard: changed, steps, operated });
    return revoked ? { ...before, status: to, revokedAt: at, revokedReason: reason, updatedAt: at } : undefined;
  });
}
