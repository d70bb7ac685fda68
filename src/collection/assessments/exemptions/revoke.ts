import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { type Exemption, getExemption } from './find.ts';
import { exemptionLifecycle } from './lifecycle.ts';

interface Revocation {
  readonly agency: string;
  readonly id: string;
  readonly reason: string;
}

/**
 * Ends an exemption for what is assessed from now on; amounts that were fixed with it stay. One that is Revoked already
 * stays as it is.
 */
export function revokeExemption(call: Call, { agency, id, reason: given }: Revocation): Promise<Exemption> {
  const reason = requireText('reason', given, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const before = await getExemption(call, id);
    const { name, mda, status } = before;
    if (mda !== agency) throw new Refusal('not_found', say`The exemption does not exist`);
    const { from, to } = exemptionLifecycle.revoke;
    if (!allows(exemptionLifecycle.revoke, status)) return before;
    const at = call.now();
    const changed = guard`
      update exemption set status = ${to}::exemption_status, revoked_at = ${at}, revoked_reason = ${reason}, updated_at = ${at}
      where name = ${name} and status = any(${from}::exemption_status[]) returning name`;
    const operated = { action: 'exemption.revoke', subject: name, before: { status }, after: { status: to }, reason };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getExemption(call, name) : undefined;
  });
}
