import type { Call } from '../../../platform/call/call.ts';
import type { Operated } from '../../../platform/change/operation.ts';
import { type Change, commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { LetterKind } from '../../../platform/mail/letters.ts';
import { postLetter } from '../../../platform/mail/send.ts';
import { coversAll } from '../../../platform/access/grants.ts';
import { requestApproval, withdraw } from '../../../collection/approvals/ask.ts';
import { defineApproval, takesApproval } from '../../../collection/approvals/kinds.ts';
import { type Edge, allows } from '../../../kernel/lifecycle.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../../kernel/text/free-text.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { PricingTier } from '../../../generated/prisma/enums.ts';
import { z } from '../../../kernel/zod.ts';
import { checkAgencies } from '../../keys/grants.ts';
import { type Bounds, checkAllowedChannels, checkLimit, requireSome, snapshotBounds } from '../bounds.ts';
import { holdAccount, setAccount } from '../change.ts';
import { type Integrator, getIntegrator } from '../find.ts';
import { type LiveRequest, getLiveRequest } from './find.ts';
import { liveRequestLifecycle } from './lifecycle.ts';
import { say } from '../../../kernel/text/said.ts';

interface Approval {
  readonly id: string;
  /** Agencies; by default those that were asked for. */
  readonly agencies?: readonly string[] | null | undefined;
  readonly channels?: readonly string[] | null | undefined;
  readonly limitPerMinute?: number | null | undefined;
}

/** For how long a decision is worth mailing. */
const MAIL_TTL_MS = 7 * DAY_MS;

/**
 * Lets an account go live within bounds, from its next request on, and mails its owner. Where that takes two operators,
 * it waits until another approves it.
 */
export function approveLiveRequest(call: Call, input: Approval): Promise<LiveRequest> {
  return retryUntilSettled(async () => {
    const { request, account } = await readPending(call, input.id, liveRequestLifecycle.approve);
    const bounds: Bounds = {
      pricingTier: account.pricingTier,
      allowedAgencies: await checkAgencies(
        call,
        'agencies',
        requireSome('agencies', input.agencies ?? request.agencies),
      ),
      allowedChannels: checkAllowedChannels('channels', requireSome('channels', input.channels ?? request.channels)),
      limitPerMinute: checkLimit('limitPerMinute', input.limitPerMinute ?? account.limitPerMinute),
    };
    if (takesApproval(call)) {
      await requestApproval(call, liveApproval, askedOf(account, bounds, { request: request.name }));
      return getLiveRequest(call, request.name);
    }
    return (await commit(call, goLive(call, account, bounds, request.name)))
      ? getLiveRequest(call, request.name)
      : undefined;
  });
}

/** Approval of an account's going live within bounds: as it has requested, or as an operator wants it. */
export const liveApproval = defineApproval({
  kind: 'live',
  proposal: z.object({
    request: z.string().nullable(),
    pricing_tier: z.enum(PricingTier),
    agencies: z.array(z.string()),
    channels: z.array(z.string()),
    limit_per_minute: z.number().nullable(),
  }),
  needs: 'operations.write',
  carryOut: async (call, { subject, proposal }, held) => {
    const { request, agencies, channels, limit_per_minute: limit } = proposal;
    const account =
      request === null
        ? await getIntegrator(call, subject)
        : (await readPending(call, request, liveRequestLifecycle.approve)).account;
    const bounds: Bounds = {
      pricingTier: proposal.pricing_tier,
      allowedAgencies: agencies,
      allowedChannels: channels,
      limitPerMinute: limit,
    };
    return goLive(call, account, bounds, request, held);
  },
});

/** Request of an account to go live within bounds. */
export function askedOf(
  { code }: Integrator,
  { pricingTier, allowedAgencies, allowedChannels, limitPerMinute }: Bounds,
  { request = null, reason = null }: { readonly request?: string | null; readonly reason?: string | null },
) {
  const proposal = {
    request,
    pricing_tier: pricingTier,
    agencies: [...allowedAgencies],
    channels: [...allowedChannels],
    limit_per_minute: limitPerMinute,
  };
  return { subject: code, about: [code], proposal, reason };
}

/** The change by which an account goes live, while a step yields a row where one is given. */
function goLive(call: Call, account: Integrator, bounds: Bounds, request: string | null, whileHeld?: Step): Change {
  const { code, tier } = account;
  const after = { ...account, ...bounds, tier: 'live' as const };
  const at = call.now();
  const { from, to } = liveRequestLifecycle.approve;
  const held = holdAccount(code, account);
  const allowed = whileHeld ? sql`exists (select from ${whileHeld})` : sql`true`;
  const changed =
    request === null
      ? guard`select h.code as integrator from ${held} h where ${allowed}`
      : guard`
      update live_request r set status = ${to}::live_request_status, decided_by = ${call.viewer.actor},
        decided_at = ${at}, updated_at = ${at}, approved_agencies = ${[...bounds.allowedAgencies]},
        approved_channels = ${[...bounds.allowedChannels]}, limit_per_minute = ${bounds.limitPerMinute}
      from ${held} h where r.name = ${request} and r.integrator = h.code
        and r.status = any(${from}::live_request_status[]) and ${allowed}
      returning r.name, r.integrator`;
  const operated: Operated = {
    action: 'integrator.approve_live',
    subject: code,
    before: { tier, ...snapshotBounds(account) },
    after: { tier: after.tier, ...snapshotBounds(after), ...(request !== null && { request }) },
    reason: null,
  };
  const letters = request === null ? [] : [postDecision(call, 'live_approved', changed, describeBounds(bounds))];
  return { subject: request, guard: changed, steps: [setAccount(call, changed, after), ...letters], operated };
}

/** Refuses a request, and mails its owner why. They may ask again. */
export function refuseLiveRequest(call: Call, input: { id: string; reason: string }): Promise<LiveRequest> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const { request, account } = await readPending(call, input.id, liveRequestLifecycle.refuse);
    const at = call.now();
    const { from, to } = liveRequestLifecycle.refuse;
    const changed = guard`
      update live_request set status = ${to}::live_request_status, reason = ${reason},
        decided_by = ${call.viewer.actor}, decided_at = ${at}, updated_at = ${at}
      where name = ${request.name} and status = any(${from}::live_request_status[]) returning name, integrator`;
    const operated: Operated = {
      action: 'integrator.refuse_live',
      subject: account.code,
      before: null,
      after: { request: request.name },
      reason,
    };
    const steps = [
      postDecision(call, 'live_refused', changed, reason),
      withdraw(call, liveApproval, changed, account.code, 'The request to go live was refused'),
    ];
    return (await commit(call, { subject: request.name, guard: changed, steps, operated }))
      ? getLiveRequest(call, request.name)
      : undefined;
  });
}

/** A request with its account, or why it cannot be decided. */
async function readPending(
  call: Call,
  name: string,
  edge: Edge<LiveRequest['status']>,
): Promise<{ request: LiveRequest; account: Integrator }> {
  const request = await getLiveRequest(call, name);
  if (!allows(edge, request.status))
    throw refuseBecause('live_request_decided', say`${name} is already ${request.status}`);
  const account = await getIntegrator(call, request.integrator);
  if (edge.to === 'Approved' && account.status !== 'Active')
    throw refuseBecause('account_not_active', `${account.code} is ${account.status}; reactivate it first`);
  return { request, account };
}

function postDecision(call: Call, kind: LetterKind, changed: Step, text: string): Step {
  return postLetter(call, kind, sql`${changed}`, text, new Date(call.now().getTime() + MAIL_TTL_MS));
}

/** Bounds as the letter says them. */
function describeBounds({ allowedAgencies, allowedChannels }: Bounds): string {
  const list = new Intl.ListFormat('en-GB');
  const agencies = coversAll(allowedAgencies) ? 'all agencies' : list.format(allowedAgencies);
  return `${agencies}, by ${coversAll(allowedChannels) ? 'all channels' : list.format(allowedChannels)}`;
}
