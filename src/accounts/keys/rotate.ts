import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { refuseRotation } from './approval.ts';
import { refuseForeignKey, refuseTakingOver } from './authority.ts';
import { type ApiKey, getKey } from './find.ts';
import { type Issue, draftKey, insertKey } from './draft.ts';
import { issueAgain } from './issue.ts';
import { keyLifecycle, keyStatusOf } from './lifecycle.ts';
import { findKeyMode } from './mode.ts';

export interface Rotation extends Issue {
  readonly previous: ApiKey;
}

export const MOST_GRACE_HOURS = 168;

/**
 * Issues a key with the same scopes; the one that it replaces works until its grace window ends, and not a moment
 * longer.
 */
export function rotateKey(call: Call, { id, graceHours }: { id: string; graceHours: number }): Promise<Rotation> {
  refuseForeignKey(call.viewer, id);
  return retryUntilSettled(async () => {
    const before = await getKey(call, id);
    await refuseTakingOver(call, before);
    refuseRotation(call, before);
    if (before.origins.length > 0)
      throw new Refusal('validation_failed', `${before.name} is a browser key: issue another, and revoke this one`);
    const at = call.now();
    const status = keyStatusOf(before, at);
    if (!allows(keyLifecycle.rotate, status))
      throw refuseBecause('key_not_active', `${before.name} is ${status}; only an active key can be rotated`);
    const expiresAt = new Date(at.getTime() + graceHours * 3_600_000);
    const changed = guard`
      update api_key set status = ${keyLifecycle.rotate.to}::key_status, expires_at = ${expiresAt}, updated_at = ${at}
      where name = ${before.name} and status = any(${keyLifecycle.rotate.from}::key_status[]) returning name`;
    const { integrator, label, scopes, supervises, counters, managesAccount } = before;
    // If an operator rotates a key, they hold the new one. Otherwise it stays with its holder.
    const issuedBy = call.viewer.kind === 'staff' ? call.viewer.actor : before.issuedBy;
    const grants = { supervises, counters, managesAccount };
    const mode = await findKeyMode(call, integrator);
    const draft = await draftKey(call, { integrator, label, scopes, mode, grants, replaces: before, issuedBy });
    const { key, plaintext } = draft;
    const successor = key.name;
    const operated: Operated = {
      action: 'key.rotate',
      subject: successor,
      before: { key: before.name },
      after: { key: successor },
      reason: null,
    };
    const change = {
      subject: successor,
      guard: changed,
      steps: [step('issued')`${insertKey(sql`${changed}`, draft)}`],
      ...(call.viewer.kind === 'staff' && { operated }),
    };
    if (!(await commit(call, change))) return undefined;
    const previous: ApiKey = { ...before, status: keyLifecycle.rotate.to, expiresAt, updatedAt: at };
    return { key, plaintext, previous };
  });
}

/** The answer to a rotation whose process died before it could give it. */
export async function rotationOf(call: Call, successor: string): Promise<Rotation> {
  const issue = await issueAgain(call, successor);
  return { ...issue, previous: await getKey(call, issue.key.replaces!) };
}

/** The step that brings forward when an account's rolling keys end. */
export function bringKeysForward(integrator: string, seconds: number): Step {
  return step('keys')`
    update api_key set expires_at = expires_at - ${seconds} * interval '1 second'
    where integrator = ${integrator} and status = 'rolling' and expires_at is not null returning name`;
}
