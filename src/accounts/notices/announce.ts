import type { Call } from '../../platform/call/call.ts';
import { queueForEach } from '../../platform/change/outbox.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { listenersAt } from '../events/listening.ts';
import type { Notice } from './find.ts';
import { snapshotNotice } from './snapshot.ts';

/** True if a notice is for integrators: for everybody, or for the room that they have. */
export const isForIntegrators = ({ rooms }: Pick<Notice, 'rooms'>): boolean =>
  rooms.length === 0 || rooms.includes('dashboard');

/**
 * Audience of a notice: every Active integrator that listens, and every agency that does, each with a place in the
 * order of messages; or nobody. Of agencies that a notice names, only these.
 */
export const audience = (isForThem: boolean, mdas: readonly string[], at: Date): Step => step('audience')`
  select l.integrator, l.agency, row_number() over (order by l.integrator, l.agency) as place
  from ${listenersAt(at)} l left join integrator i on i.code = l.integrator
  where ${isForThem} and (i.status = 'Active'
    or l.agency is not null and (${mdas.length === 0} or l.agency = any(${[...mdas]})))`;

/**
 * The step that sends all of them a notice as it is after a change. The guard yields `told`, how many messages reported
 * the notice before: the sequence grows from one change to the next, for each of them.
 */
export function announce(
  call: Call,
  changed: Step,
  concerned: Step,
  type: 'notice.published' | 'notice.withdrawn',
  notice: Notice,
): Step {
  const recipients = step('recipients')`
    select a.integrator, a.agency, (c.sent + a.place)::int as sequence from ${changed} c, ${concerned} a`;
  return queueForEach(call, recipients, { type, object: notice.name, payload: snapshotNotice(notice) });
}
