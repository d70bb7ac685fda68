import { createHash } from 'node:crypto';
import { OWN_SIGNATURE } from '../../../adapters/payment/proof.ts';
import type { RawCallback } from '../../../adapters/payment/port.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { retryUntilSettled } from '../../../platform/change/commit.ts';
import { step } from '../../../platform/change/step.ts';
import type { Pusher } from '../../../platform/config/pushers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { UNSIGNED, isSignedBy } from '../signature.ts';
import { type Decided, type StoreDecision, UNKNOWN } from './decisions.ts';
import { decidePush } from './decide.ts';
import { type PushEvent, parsePush } from './push-event.ts';
import { findPusher, readSpeaker } from './speaker.ts';

/**
 * Takes what an agency or a fiscal partner tells: checks its signature before anything is believed of it, and changes
 * or flags what it is about, where that is its own. A repetition gets the decision that was stored.
 */
export async function receivePush(caller: Call, provider: string, raw: RawCallback): Promise<Decided> {
  const pusher = await findPusher(caller, provider);
  const { signed, event } = await admitPush(caller, pusher, raw);
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${pusher!.name}`) };
  const bodyHash = createHash('sha256').update(raw.body).digest();
  const storedAs = signed ? pusher!.name : UNSIGNED + pusher!.name;
  const findDecision = () =>
    call.db.row<Decided>(sql`
      select decision, object from inbound_callback
      where provider = ${storedAs} and (event_id = ${event.eventId} or body_hash = ${bodyHash}) limit 1`);
  const store: StoreDecision = (changed, { decision, object }) => step('stored')`
    insert into inbound_callback (provider, event_id, body_hash, object, decision, received_at)
    select ${storedAs}, ${event.eventId}, ${bodyHash}, ${object}, ${decision}, ${call.now()} from ${changed}
    on conflict do nothing`;
  return retryUntilSettled(async () => {
    const before = await findDecision();
    if (before) return before;
    const speaker = await readSpeaker(call, pusher!);
    const decided = speaker.maySpeakOf(event.type) ? await decidePush(call, speaker, event, store) : UNKNOWN;
    if (decided?.decision === undefined || decided.decision === UNKNOWN.decision) return decided;
    // What was stored is the answer: with two at once only one is.
    return (await findDecision()) ?? undefined;
  });
}

/** A signed push costs its address nothing, since an agency sends many; any other counts as an anonymous request. */
async function admitPush(
  caller: Call,
  pusher: Pusher | null,
  raw: RawCallback,
): Promise<{ readonly signed: boolean; readonly event: PushEvent }> {
  let signed = false;
  try {
    if (!pusher) throw new Refusal('not_found', 'The provider does not exist');
    signed = isSigned(caller, pusher, raw);
    return { signed, event: parsePush(raw.body) };
  } finally {
    if (!signed) await caller.limits.countAnonymous(caller.source.address);
  }
}

/** Whether a push is signed. One without a signature is taken in sandbox mode alone, one with a wrong one in none. */
function isSigned({ config: { mode } }: Call, { secrets }: Pusher, { body, headers }: RawCallback): boolean {
  const signature = headers[OWN_SIGNATURE.name.toLowerCase()];
  if (signature == null && mode === 'live') throw new Refusal('invalid_signature', 'The callback is not signed');
  if (signature != null && !isSignedBy(secrets, body, signature))
    throw new Refusal('invalid_signature', 'The signature does not match the body');
  return signature != null;
}
