import { raiseRevisions } from '../assessments/update.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { say } from '../../kernel/text/said.ts';
import { type Receipt, contentsOf, receiptColumns } from './find.ts';
import { forgetSigner } from './keys.ts';
import { messageOf, signReceipt, traceOf } from './steps.ts';

const BATCH = 200;

/**
 * Replaces receipts that say that a payment came too late although it paid, as they did of what came after its intent
 * had ended; how many they were.
 */
export async function correctReceipts(call: Call): Promise<number> {
  // By their anomalies, which are few: a Paid assessment was not cancelled when the money came.
  const wrong = await call.db.rows<Receipt>(sql`
    select ${receiptColumns} from anomaly n join receipt r on r.intent = n.subject
      join assessment a on a.name = r.assessment
    where n.kind = 'late_collection' and r.status = 'Issued' and split_part(r.payload, '~', 4) = 'l'
      and a.status = 'Paid' order by r.name limit ${BATCH}`);
  // Another process may have replaced the key since this one signed.
  if (wrong.length > 0) forgetSigner(call);
  let corrected = 0;
  for (const receipt of wrong) if (await replace(call, receipt)) corrected++;
  return corrected;
}

async function replace(call: Call, before: Receipt): Promise<boolean> {
  const at = call.now();
  const draft = await signReceipt(call, before, { ...contentsOf(before), kind: 'payment' }, at);
  const { name: replacedBy } = draft;
  const voided: Receipt = { ...before, status: 'Void', voidedAt: at, replacedBy, updatedAt: at };
  const held = step('held')`
    select a.name as assessment from assessment a, ${draft.key}
    where a.name = ${before.assessment} and a.status = 'Paid' for no key update of a`;
  // A cancellation at the same time reads again which receipts it voids.
  const raised = step('raised')`${raiseRevisions(sql`${held}`, at)}`;
  const changed = guard`
    update receipt r set status = 'Void', voided_at = ${at}, replaced_by = ${replacedBy}, updated_at = ${at}
    from ${raised} where r.name = ${before.name} and r.status = 'Issued' returning r.name`;
  const issued = draft.write(changed);
  return commit(call, {
    subject: null,
    guard: changed,
    steps: issued.steps,
    trace: [traceOf(voided, say`Receipt ${before.name} is void`, { replaced_by: replacedBy }), ...issued.trace],
    messages: [messageOf(call, voided), ...issued.messages],
  });
}
