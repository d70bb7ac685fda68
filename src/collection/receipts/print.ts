import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';
import { type Receipt, getReceipt } from './find.ts';
import { traceOf } from './steps.ts';

export const LONGEST_STATION = 40;

/** Counts that a receipt is printed at a station: from the second time on it says which copy it is. */
export function printReceipt(call: Call, input: { id: string; station: string }): Promise<Receipt> {
  const station = requireText('station', input.station, LONGEST_STATION);
  return retryUntilSettled(async () => {
    const before = await getReceipt(call, input.id);
    const after: Receipt = { ...before, copies: before.copies + 1, updatedAt: call.now() };
    const { name, copies, updatedAt } = after;
    const changed = guard`
      update receipt set copies = ${copies}, updated_at = ${updatedAt}
      where name = ${name} and copies = ${before.copies} and status = ${before.status}::receipt_status returning name`;
    const trace = [traceOf(after, say`Receipt ${name} printed at ${station}`, { station, copy: copies })];
    return (await commit(call, { subject: name, guard: changed, trace })) ? after : undefined;
  });
}
