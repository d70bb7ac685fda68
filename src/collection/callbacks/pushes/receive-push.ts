import type { RawCallback } from '../../../adapters/payment/port.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { retryUntilSettled } from '../../../platform/change/commit.ts';
import { decisionsOn, refuseReused } from '../decisions.ts';
import { admitSigned } from '../signature.ts';
import { type Decided, type PushDecision, type StoreDecision, UNKNOWN } from './decisions.ts';
import { decidePush } from './decide.ts';
import { parsePush } from './push-event.ts';
import { findPusher, readSpeaker } from './speaker.ts';

/**
 * Takes what an agency or a fiscal partner tells: checks its signature before anything is believed of it, and changes
 * or flags what it is about, where that is its own. A repetition gets the decision that was stored.
 */
export async function receivePush(caller: Call, provider: string, raw: RawCallback): Promise<Decided> {
  const pusher = await findPusher(caller, provider);
  const { signed, message: event } = await admitSigned(caller, pusher?.secrets ?? null, raw, parsePush);
  const { name: sender } = pusher!;
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${sender}`) };
  const { eventId, type, object, data } = event;
  const about = { type, object, data: JSON.stringify(data) };
  const stored = decisionsOn<PushDecision>(call, { sender, signed, eventId, body: raw.body, about });
  const store: StoreDecision = (changed, decided) => stored.store(changed, { ...decided, intent: null });
  return retryUntilSettled(async () => {
    const before = await stored.find();
    if (before?.reused) {
      await stored.raise(before);
      throw refuseReused();
    }
    if (before) return before;
    const speaker = await readSpeaker(call, pusher!);
    const decided = speaker.maySpeakOf(type) ? await decidePush(call, speaker, event, store) : UNKNOWN;
    if (decided?.decision === undefined || decided.decision === UNKNOWN.decision) return decided;
    // The stored decision is the answer: of two at once, only one is stored.
    const after = await stored.find();
    return after?.reused ? decided : (after ?? undefined);
  });
}
