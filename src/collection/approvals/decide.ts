import { refuseDependent } from '../../platform/access/independence.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, readsStep, step } from '../../platform/change/step.ts';
import type { ForbiddenReason, Reason } from '../../kernel/reasons.ts';
import { forbidBecause, refuseBecause } from '../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { getApproval } from './find.ts';
import { type Approval, kindOf } from './kinds.ts';

/** By which codes callers know why they may not decide. */
export interface Codes {
  readonly byAsker: ForbiddenReason;
  readonly decided: Reason;
}

const CODES: Codes = { byAsker: 'approval_by_asker', decided: 'approval_decided' };

/** Approves what somebody else asked for, and carries it out. */
export function approve(call: Call, { id }: { readonly id: string }, codes = CODES): Promise<Approval> {
  return carryOut(call, id, {
    codes,
    admit: async (approval) => {
      requireNeed(call, approval);
      const { askedBy, askedKeyIssuedBy, about } = approval;
      const { actor } = call.viewer;
      if (actor === askedBy || actor === askedKeyIssuedBy)
        throw forbidBecause(codes.byAsker, 'You asked for this: somebody independent of you has to approve it');
      if (about.includes(actor)) throw forbidBecause('own_account', 'This is about you: somebody else has to decide');
      await refuseDependent(call, [askedBy, askedKeyIssuedBy, ...about]);
    },
  });
}

/** Form of a decision: the people who may decide so, and its further effects. */
interface Decision {
  readonly codes?: Codes;
  readonly admit?: (approval: Approval) => Promise<void>;
  readonly also?: (approval: Approval, changed: Step) => Promise<readonly Step[]>;
  readonly note?: string;
}

/** Carries out what was asked for, in the statement that says so. */
export function carryOut(call: Call, id: string, { codes = CODES, admit, also, note }: Decision): Promise<Approval> {
  return retryUntilSettled(async () => {
    const approval = await getWaiting(call, id, codes);
    await admit?.(approval);
    const { name, askedBy, askedReason } = approval;
    const at = call.now();
    const held = step('approval_held')`
      select name from approval where name = ${name} and status = 'Pending' and expires_at > ${at} for no key update`;
    const change = await kindOf(approval).carryOut(call, approval, held);
    if (!readsStep(change.guard, held)) throw new Error(`What ${approval.kind} carries out does not depend on ${name}`);
    const approved = step('approved')`
      update approval set status = 'Approved', decided_by = ${call.viewer.actor}, decided_at = ${at},
        decided_reason = ${note ?? null}, updated_at = ${at}
      where name = ${name} and exists (select from ${change.guard})`;
    const operated = [change.operated ?? []].flat().map((one): Operated => ({
      ...one,
      before: { ...one.before, asked_by: askedBy },
      after: { ...one.after, approval: name },
      // An anomaly that ends with it keeps the outcome that it was given.
      reason: one.action === 'anomaly.resolve' ? one.reason : (note ?? one.reason ?? askedReason),
    }));
    const steps = [...(change.steps ?? []), approved, ...((await also?.(approval, change.guard)) ?? [])];
    return (await commit(call, { ...change, subject: name, steps, operated })) ? getApproval(call, name) : undefined;
  });
}

/** Refuses it; the requester may withdraw it so. */
export function refuse(
  call: Call,
  input: { readonly id: string; readonly reason: string },
  codes = CODES,
): Promise<Approval> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const approval = await getWaiting(call, input.id, codes);
    if (approval.askedBy !== call.viewer.actor) requireNeed(call, approval);
    const { name, kind, subject, askedBy } = approval;
    const at = call.now();
    const changed = guard`
      update approval set status = 'Refused', decided_by = ${call.viewer.actor}, decided_at = ${at},
        decided_reason = ${reason}, updated_at = ${at}
      where name = ${name} and status = 'Pending' returning kind, subject`;
    const lapsed = await kindOf(approval).lapse?.(call, changed, subject);
    const operated = {
      action: 'approval.refuse',
      subject,
      before: { asked_by: askedBy },
      after: { approval: name, kind },
      reason,
    };
    const change = { ...lapsed, subject: name, guard: changed, operated };
    return (await commit(call, change)) ? getApproval(call, name) : undefined;
  });
}

function requireNeed({ viewer }: Call, approval: Approval): void {
  const refusal = findRefusal(viewer, kindOf(approval).needs);
  if (refusal) throw refusal;
}

async function getWaiting(call: Call, id: string, { decided }: Codes): Promise<Approval> {
  const approval = await getApproval(call, id);
  const { name, status, expiresAt } = approval;
  if (status !== 'Pending') throw refuseBecause(decided, `${name} is ${status} already`);
  if (expiresAt <= call.now()) throw refuseBecause(decided, `${name} has expired`);
  return approval;
}
