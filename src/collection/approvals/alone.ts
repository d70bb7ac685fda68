import { findHolders } from '../../platform/access/holders.ts';
import type { Operated } from '../../platform/change/operation.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Step } from '../../platform/change/step.ts';
import { postLetterToAll } from '../../platform/mail/send.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Finding, raiseAnomalies } from '../anomalies/raise.ts';

/** The steps that raise an anomaly with what one person did alone on a live rail, and mail it to all other admins. */
export async function raiseAlone(call: Call, changed: Step, finding: Finding, said: string): Promise<Step[]> {
  const admins = await findHolders(call.db, ['admin']);
  return [
    ...(await raiseAnomalies(call, changed, [finding])),
    ...postLetterToAll(call, 'staff/alone', changed, {
      staff: admins.filter((email) => email !== call.viewer.actor),
      secret: said,
      expiresAt: new Date(call.now().getTime() + DAY_MS),
    }),
  ];
}

/**
 * The steps that report a change that moves money or gives access, and that one person made alone: of less than takes
 * two, or at the machine itself. None in a sandbox.
 */
export async function reportAlone(
  call: Call,
  changed: Step,
  { action, subject, before, after, reason }: Operated,
  mdas: readonly string[] = [],
): Promise<Step[]> {
  if (call.config.mode !== 'live') return [];
  const { actor } = call.viewer;
  const evidence = { action, about: subject, operated_by: actor, before, after, reason };
  const finding = { kind: 'operated_alone', subject: `${subject}:${call.requestId}`, mdas, evidence } as const;
  return raiseAlone(
    call,
    changed,
    finding,
    `${actor} did alone: ${action} of ${subject}${reason ? `: ${reason}` : ''}`,
  );
}
