import type { Rail } from '../call.ts';
import { webhookAgent } from './guard.ts';
import { relay } from './relay.ts';
import { claimDue, deliver } from './send.ts';

/** Messages that a process has in hand at a time, and how many of them may be one integrator's. */
const MOST_IN_HAND = 64;
const MOST_OF_ONE = 8;
/** How often to look when there was nothing. */
const IDLE_MS = 250;
/** How long to wait for the database after it failed. */
const TROUBLED_MS = 2_000;

/** Relays and delivers messages for as long as it is not stopped. Any number of processes may. */
export function startSender(rail: Rail): { stop(): Promise<void> } {
  const agent = webhookAgent(rail.config.webhookAllowPrivate);
  const inHand = new Set<Promise<void>>();
  const halt = new AbortController();
  let wake: () => void = () => {};
  const rest = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });

  const round = async (): Promise<void> => {
    const relayed = await relay(rail);
    const free = MOST_IN_HAND - inHand.size;
    const claimed = free > 0 ? await claimDue(rail, free, MOST_OF_ONE) : [];
    for (const message of claimed) {
      const sending: Promise<void> = deliver(rail, agent, message)
        .catch((error: unknown) => rail.log.error({ err: error, delivery: message.name }, 'a webhook could not be booked'))
        .finally(() => {
          inHand.delete(sending);
          // What came next for the same object, or the same integrator, can go now.
          wake();
        });
      inHand.add(sending);
    }
    if (relayed === 0 && claimed.length === 0) await rest(IDLE_MS);
  };

  const running = (async () => {
    while (!halt.signal.aborted) {
      try {
        await round();
      } catch (error) {
        rail.log.error({ err: error }, 'webhooks could not be relayed');
        await rest(TROUBLED_MS);
      }
    }
  })();

  return {
    async stop() {
      halt.abort();
      wake();
      await running;
      await Promise.all(inHand);
      await agent.close();
    },
  };
}
