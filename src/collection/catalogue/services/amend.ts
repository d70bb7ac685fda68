import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import type { Service } from '../../../generated/prisma/client.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, readText } from '../../../kernel/text/free-text.ts';
import { getApproval } from '../../approvals/find.ts';
import { requireRevision } from '../agencies/find.ts';
import { getService } from '../find.ts';
import { type ServiceChanges, planChange } from './change.ts';
import { readCharge } from './fee.ts';
import { askForFee, feeTakesApproval } from './fee-approval.ts';
import { say } from '../../../kernel/text/said.ts';

/**
 * Changes a service; what is left out stays. A fee may be set for a coming day, instead of what was set for one before:
 * Drafts are assessed at it from then on, and what was assessed before stays as it is. On a live rail a tariff, and a
 * fee that differs by more than a tenth or is to hold at once, is asked for, and the service answered as it is.
 */
export function amendService(call: Call, input: ServiceChanges): Promise<Service> {
  const reason = readText('reason', input.reason, LONGEST_REASON);
  const { effectiveFrom, withdrawNextFee } = input;
  if (effectiveFrom != null && input.feeAmount == null && input.tariff == null)
    throw refuseValue('effectiveFrom', say`is the day of a feeAmount`);
  if (withdrawNextFee === true && effectiveFrom != null)
    throw refuseValue('withdrawNextFee', say`cannot be combined with effectiveFrom, which replaces the coming fee`);
  return retryUntilSettled(async () => {
    const before = await getService(call, input.id);
    requireRevision(input.revision, before);
    const change = await planChange(call, before, { ...input, reason });
    if (!change) return before;
    const charge = readCharge(input, before.currency);
    if (charge && feeTakesApproval(call, before, { ...charge, effectiveFrom })) {
      await askForFee(call, before, { ...input, reason }, charge);
      return before;
    }
    return (await commit(call, change)) ? getService(call, before.name) : undefined;
  });
}

/** The service that a request changed, or asked for another fee of, whose answer was lost. */
export async function readAmended(call: Call, subject: string): Promise<Service> {
  return getService(call, isDocname('grant', subject) ? (await getApproval(call, subject)).subject : subject);
}
