import { isBeyond } from '../../platform/access/grants.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { askWith, withdraw } from '../../collection/approvals/ask.ts';
import { defineApproval, takesApproval } from '../../collection/approvals/kinds.ts';
import { z } from '../../kernel/zod.ts';
import { expandTypes } from '../events/event-types.ts';
import { DEFAULT_ENDPOINT, ownerOf } from '../events/owner.ts';
import { ENABLED } from './default.ts';
import type { Settings } from './settings.ts';

/** Approval of another address, or of more messages, for an endpoint of operators. */
export const endpointApproval = defineApproval({
  kind: 'endpoint',
  /** `*` alone stands for all types or agencies. */
  proposal: z.object({ url: z.string(), types: z.array(z.string()), agencies: z.array(z.string()), label: z.string() }),
  needs: 'operations.write',
  carryOut: async (call, { subject, proposal }, held) => {
    const before = await call.db.row<Settings & { updatedAt: Date }>(sql`
      select url, types, agencies, label, updated_at as "updatedAt" from webhook_endpoint where name = ${subject}`);
    const { updatedAt, ...former } = before!;
    const { url, label } = proposal;
    const [types, agencies] = [proposal.types, proposal.agencies].map((list) => list.filter((one) => one !== '*'));
    const changed = guard`
      update webhook_endpoint e set url = ${url}, types = ${types!}, agencies = ${agencies!}, label = ${label},
        updated_at = ${call.now()} ${ENABLED}
      from ${held} where e.name = ${subject} and e.place is not null and e.updated_at = ${updatedAt} returning e.name`;
    return {
      subject,
      guard: changed,
      operated: {
        action: 'webhook_endpoint.approve',
        subject,
        before: former,
        after: { url, types, agencies, label },
        reason: null,
      },
    };
  },
  // One that was to be added leaves its place.
  lapse: async ({ now }, lapsed) => ({
    steps: [
      step('lapsed')`
    update webhook_endpoint e set place = null, updated_at = ${now()} from ${lapsed} l
    where e.name = l.subject and e.url is null and not e.is_default`,
    ],
  }),
});

/** True if an endpoint of operators gets another address, or more messages, which takes two people on a live rail. */
export function widensEndpoint(call: Call, after: Settings, before: Settings | null): boolean {
  if (!takesApproval(call) || ownerOf(call.viewer).integrator !== DEFAULT_ENDPOINT) return false;
  return (
    after.url !== before?.url ||
    isBeyond(orAll(expandTypes(after.types)), orAll(expandTypes(before.types))) ||
    isBeyond(orAll(after.agencies), orAll(before.agencies))
  );
}

/** The step that asks for settings of an endpoint, with a change. */
export function askForEndpoint(
  call: Call,
  changed: Step,
  name: string,
  { url, types, agencies, label }: Settings,
): Promise<Step> {
  const proposal = { url, types: orAll(types), agencies: orAll(agencies), label };
  return askWith(call, endpointApproval, changed, { subject: name, about: [], proposal, reason: null });
}

/** The step that takes back what an endpoint waits for, since it was changed meanwhile. */
export function withdrawEndpoint(call: Call, changed: Step, name: string): Step {
  return withdraw(call, endpointApproval, changed, name, 'The endpoint was changed');
}

const orAll = (list: readonly string[]) => (list.length > 0 ? [...list] : ['*']);
