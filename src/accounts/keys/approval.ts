import type { Grants } from '../../platform/access/grants.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { askWith } from '../../collection/approvals/ask.ts';
import { defineApproval, takesApproval } from '../../collection/approvals/kinds.ts';
import { forbidBecause, refuseBecause } from '../../kernel/refusal.ts';
import { z } from '../../kernel/zod.ts';
import { type ApiKey, getKey } from './find.ts';
import { keyLifecycle } from './lifecycle.ts';

/** True if an operator's new key takes two people on a live rail: it moves money, decides on it, or manages an account. */
export function takesTwo({
  supervises,
  counters,
  managesAccount,
  scopes,
}: Grants & { readonly scopes: readonly string[] }) {
  return supervises.length > 0 || counters.length > 0 || managesAccount || scopes.includes('payments.split');
}

/** True if a key that the caller issues as an operator waits for approval. */
export function waitsForApproval(call: Call, key: Grants & { readonly scopes: readonly string[] }): boolean {
  return takesApproval(call) && takesTwo(key);
}

/** Refuses operators a rotation by which they would hold alone what takes two to issue. */
export function refuseRotation(call: Call, key: ApiKey): void {
  if (call.viewer.kind === 'staff' && waitsForApproval(call, key))
    throw forbidBecause(
      'key_takes_approval',
      `What ${key.name} may do takes two operators: issue another key, which somebody else approves, and revoke this one`,
    );
}

/** Approval of a key that was issued. */
export const keyApproval = defineApproval({
  kind: 'key',
  proposal: z.object({
    integrator: z.string(),
    label: z.string(),
    scopes: z.array(z.string()),
    supervises: z.array(z.string()),
    counters: z.array(z.string()),
    manages_account: z.boolean(),
  }),
  needs: 'operations.write',
  carryOut: async (call, { subject }, held) => {
    const { name, status } = await getKey(call, subject);
    const { from, to } = keyLifecycle.approve;
    if (status !== from[0]) throw refuseBecause('key_not_active', `${name} is ${status}`);
    const changed = guard`
      update api_key k set status = ${to}::key_status, updated_at = ${call.now()} from ${held}
      where k.name = ${name} and k.status = any(${from}::key_status[]) returning k.name`;
    return {
      subject: name,
      guard: changed,
      operated: { action: 'key.approve', subject: name, before: { status }, after: { status: to }, reason: null },
    };
  },
  lapse: async ({ now }, lapsed) => ({
    steps: [
      step('lapsed')`
    update api_key k set status = ${keyLifecycle.revoke.to}::key_status, revoked_at = ${now()},
      revoked_reason = 'It was not approved', updated_at = ${now()}
    from ${lapsed} l where k.name = l.subject and k.status = any(${keyLifecycle.approve.from}::key_status[])`,
    ],
  }),
});

/** The step that asks, with the insertion of a key, that it may be used. */
export function askForKey(
  call: Call,
  inserted: Step,
  { name, integrator, label, scopes, supervises, counters, managesAccount }: ApiKey,
): Promise<Step> {
  return askWith(call, keyApproval, inserted, {
    subject: name,
    about: [integrator],
    proposal: {
      integrator,
      label,
      scopes: [...scopes],
      supervises: [...supervises],
      counters: [...counters],
      manages_account: managesAccount,
    },
    reason: null,
  });
}
