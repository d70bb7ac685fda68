import { refuseShared } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { say } from '../../kernel/text/said.ts';
import { readLinesOf } from '../assessments/find.ts';
import { traceOf } from './create.ts';
import { type PaymentLink, getLink } from './find.ts';
import { linkLifecycle } from './lifecycle.ts';

/** Withdraws a link: nothing is paid by it any more. A payment that was started by it ends as it ends. */
export function withdrawPaymentLink(call: Call, name: string): Promise<PaymentLink> {
  const edge = linkLifecycle.withdraw;
  return retryUntilSettled(async () => {
    const before = await getLink(call, name);
    const { assessment, status, revision } = before;
    refuseShared(call.viewer, await readLinesOf(call, assessment));
    if (!allows(edge, status)) return before;
    const after: PaymentLink = { ...before, status: edge.to, revision: revision + 1, updatedAt: call.now() };
    const changed = guard`
      update payment_link set status = ${after.status}::payment_link_status, revision = ${after.revision},
        updated_at = ${after.updatedAt}
      where name = ${name} and revision = ${revision} returning name`;
    const trace = [traceOf(after, say`Payment link ${name} withdrawn`)];
    return (await commit(call, { subject: name, guard: changed, trace })) ? after : undefined;
  });
}
