import type { Call } from '../platform/call/call.ts';
import { commit, retryUntilSettled } from '../platform/change/commit.ts';
import type { IntegratorTier } from '../generated/prisma/enums.ts';
import { type OperatorsPart, changeAccount } from '../accounts/integrators/change.ts';
import { type Integrator, getIntegrator } from '../accounts/integrators/find.ts';
import { integratorLifecycle } from '../accounts/integrators/lifecycle.ts';
import { allows } from '../kernel/lifecycle.ts';
import { Refusal } from '../kernel/refusal.ts';
import { readText, requireText } from '../kernel/text/free-text.ts';

export interface AccountChanges {
  readonly id: string;
  readonly tier?: IntegratorTier | null | undefined;
  readonly notes?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** Changes what operators decide of an account: its tier, and what they write down about it. */
export function amendIntegrator(call: Call, changes: AccountChanges): Promise<Integrator> {
  const reason = readText('reason', changes.reason, 280);
  return commitAmendment(call, changes.id, (before) => {
    const tier = changes.tier ?? before.tier;
    const notes = changes.notes === undefined ? before.notes : readText('notes', changes.notes, 4_000);
    if (tier === before.tier && notes === before.notes) return null;
    const shown = { was: { tier: before.tier, notes: before.notes }, is: { tier, notes } };
    return { after: { ...before, tier, notes }, action: 'integrator.amend', ...shown, reason };
  });
}

/** Suspends an account, whose keys and sessions answer 401 from the very next request on, or takes that back. */
export function moveIntegrator(
  call: Call,
  action: 'suspend' | 'reactivate',
  input: { id: string; reason: string },
): Promise<Integrator> {
  const reason = requireText('reason', input.reason, 280);
  const { from, to } = integratorLifecycle[action];
  return commitAmendment(call, input.id, (before) => {
    const { status, name } = before;
    if (!allows({ from }, status))
      throw new Refusal(
        'validation_failed',
        `${name} is ${status}; only an ${from.join(' or ')} integrator can be moved to ${to}`,
      );
    const after = { ...before, status: to, suspendedReason: action === 'suspend' ? reason : null };
    return { after, action: `integrator.${action}`, was: { status }, is: { status: to }, reason };
  });
}

interface Amendment {
  readonly after: OperatorsPart;
  readonly action: string;
  readonly was: Readonly<Record<string, unknown>>;
  readonly is: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
}

/** Makes a change of an account as it was read, with its audit entry; null: there is nothing to change. */
function commitAmendment(
  call: Call,
  code: string,
  decide: (before: Integrator) => Amendment | null,
): Promise<Integrator> {
  return retryUntilSettled(async () => {
    const before = await getIntegrator(call, code);
    const amendment = decide(before);
    if (!amendment) return before;
    const { after, action, was, is, reason } = amendment;
    const operated = { action, subject: code, before: was, after: is, reason };
    const changed = changeAccount(call, code, before, after);
    return (await commit(call, { subject: code, guard: changed, operated })) ? getIntegrator(call, code) : undefined;
  });
}
