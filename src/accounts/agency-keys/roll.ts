import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { keyLifecycle, keyStatusOf } from '../keys/lifecycle.ts';
import { type AgencyKey, getAgencyKey } from './find.ts';
import { readPublicKey } from './public-key.ts';
import { draftAgencyKey, insertAgencyKey, refuseKnown } from './register.ts';

export interface AgencyKeyRoll {
  readonly key: AgencyKey;
  readonly previous: AgencyKey;
}

/** Registers a key to replace another, with the same scopes; the former one works until its grace window ends. */
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
    const expiresAt = new Date(at.getTime() + graceHours * 3_600_000);
    const changed = guard`
      update agency_key set status = ${keyLifecycle.rotate.to}::key_status, expires_at = ${expiresAt}, updated_at = ${at}
      where name = ${before.name} and status = any(${keyLifecycle.rotate.from}::key_status[]) returning name`;
    const key = await draftAgencyKey(call, before, publicKey, before);
    const { name, kid, thumbprint } = key;
    const rolled = await refuseKnown(() =>
      commit(call, {
        subject: name,
        guard: changed,
        steps: [step('registered')`${insertAgencyKey(sql`${changed}`, key)}`],
        operated: {
          action: 'agency_key.roll',
          subject: name,
          before: { key: before.name },
          after: { key: name, kid, thumbprint, former_until: expiresAt.toISOString() },
          reason: null,
        },
      }),
    );
    if (!rolled) return undefined;
    return { key, previous: { ...before, status: keyLifecycle.rotate.to, expiresAt, updatedAt: at } };
  });
}

/** The answer to a roll whose process died before it could give it. */
export async function agencyKeyRollOf(call: Call, successor: string): Promise<AgencyKeyRoll> {
  const key = await getAgencyKey(call, successor);
  return { key, previous: await getAgencyKey(call, key.replaces!) };
}
