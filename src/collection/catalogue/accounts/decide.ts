import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { forbidBecause, refuseBecause } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { type AccountChange, getAccountChange } from './find.ts';
import { endOf } from './request.ts';

/** Has an agency's money go to the account that somebody else asked for, from the next collection on. */
export function approveAccountChange(
  call: Call,
  input: { readonly id: string; readonly note?: string | null | undefined },
): Promise<AccountChange> {
  return decide(call, input.id, 'Approved', readText('note', input.note, LONGEST_REASON));
}

/** Leaves the account as it is. Whoever asked may take it back so. */
export function refuseAccountChange(
  call: Call,
  input: { readonly id: string; readonly reason: string },
): Promise<AccountChange> {
  return decide(call, input.id, 'Refused', requireText('reason', input.reason, LONGEST_REASON));
}

function decide(call: Call, id: string, status: 'Approved' | 'Refused', note: string | null): Promise<AccountChange> {
  const { actor } = call.viewer;
  return retryUntilSettled(async () => {
    const change = await getAccountChange(call, id);
    const { name, mda, collectionAccount, formerAccount, requestedBy } = change;
    if (change.status === status) return change;
    if (change.status !== 'Pending')
      throw refuseBecause('account_change_decided', `${name} is ${change.status} already`);
    if (status === 'Approved' && requestedBy === actor)
      throw forbidBecause(
        'account_change_by_asker',
        'Another admin or system manager has to approve what you asked for',
      );
    const at = call.now();
    const changed = guard`
      update account_change set status = ${status}, decided_by = ${actor}, decided_at = ${at}, decision_note = ${note},
        updated_at = ${at}
      where name = ${name} and status = 'Pending' returning mda, collection_account`;
    const moved = step('moved')`
      update mda m set collection_account = c.collection_account, revision = m.revision + 1, updated_at = ${at}
      from ${changed} c where m.name = c.mda`;
    const approved = status === 'Approved';
    const operated = {
      action: approved ? 'agency.account_approved' : 'agency.account_refused',
      subject: mda,
      before: { collection_account_last4: endOf(formerAccount) },
      after: { collection_account_last4: endOf(approved ? collectionAccount : formerAccount), account_change: name },
      reason: note,
    };
    const done = await commit(call, { subject: name, guard: changed, steps: approved ? [moved] : [], operated });
    return done ? getAccountChange(call, name) : undefined;
  });
}
