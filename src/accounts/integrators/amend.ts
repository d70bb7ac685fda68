import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { askWith, withdraw } from '../../collection/approvals/ask.ts';
import { takesApproval } from '../../collection/approvals/kinds.ts';
import type { IntegratorTier, PricingTier } from '../../generated/prisma/enums.ts';
import { checkAllowedChannels, checkLimit, snapshotBounds, widens, type Bounds } from './bounds.ts';
import { type OperatorsPart, holdAccount, setAccount } from './change.ts';
import { type Integrator, getIntegrator } from './find.ts';
import { askedOf, liveApproval } from './going-live/decide.ts';
import { integratorLifecycle } from './lifecycle.ts';
import { checkAgencies } from '../keys/grants.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readText, requireText } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';

export interface AccountChanges {
  readonly id: string;
  readonly tier?: IntegratorTier | null | undefined;
  readonly pricingTier?: PricingTier | null | undefined;
  readonly allowedChannels?: readonly string[] | null | undefined;
  readonly allowedAgencies?: readonly string[] | null | undefined;
  /** Null takes the limit away: the pricing tier decides again. */
  readonly limitPerMinute?: number | null | undefined;
  readonly notes?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Changes what operators decide of an account: its tiers, the channels and agencies that it may use, how many requests
 * it may send, and what they write down about it. All of it holds from the very next request on, except what takes two
 * operators and is asked for: a live tier, and more than a live account may use.
 */
export async function amendIntegrator(call: Call, changes: AccountChanges): Promise<Integrator> {
  const reason = readText('reason', changes.reason, 280);
  const { allowedChannels: channels, allowedAgencies: agencies, limitPerMinute: limit, notes } = changes;
  const given = {
    ...(changes.tier && { tier: changes.tier }),
    ...(changes.pricingTier && { pricingTier: changes.pricingTier }),
    ...(channels && { allowedChannels: checkAllowedChannels('allowedChannels', channels) }),
    ...(agencies && { allowedAgencies: await checkAgencies(call, 'allowedAgencies', agencies) }),
    ...(limit !== undefined && { limitPerMinute: checkLimit('limitPerMinute', limit) }),
    ...(notes !== undefined && { notes: readText('notes', notes, 4_000) }),
  };
  return commitAmendment(call, changes.id, (before) => {
    const wanted = { ...before, ...given };
    const waits = wanted.tier === 'live' && takesApproval(call) && (before.tier !== 'live' || widens(wanted, before));
    // A live account keeps its bounds until another operator approves the others.
    const after = !waits
      ? wanted
      : before.tier === 'live'
        ? { ...wanted, ...boundsOf(before) }
        : { ...wanted, tier: before.tier };
    const [was, is] = [snapshot(before), snapshot(after)];
    if (waits) {
      const also = (changed: Step) => askWith(call, liveApproval, changed, askedOf(before, wanted, { reason }));
      const asks = { tier: 'live', ...snapshotBounds(wanted) };
      return { after, action: 'integrator.amend', was, is: { ...is, asks }, reason, also };
    }
    if (isDeepStrictEqual(was, is)) return null;
    // The pending request no longer fits the account, so it is withdrawn.
    const also = (changed: Step) => withdraw(call, liveApproval, changed, before.code, 'Other bounds were set');
    const lapses = !isDeepStrictEqual(snapshotBounds(before), snapshotBounds(after));
    return { after, action: 'integrator.amend', was, is, reason, ...(lapses && { also }) };
  });
}

function boundsOf({ pricingTier, allowedAgencies, allowedChannels, limitPerMinute }: Bounds): Bounds {
  return { pricingTier, allowedAgencies, allowedChannels, limitPerMinute };
}

function snapshot(account: OperatorsPart) {
  const { tier, notes } = account;
  return { tier, ...snapshotBounds(account), notes };
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
        say`${name} is ${status}; only an ${from.join(' or ')} integrator can be moved to ${to}`,
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
  /** Further step with it. */
  readonly also?: (changed: Step) => Promise<Step> | Step;
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
    const { after, action, was, is, reason, also } = amendment;
    const operated = { action, subject: code, before: was, after: is, reason };
    const changed = guard`select code as integrator from ${holdAccount(code, before)}`;
    const steps = [setAccount(call, changed, after), ...(also ? [await also(changed)] : [])];
    return (await commit(call, { subject: code, guard: changed, steps, operated }))
      ? getIntegrator(call, code)
      : undefined;
  });
}
