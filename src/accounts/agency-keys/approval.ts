import { findHolders } from '../../platform/access/holders.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { postLetterToAll } from '../../platform/mail/send.ts';
import { askWith } from '../../collection/approvals/ask.ts';
import { defineApproval } from '../../collection/approvals/kinds.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { z } from '../../kernel/zod.ts';
import { keyLifecycle } from '../keys/lifecycle.ts';
import { type AgencyKey, getAgencyKey } from './find.ts';

/** Approval of a key of an agency, and of its replacement of another if it names one. */
export const agencyKeyApproval = defineApproval({
  kind: 'agency_key',
  proposal: z.object({
    agency: z.string(),
    label: z.string(),
    scopes: z.array(z.string()),
    thumbprint: z.string(),
    replaces: z.string().nullable(),
    grace_hours: z.number().nullable(),
  }),
  needs: 'operations.write',
  carryOut: async (call, { subject, askedBy, proposal }, held) => {
    const { name, mda, status, thumbprint } = await getAgencyKey(call, subject);
    const { approve, rotate } = keyLifecycle;
    if (status !== approve.from[0]) throw refuseBecause('key_not_active', `${name} is ${status}`);
    const at = call.now();
    const changed = guard`
      update agency_key k set status = ${approve.to}::key_status, updated_at = ${at} from ${held}
      where k.name = ${name} and k.status = any(${approve.from}::key_status[]) returning k.name`;
    const { replaces, grace_hours: hours } = proposal;
    const rolled = step('rolled')`
      update agency_key k set status = ${rotate.to}::key_status, updated_at = ${at},
        expires_at = ${at}::timestamptz + ${hours}::int * interval '1 hour'
      from ${changed} where k.name = ${replaces} and k.status = any(${rotate.from}::key_status[])`;
    const letter = `${call.viewer.actor} approved a key of ${mda} that ${askedBy} asked for: ${name}. Compare its thumbprint with the one of the agency: ${thumbprint}. An operator can revoke it.`;
    return {
      subject: name,
      guard: changed,
      steps: [...(replaces === null ? [] : [rolled]), ...(await notifyAgency(call, changed, mda, letter))],
      operated: {
        action: 'agency_key.approve',
        subject: name,
        before: { status },
        after: { status: approve.to, thumbprint, ...(replaces !== null && { replaces }) },
        reason: null,
      },
    };
  },
  lapse: async ({ now }, lapsed) => ({
    steps: [
      step('lapsed')`
    update agency_key k set status = ${keyLifecycle.revoke.to}::key_status, revoked_at = ${now()},
      revoked_reason = 'It was not approved', updated_at = ${now()}
    from ${lapsed} l where k.name = l.subject and k.status = any(${keyLifecycle.approve.from}::key_status[])`,
    ],
  }),
});

/** The steps that ask, with the insertion of a key of an agency, that it may be used; its finance officers get mail. */
export async function askForAgencyKey(
  call: Call,
  inserted: Step,
  { name, mda, label, scopes, thumbprint, replaces }: AgencyKey,
  graceHours: number | null,
): Promise<Step[]> {
  const proposal = { agency: mda, label, scopes: [...scopes], thumbprint, replaces, grace_hours: graceHours };
  const letter = `${call.viewer.actor} asks that a key may be used for ${mda}: ${name}. Compare its thumbprint with the one of the agency: ${thumbprint}. Another operator has to approve it.`;
  return [
    await askWith(call, agencyKeyApproval, inserted, { subject: name, about: [], mdas: [mda], proposal, reason: null }),
    ...(await notifyAgency(call, inserted, mda, letter)),
  ];
}

/** The steps that mail all admins and the finance officers of an agency. */
async function notifyAgency(call: Call, changed: Step, mda: string, secret: string): Promise<Step[]> {
  const staff = await findHolders(call.db, ['admin', 'finance_officer'], mda);
  const expiresAt = new Date(call.now().getTime() + DAY_MS);
  return postLetterToAll(call, 'staff/agencies/key', changed, { staff, secret, expiresAt });
}
