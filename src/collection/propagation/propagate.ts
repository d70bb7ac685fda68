import { randomUUID } from 'node:crypto';
import { actAsSystem } from '../../platform/access/viewer.ts';
import { type Rail, callOf } from '../../platform/call/call.ts';
import { startLoop } from '../../kernel/loop.ts';
import { claimDueNotices, notifyAgency } from './notify.ts';

const MOST_IN_HAND = 32;
const IDLE_MS = 500;

/** Tells agencies of payments for as long as it is not stopped. Any number of processes may. */
export function startPropagating(rail: Rail): { stop(): Promise<void> } {
  const inHand = new Set<Promise<void>>();
  const loop = startLoop(rail.log, 'propagation', async () => {
    const call = callOf(rail, actAsSystem('job:propagate'), randomUUID());
    const free = MOST_IN_HAND - inHand.size;
    const due = free > 0 ? await claimDueNotices(call, free) : [];
    for (const one of due) {
      const telling: Promise<void> = notifyAgency(call, one)
        .catch((error: unknown) => rail.log.error({ err: error, propagation: one.name }, 'telling an agency failed'))
        .finally(() => inHand.delete(telling));
      inHand.add(telling);
    }
    return due.length === 0 ? IDLE_MS : 0;
  });
  return {
    async stop() {
      await loop.stop();
      await Promise.all(inHand);
    },
  };
}
