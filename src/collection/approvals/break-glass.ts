import type { Call } from '../../platform/call/call.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { raiseAlone } from './alone.ts';
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
    also: ({ name, kind, subject, askedBy, mdas }, changed) => {
      const evidence = { approval: name, approval_kind: kind, about: subject, asked_by: askedBy, reason };
      return raiseAlone(
        call,
        changed,
        { kind: 'approved_alone', subject: name, mdas, evidence },
        `${name} (${kind}, ${subject}), which ${askedBy} had asked for, was approved at the machine without a second person: ${reason}`,
      );
    },
  });
}
