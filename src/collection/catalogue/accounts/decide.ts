import type { Call } from '../../../platform/call/call.ts';
import { findHolders } from '../../../platform/access/holders.ts';
import { refuseDependent } from '../../../platform/access/independence.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { postLetterToAll } from '../../../platform/mail/send.ts';
import { type Refusal, forbidBecause, refuseBecause } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { raiseAnomalies } from '../../anomalies/raise.ts';
import { moveAccount } from './apply.ts';
import { type AccountChange, getAccountChange } from './find.ts';
import { endOf } from './request.ts';

/** Delay before an approved account takes effect on a live rail, so that others can refuse it. */
const DELAY_MS = DAY_MS;

/**
 * Approves the account that somebody else asked for. On a live rail it takes effect after a day, of which all admins and
 * the agency's finance officers are told by mail; in a sandbox, at once.
 */
export function approveAccountChange(
  call: Call,
  input: { readonly id: string; readonly note?: string | null | undefined },
): Promise<AccountChange> {
  const note = readText('note', input.note, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const change = await getAccountChange(call, input.id);
    if (change.status === 'Approved') return change;
    if (change.status !== 'Pending') throw refuseDecided(change);
    const { name, mda, collectionAccount, formerAccount, requestedBy } = change;
    const { actor } = call.viewer;
    if (requestedBy === actor)
      throw forbidBecause(
        'account_change_by_asker',
        'Another admin or system manager has to approve what you asked for',
      );
    await refuseDependent(call, [requestedBy]);
    const at = call.now();
    const waits = call.config.mode === 'live';
    const effectiveAt = waits ? new Date(at.getTime() + DELAY_MS) : at;
    const changed = guard`
      update account_change set status = 'Approved', decided_by = ${actor}, decided_at = ${at}, decision_note = ${note},
        effective_at = ${effectiveAt}, applied_at = ${waits ? null : at}, updated_at = ${at}
      where name = ${name} and status = 'Pending' returning mda, collection_account`;
    const [from, to] = [endOf(formerAccount), endOf(collectionAccount)];
    const operated = {
      action: 'agency.account_approved',
      subject: mda,
      before: { collection_account_last4: from },
      after: { collection_account_last4: to, account_change: name, effective_at: effectiveAt.toISOString() },
      reason: note,
    };
    const found = {
      kind: 'account_changed',
      subject: name,
      mdas: [mda],
      evidence: { account_change: name, from_last4: from, to_last4: to, effective_at: effectiveAt.toISOString() },
    } as const;
    const letter = {
      staff: await findHolders(call.db, ['admin', 'finance_officer'], mda),
      secret: `${actor} approved the collection account of ${mda} that ${requestedBy} asked for: from ${effectiveAt.toISOString()} its money goes to the account ending in ${to}${from === null ? '' : `, not the one ending in ${from}`}.`,
      expiresAt: new Date(at.getTime() + DELAY_MS),
    };
    const steps = [
      ...(waits ? [] : [moveAccount(call, changed)]),
      ...(await raiseAnomalies(call, changed, [found])),
      ...postLetterToAll(call, 'staff/account_changed', changed, letter),
    ];
    const done = await commit(call, { subject: name, guard: changed, steps, operated });
    return done ? getAccountChange(call, name) : undefined;
  });
}

/** Leaves the account as it is: refuses what was asked for, or stops what was approved before it takes effect. */
export function refuseAccountChange(
  call: Call,
  input: { readonly id: string; readonly reason: string },
): Promise<AccountChange> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const change = await getAccountChange(call, input.id);
    const { name, mda, formerAccount } = change;
    if (change.status === 'Refused') return change;
    if (change.appliedAt !== null) throw refuseDecided(change);
    const at = call.now();
    const changed = guard`
      update account_change set status = 'Refused', decided_by = ${call.viewer.actor}, decided_at = ${at},
        decision_note = ${reason}, effective_at = null, updated_at = ${at}
      where name = ${name} and status <> 'Refused' and applied_at is null returning mda`;
    const last4 = { collection_account_last4: endOf(formerAccount) };
    const operated = {
      action: 'agency.account_refused',
      subject: mda,
      before: last4,
      after: { ...last4, account_change: name },
      reason,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getAccountChange(call, name) : undefined;
  });
}

function refuseDecided({ name, status }: AccountChange): Refusal {
  return refuseBecause('account_change_decided', `${name} is ${status} already`);
}
