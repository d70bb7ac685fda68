import { ROLES, type Role } from '../../platform/access/needs.ts';
import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { reportAlone } from '../../collection/approvals/alone.ts';
import { askWith, withdraw } from '../../collection/approvals/ask.ts';
import { type Codes, approve, refuse } from '../../collection/approvals/decide.ts';
import { type ApprovalFilter, getApproval, listApprovals } from '../../collection/approvals/find.ts';
import { type Approval, defineApproval, takesApproval } from '../../collection/approvals/kinds.ts';
import { Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { z } from '../../kernel/zod.ts';
import { getStaff } from '../staff/find.ts';
import { notifyOfRoles } from '../staff/notify.ts';
import { isCommandLine, requireAuthority } from '../staff/authority.ts';
import { say } from '../../kernel/text/said.ts';

/** Roles that move money or decide on it, or give such roles: they take two people on a live rail. */
const TAKE_TWO: readonly Role[] = ['clerk', 'supervisor', 'admin', 'system_manager', 'finance_officer'];

/** Roles of somebody, and the agencies that they are bound to; none: all. */
interface Place {
  readonly roles: readonly string[];
  readonly agencies: readonly string[];
}

/** Parts that another person has to approve: roles, and the agencies of all roles that take two. */
interface Waiting {
  readonly roles: readonly Role[];
  readonly agencies: readonly string[];
}

/**
 * Divides a change into the part that is given at once, and the part that another person approves: new roles, and more
 * agencies for roles that they have. Null if nothing waits.
 */
export function divide(
  call: Call,
  asked: Place,
  had: Place,
): { readonly roles: string[]; readonly agencies: readonly string[]; readonly waiting: Waiting | null } {
  const live = takesApproval(call);
  const take = live ? TAKE_TWO : isCommandLine(call.viewer) ? [] : (['admin'] as const);
  const added = take.filter((role) => asked.roles.includes(role) && !had.roles.includes(role));
  const held = take.filter((role) => asked.roles.includes(role) && had.roles.includes(role));
  const widens = live && held.length > 0 && !isWithin(asked.agencies, had.agencies);
  return {
    roles: asked.roles.filter((role) => !(added as readonly string[]).includes(role)),
    agencies: widens ? had.agencies : asked.agencies,
    waiting: added.length > 0 || widens ? { roles: added.length > 0 ? added : held, agencies: asked.agencies } : null,
  };
}

/** True if the agencies that somebody is bound to are among others; none stands for all. */
function isWithin(agencies: readonly string[], others: readonly string[]): boolean {
  return others.length === 0 || (agencies.length > 0 && agencies.every((agency) => others.includes(agency)));
}

/** The steps that report roles that take two people and were given without a second one: at the machine itself. */
export async function reportRoles(
  call: Call,
  changed: Step,
  operated: Operated,
  given: readonly string[],
  had: readonly string[] = [],
): Promise<Step[]> {
  return TAKE_TWO.some((role) => given.includes(role) && !had.includes(role))
    ? reportAlone(call, changed, operated)
    : [];
}

/** Approval of further roles of a member of staff, for agencies. */
export const rolesApproval = defineApproval({
  kind: 'roles',
  proposal: z.object({
    roles: z.array(z.enum(ROLES)),
    /** `*` alone for all. */
    agencies: z.array(z.string()),
  }),
  needs: 'operations.write',
  carryOut: async (call, { subject, proposal }, held) => {
    const { email, roles: before, agencies: bound, status } = await getStaff(call, subject);
    requireAuthority(call.viewer, [...before, ...proposal.roles]);
    if (status === 'Deactivated') throw refuseBecause('staff_not_active', `${email} is deactivated`, 'email');
    const roles = ROLES.filter((role) => before.includes(role) || proposal.roles.includes(role));
    const agencies = proposal.agencies.filter((agency) => agency !== '*');
    const changed = guard`
      update staff u set roles = ${roles}, agencies = ${agencies}, updated_at = ${call.now()} from ${held}
      where u.email = ${email} and u.roles = ${[...before]} and u.agencies = ${[...bound]}
        and u.deactivated_at is null returning u.email`;
    return {
      subject: email,
      guard: changed,
      steps: notifyOfRoles(call, changed, before, roles),
      operated: {
        action: 'staff.approve_roles',
        subject: email,
        before: { roles: before, agencies: bound },
        after: { roles, agencies },
        reason: null,
      },
    };
  },
});

/** The step that asks, with a change, for what waits; what waited otherwise is taken back. */
export function askForRoles(
  call: Call,
  changed: Step,
  email: string,
  waiting: Waiting | null,
  reason: string | null,
): Promise<Step> | Step {
  if (!waiting) return withdrawRoles(call, changed, email, 'Other roles or agencies were given');
  const { roles, agencies } = waiting;
  return askWith(call, rolesApproval, changed, {
    subject: email,
    about: [email],
    proposal: { roles: [...roles], agencies: agencies.length > 0 ? [...agencies] : ['*'] },
    reason,
  });
}

/** Waiting part of a change, for the audit. */
export function auditable(waiting: Waiting | null) {
  return waiting ? { asks: waiting.roles, asks_agencies: waiting.agencies } : {};
}

/** The step that takes back the roles that somebody waits for. */
export function withdrawRoles(call: Call, changed: Step, email: string, reason: string): Step {
  return withdraw(call, rolesApproval, changed, email, reason);
}

/** The part of these approvals that has a name of its own: that somebody be made an admin. */
const ADMINS = sql`(r.kind = 'roles' and r.proposal -> 'roles' ? 'admin')`;
const CODES: Codes = { byAsker: 'grant_by_asker', decided: 'grant_decided' };

export function listAdminGrants(call: Call, filter: ApprovalFilter, page: PageArgs): Promise<Page<Approval>> {
  return listApprovals(call, filter, page, ADMINS);
}

export async function getAdminGrant(call: Call, name: string): Promise<Approval> {
  const grant = await getApproval(call, name);
  if (!isAdminGrant(grant)) throw new Refusal('not_found', say`The request does not exist`);
  return grant;
}

function isAdminGrant({ kind, proposal }: Approval): boolean {
  return kind === rolesApproval.kind && rolesApproval.read(proposal).roles.includes('admin');
}

export async function approveAdminGrant(call: Call, input: { readonly id: string }): Promise<Approval> {
  return approve(call, { id: (await getAdminGrant(call, input.id)).name }, CODES);
}

export async function refuseAdminGrant(
  call: Call,
  input: { readonly id: string; readonly reason: string },
): Promise<Approval> {
  return refuse(call, { ...input, id: (await getAdminGrant(call, input.id)).name }, CODES);
}
