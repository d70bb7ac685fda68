import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { AccountChange } from './find.ts';

/** The step that has an agency's money go to the account of a change that a step yields, from the next collection on. */
export function moveAccount({ now }: Call, changed: Step): Step {
  return step('moved')`
    update mda m set collection_account = c.collection_account, revision = m.revision + 1, updated_at = ${now()}
    from ${changed} c where m.name = c.mda`;
}

/** Makes the approved changes take effect whose time has come; how many. */
export async function applyAccountChanges(call: Call): Promise<number> {
  const at = call.now();
  const due = await call.db.rows<Pick<AccountChange, 'name' | 'mda'>>(sql`
    select name, mda from account_change where status = 'Approved' and applied_at is null and effective_at <= ${at}`);
  let applied = 0;
  for (const { name, mda } of due) {
    const changed = guard`
      update account_change set applied_at = ${at}, updated_at = ${at}
      where name = ${name} and status = 'Approved' and applied_at is null returning mda, collection_account`;
    const operated = {
      action: 'agency.account_applied',
      subject: mda,
      before: null,
      after: { account_change: name },
      reason: null,
    };
    if (await commit(call, { subject: name, guard: changed, steps: [moveAccount(call, changed)], operated })) applied++;
  }
  return applied;
}
