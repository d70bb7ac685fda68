import { createHash } from 'node:crypto';
import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { UNSIGNED } from './signature.ts';

/** What came of a callback, and what it was about. */
export interface Decided<Decision extends string> {
  readonly decision: Decision;
  readonly intent: string | null;
  readonly object: string | null;
}

interface Received {
  readonly sender: string;
  readonly signed: boolean;
  readonly eventId: string;
  readonly body: Buffer;
  /** What the address says that the body does not, so that the same bytes can be about two things. */
  readonly address?: string | undefined;
}

/**
 * The decision on a callback, which is stored with the change that it stands for, and answers the same event or the same
 * bytes from then on. What anybody can send never stands where the sender's own word is looked for. What is unsigned
 * is looked for under the sender's own name too: it tells nothing that was not told before, and 1.1 stored it there.
 * Where event and bytes were decided on apart, the event's decision stands.
 */
export function decisionsOn<Decision extends string>(
  call: Call,
  { sender, signed, eventId, body, address = '' }: Received,
) {
  const storedAs = signed ? sender : UNSIGNED + sender;
  const hash = createHash('sha256').update(address).update(body).digest();
  return {
    find: (): Promise<Decided<Decision> | null> =>
      call.db.row<Decided<Decision>>(sql`
        select decision, intent, object from inbound_callback
        where provider = any(${[storedAs, sender]}) and (event_id = ${eventId} or body_hash = ${hash})
        order by event_id = ${eventId} desc, provider = ${storedAs} desc limit 1`),
    store: (changed: Step, { decision, intent, object }: Decided<Decision>): Step => step('stored')`
      insert into inbound_callback (provider, event_id, body_hash, intent, object, decision, received_at)
      select ${storedAs}, ${eventId}, ${hash}, ${intent}, ${object}, ${decision}, ${call.now()} from ${changed}
      -- The first decision on an event answers all its repetitions.
      on conflict do nothing`,
  };
}
