import type { Rail } from '../call.ts';
import { startLoop } from '../loop.ts';
import { webhookAgent } from './guard.ts';
import { relay } from './relay.ts';
import { claimDue, deliver } from './send.ts';

/** Messages that a process has in hand at a time, and how many of them may be one integrator's. */
const MOST_IN_HAND = 64;
const MOST_OF_ONE = 8;
/** How often to look when there was nothing. */
const IDLE_MS = 250;

/** Relays and delivers messages for as long as it is not stopped. Any number of processes may. */
export function startSender(rail: Rail): { stop(): Promise<void> } {
  const agent = webhookAgent(rail.config.webhookAllowPrivate);
  const inHand = new Set<Promise<void>>();
  const loop = startLoop(rail.log, 'webhooks', async () => {
    const relayed = await relay(rail);
    const free = MOST_IN_HAND - inHand.size;
    const claimed = free > 0 ? await claimDue(rail, free, MOST_OF_ONE) : [];
    for (const message of claimed) {
      const sending: Promise<void> = deliver(rail, agent, message)
        .catch((error: unknown) => rail.log.error({ err: error, delivery: message.name }, 'a webhook could not be booked'))
        .finally(() => {
          inHand.delete(sending);
          // What came next for the same object, or the same integrator, can go now.
          loop.wake();
        });
      inHand.add(sending);
    }
    return relayed === 0 && claimed.length === 0 ? IDLE_MS : 0;
  });
  return {
    async stop() {
      await loop.stop();
      await Promise.all(inHand);
      await agent.close();
    },
  };
}
