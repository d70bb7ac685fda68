import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { HOUR_MS } from '../../kernel/time.ts';
import { keyLifecycle, keyStatusOf } from '../keys/lifecycle.ts';
import { type AgencyKey, getAgencyKey } from './find.ts';
import { readPublicKey } from './public-key.ts';
import { takesApproval } from '../../collection/approvals/kinds.ts';
import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import { agencyKeyApproval, askForAgencyKey } from './approval.ts';
import { draftAgencyKey, insertAgencyKey, refuseKnown } from './register.ts';

export interface AgencyKeyRoll {
  readonly key: AgencyKey;
  readonly previous: AgencyKey;
  /** End of the old key; for a new one that waits, as if it were approved now. */
  readonly graceEndsAt: Date;
}

/**
 * Registers a key to replace another, with the same scopes; the former one works until its grace window ends. On a live
 * rail that begins once another operator approves the key.
 */
export async function rollAgencyKey(
  call: Call,
  { id, publicKey: given, graceHours }: { id: string; publicKey?: unknown; graceHours: number },
): Promise<AgencyKeyRoll> {
  const publicKey = await readPublicKey('publicKey', given);
  return retryUntilSettled(async () => {
    const before = await getAgencyKey(call, id);
    const at = call.now();
    const status = keyStatusOf(before, at);
    if (!allows(keyLifecycle.rotate, status))
      throw refuseBecause('key_not_active', `${before.name} is ${status}; only an active key can be rolled`);
    const expiresAt = new Date(at.getTime() + graceHours * HOUR_MS);
    const waits = takesApproval(call);
    const held = guard`
      select name from agency_key where name = ${before.name} and status = any(${keyLifecycle.rotate.from}::key_status[])
      for no key update`;
    const ended = guard`
      update agency_key set status = ${keyLifecycle.rotate.to}::key_status, expires_at = ${expiresAt}, updated_at = ${at}
      where name = ${before.name} and status = any(${keyLifecycle.rotate.from}::key_status[]) returning name`;
    const changed = waits ? held : ended;
    const key = await draftAgencyKey(call, before, publicKey, before);
    const { name, kid, thumbprint } = key;
    const registered = step('registered')`${insertAgencyKey(sql`${changed}`, key)}`;
    const asked = waits ? await askForAgencyKey(call, registered, key, graceHours) : [];
    const rolled = await refuseKnown(() =>
      commit(call, {
        subject: name,
        guard: changed,
        steps: [registered, ...asked],
        operated: {
          action: 'agency_key.roll',
          subject: name,
          before: { key: before.name },
          after: {
            key: name,
            kid,
            thumbprint,
            ...(waits ? { grace_hours: graceHours } : { former_until: expiresAt.toISOString() }),
          },
          reason: null,
        },
      }),
    );
    if (!rolled) return undefined;
    const previous = waits ? before : { ...before, status: keyLifecycle.rotate.to, expiresAt, updatedAt: at };
    return { key, previous, graceEndsAt: expiresAt };
  });
}

/** The answer to a roll whose process died before it could give it. */
export async function agencyKeyRollOf(call: Call, successor: string): Promise<AgencyKeyRoll> {
  const key = await getAgencyKey(call, successor);
  const previous = await getAgencyKey(call, key.replaces!);
  const asked = await pendingApprovalOf(call, agencyKeyApproval, successor);
  const hours = asked ? (agencyKeyApproval.read(asked.proposal).grace_hours ?? 0) : 0;
  const graceEndsAt = previous.expiresAt ?? new Date(call.now().getTime() + hours * HOUR_MS);
  return { key, previous, graceEndsAt };
}
