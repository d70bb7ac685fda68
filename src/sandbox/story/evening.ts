import { relay } from '../../accounts/webhooks/relay.ts';
import { lookForAnomalies } from '../../collection/anomalies/search.ts';
import { findAssessments } from '../../collection/assessments/find.ts';
import { expireOverdue } from '../../collection/payments/enquiries/expire.ts';
import { claimDueNotices } from '../../collection/propagation/claim.ts';
import { notifyAgency } from '../../collection/propagation/notify.ts';
import { Receipts } from '../../collection/propagation/receipts.ts';
import { placeEvents } from '../../oversight/events/place.ts';
import { sealAll } from '../../oversight/seals/seal.ts';
import { actAsSystem } from '../../platform/access/viewer.ts';
import { type Rail, openBackground } from '../../platform/call/call.ts';
import { callAt } from './stage.ts';

/** Does the background work of a rail, as of a moment: what has no end yet comes to it. */
export async function settleOnStage(rail: Rail, at: Date): Promise<void> {
  const past: Rail = { ...openBackground(rail), now: () => at };
  const job = (name: string) => callAt(past, actAsSystem(`job:${name}`), at);
  await expireOverdue(job('expire_intents'));
  await notifyAgencies(past, at);
  await untilNone(() => placeEvents(past));
  await untilNone(() => sealAll(past));
  // Sealing signals events.
  await untilNone(() => relay(past));
  await lookForAnomalies(job('look_for_anomalies'));
}

async function untilNone(run: () => Promise<number>): Promise<void> {
  for (let done = 1; done > 0;) done = await run();
}

const TOLD_AT_ONCE = 32;

async function notifyAgencies(rail: Rail, at: Date): Promise<void> {
  const open = () => callAt(rail, actAsSystem('job:propagate'), at);
  const receipts = new Receipts(open);
  for (;;) {
    const due = await claimDueNotices(open(), TOLD_AT_ONCE);
    if (due.length === 0) return;
    const assessments = await findAssessments(open(), [...new Set(due.map(({ assessment }) => assessment))]);
    await Promise.all(due.map((one) => notifyAgency(open(), one, assessments.get(one.assessment)!, receipts)));
  }
}
