import { randomUUID } from 'node:crypto';
import { actAsSystem } from '../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../platform/call/call.ts';
import { restUntil, startLoop } from '../../kernel/loop.ts';
import { findAssessments } from '../assessments/find.ts';
import { claimDueNotices, timeToNextNotice } from './claim.ts';
import { notifyAgency } from './notify.ts';
import { Receipts } from './receipts.ts';

const MOST_IN_HAND = 64;
/** Fewer free hands than these wait for more: what is claimed and recorded together is cheaper. */
const LEAST_CLAIMED = 16;
const IDLE_MS = 500;

/** Tells agencies of payments for as long as it is not stopped. Any number of processes may. */
export function startPropagating(rail: Rail): { stop(): Promise<void> } {
  const inHand = new Set<Promise<void>>();
  const open = (): Call => callOf(rail, actAsSystem('job:propagate'), randomUUID());
  const receipts = new Receipts(open);
  const round = async () => {
    const call = open();
    const next = await timeToNextNotice(call);
    if (next === null || next > 0) return restUntil(IDLE_MS, next);
    const free = MOST_IN_HAND - inHand.size;
    const due = free >= LEAST_CLAIMED ? await claimDueNotices(call, free) : [];
    const assessments = await findAssessments(call, [...new Set(due.map(({ assessment }) => assessment))]);
    for (const one of due) {
      const telling: Promise<void> = notifyAgency(call, one, assessments.get(one.assessment)!, receipts)
        .catch((error: unknown) => rail.log.error({ err: error, propagation: one.name }, 'telling an agency failed'))
        .finally(() => {
          inHand.delete(telling);
          if (MOST_IN_HAND - inHand.size === LEAST_CLAIMED) loop.wake();
        });
      inHand.add(telling);
    }
    return due.length === 0 ? IDLE_MS : 0;
  };
  const loop = startLoop(rail.log, 'propagation', round, rail.work.hear);
  return {
    async stop() {
      await loop.stop();
      await Promise.all(inHand);
    },
  };
}
