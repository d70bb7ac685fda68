import type { Call } from '../../platform/call/call.ts';
import { queueForEach } from '../../platform/change/outbox.ts';
import { type Step, step } from '../../platform/change/step.ts';
import type { Notice } from './find.ts';
import { snapshotNotice } from './snapshot.ts';

/** Whether a notice is for integrators: for everybody, or for the room that they have. */
export const isForIntegrators = ({ rooms }: Pick<Notice, 'rooms'>): boolean =>
  rooms.length === 0 || rooms.includes('dashboard');

/**
 * Whom a notice is told to: every Active integrator with an endpoint, each with a place in the order of messages; or
 * nobody.
 */
export const audience = (isForThem: boolean): Step => step('audience')`
  select code as integrator, row_number() over (order by code) as place from integrator
  where ${isForThem} and status = 'Active' and webhook_endpoint is not null`;

/**
 * The step that sends all of them a notice as it is after a change. The guard yields `told`, how many messages reported
 * the notice before: the sequence grows from one change to the next, for each integrator.
 */
export function tellAll(
  call: Call,
  changed: Step,
  told: Step,
  type: 'notice.published' | 'notice.withdrawn',
  notice: Notice,
): Step {
  const recipients = step('recipients')`
    select a.integrator, (c.told + a.place)::int as sequence from ${changed} c, ${told} a`;
  return queueForEach(call, recipients, { type, object: notice.name, payload: snapshotNotice(notice) });
}
