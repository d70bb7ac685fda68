import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { withdraw } from '../../collection/approvals/ask.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { refuseForeignKey } from './authority.ts';
import { keyApproval } from './approval.ts';
import { type ApiKey, getKey } from './find.ts';
import { keyLifecycle, keyStatusOf } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

const LONGEST_REASON = 280;

/**
 * Ends a key at once and for good. One that is revoked already stays as it is. What an operator does is booked as such.
 */
export function revokeKey(call: Call, input: { id: string; reason: string }): Promise<ApiKey> {
  refuseForeignKey(call.viewer, input.id);
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const before = await getKey(call, input.id);
    const at = call.now();
    const status = keyStatusOf(before, at);
    if (status === 'revoked') return before;
    if (!allows(keyLifecycle.revoke, status))
      throw new Refusal('validation_failed', say`${before.name} is already ${status}`);
    const after: ApiKey = {
      ...before,
      status: keyLifecycle.revoke.to,
      revokedAt: at,
      revokedReason: reason,
      updatedAt: at,
    };
    const changed = guard`
      update api_key set status = ${after.status}::key_status, revoked_at = ${at}, revoked_reason = ${reason},
        updated_at = ${at}
      where name = ${before.name} and status = any(${keyLifecycle.revoke.from}::key_status[]) returning name`;
    const operated: Operated = {
      action: 'key.revoke',
      subject: before.name,
      before: { status },
      after: { status: after.status },
      reason,
    };
    const steps =
      status === 'waiting' ? [withdraw(call, keyApproval, changed, before.name, 'The key was revoked')] : [];
    const change = { subject: before.name, guard: changed, steps, ...(call.viewer.kind === 'staff' && { operated }) };
    return (await commit(call, change)) ? after : undefined;
  });
}
