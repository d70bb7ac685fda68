import type { Call } from '../../platform/call/call.ts';
import { findHolders } from '../../platform/access/holders.ts';
import { postLetterToAll } from '../../platform/mail/send.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { raiseAnomalies } from '../anomalies/raise.ts';
import { carryOut } from './decide.ts';
import type { Approval } from './kinds.ts';

/**
 * Carries out what was asked for without a second person: at the machine itself, where a rail has nobody independent
 * who could approve it. It raises an anomaly, and all admins are told by mail.
 */
export async function approveAlone(
  call: Call,
  input: { readonly id: string; readonly reason: string },
): Promise<Approval> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return carryOut(call, input.id, {
    note: reason,
    also: async ({ name, kind, subject, askedBy, mdas }, changed) => {
      const evidence = { approval: name, approval_kind: kind, about: subject, asked_by: askedBy, reason };
      return [
        ...(await raiseAnomalies(call, changed, [{ kind: 'approved_alone', subject: name, mdas, evidence }])),
        ...postLetterToAll(call, 'staff/approved_alone', changed, {
          staff: await findHolders(call.db, ['admin']),
          secret: `${name} (${kind}, ${subject}), which ${askedBy} had asked for, was approved at the machine without a second person: ${reason}`,
          expiresAt: new Date(call.now().getTime() + DAY_MS),
        }),
      ];
    },
  });
}
