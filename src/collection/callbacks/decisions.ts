import { createHash } from 'node:crypto';
import type { Call } from '../../platform/call/call.ts';
import { always, commit } from '../../platform/change/commit.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { type Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { type Finding, raiseAnomalies } from '../anomalies/raise.ts';
import { UNSIGNED } from './signature.ts';

/** Decision on a callback, and its object. */
export interface Decided<Decision extends string> {
  readonly decision: Decision;
  readonly intent: string | null;
  readonly object: string | null;
}

/** A stored decision; `reused`: on something else, for which the sender used the ID of the event before. */
export type Known<Decision extends string> = Decided<Decision> & { readonly reused: boolean };

interface Received {
  readonly sender: string;
  readonly signed: boolean;
  readonly eventId: string;
  readonly body: Buffer;
  /** Subject of the callback: the transaction, the reference or intent, the amount. Null: it does not say. */
  readonly about: Readonly<Record<string, string | null | undefined>>;
  /** Part of the address that the body lacks, so that the same bytes can be about two things. */
  readonly address?: string | undefined;
}

/** Members that a sender can write anything into; no anomaly shows them. */
const UNSHOWN = ['reference', 'object', 'data'];

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * The decision on a callback. It is stored with its change, and answers the same event or the same bytes from then on,
 * if they are about the same. Callbacks that anybody can send are never found where the sender's own word is looked
 * for. Unsigned ones are looked for under the sender's own name too: this reveals nothing new. If event and bytes have
 * different decisions, the event's decision stands.
 */
export function decisionsOn<Decision extends string>(
  call: Call,
  { sender, signed, eventId, body, about: said, address = '' }: Received,
) {
  const storedAs = signed ? sender : UNSIGNED + sender;
  const hash = createHash('sha256').update(address).update(body).digest();
  const stated = Object.entries(said).filter((member): member is [string, string] => member[1] != null);
  const about = Object.fromEntries(stated.map(([member, value]) => [member, digestOf(value)]));
  const finding = ({ decision, intent, object }: Known<Decision>, mdas: readonly string[]): Finding => ({
    kind: 'event_reused',
    // Each other thing is a finding of its own.
    subject: `${sender}:${eventId}:${digestOf(JSON.stringify(about))}`,
    mdas,
    evidence: {
      provider: sender,
      event_id: eventId,
      ...Object.fromEntries(stated.filter(([member]) => !UNSHOWN.includes(member))),
      before: { decision, intent, object },
    },
  });
  return {
    async find(): Promise<Known<Decision> | null> {
      interface Row extends Decided<Decision> {
        readonly about: Readonly<Record<string, string>>;
        readonly own: boolean;
      }
      const rows = await call.db.rows<Row>(sql`
        select decision, intent, object, about, provider = ${storedAs} and event_id = ${eventId} as own from inbound_callback
        where provider = any(${[storedAs, sender]}) and (event_id = ${eventId} or body_hash = ${hash})
        order by event_id = ${eventId} desc, provider = ${storedAs} desc`);
      const isSame = (row: Row) =>
        Object.entries(about).every(([member, value]) => (row.about[member] ?? value) === value);
      const row = rows.find(isSame) ?? rows.find(({ own }) => own);
      if (!row) return null;
      const { decision, intent, object } = row;
      return { decision, intent, object, reused: !isSame(row) };
    },
    store: (changed: Step, { decision, intent, object }: Decided<Decision>): Step => step('stored')`
      insert into inbound_callback (provider, event_id, body_hash, about, intent, object, decision, received_at)
      select ${storedAs}, ${eventId}, ${hash}, ${json(about)}::jsonb, ${intent}, ${object}, ${decision}, ${call.now()}
      from ${changed}
      -- The first decision on an event answers all its repetitions.
      on conflict do nothing`,
    finding,
    /** Raises that the event was used again, where that changes nothing else. */
    async raise(known: Known<Decision>): Promise<void> {
      const steps = await raiseAnomalies(call, always, [finding(known, [])]);
      await commit(call, { subject: null, guard: always, steps });
    },
  };
}

/** The refusal of what was sent under the ID of an event about something else. */
export function refuseReused(): Refusal {
  return refuseBecause(
    'event_reused',
    'The ID of the event was used for something else; that decision stays',
    'event_id',
  );
}
