import type { Rail } from '../../platform/call/call.ts';
import { restUntil, startLoop } from '../../kernel/loop.ts';
import type { Agent } from 'undici';
import { makeWebhookAgent } from './guard.ts';
import { relay, timeToNext } from './relay.ts';
import { InFlight } from './in-flight.ts';
import { claimDueMessages, deliverMessage } from './send.ts';

/** Interval of look-ups when there was nothing. */
const IDLE_MS = 250;

/** Relays and delivers messages for as long as it is not stopped. Any number of processes may. */
export function startSender(rail: Rail): { stop(): Promise<void> } {
  /** Made for the first message: many processes send none. */
  let agent: Agent | null = null;
  const inFlight = new InFlight();
  const underWay = new Set<Promise<void>>();
  const loop = startLoop(
    rail.log,
    'webhooks',
    async () => {
      // A delivery that hangs lets others overtake it after a while, without a wake-up: so the queue is read while any
      // runs.
      const due = underWay.size > 0 ? 0 : await timeToNext(rail);
      if (due === null || due > 0) return restUntil(IDLE_MS, due);
      const relayed = await relay(rail);
      const claimed = await claimDueMessages(rail, inFlight.free());
      for (const message of claimed) {
        inFlight.add(message);
        const dispatcher = (agent ??= await makeWebhookAgent(rail.config.webhooks));
        const sending: Promise<void> = deliverMessage(rail, dispatcher, message)
          .catch((error: unknown) =>
            rail.log.error({ err: error, delivery: message.name }, 'a webhook could not be booked'),
          )
          .finally(() => {
            inFlight.remove(message);
            underWay.delete(sending);
            // The next message for the same object, or the same integrator, may go now.
            loop.wake();
          });
        underWay.add(sending);
      }
      return relayed === 0 && claimed.length === 0 ? IDLE_MS : 0;
    },
    rail.work.hear,
  );
  return {
    async stop() {
      await loop.stop();
      await Promise.all(underWay);
      await agent?.close();
    },
  };
}
