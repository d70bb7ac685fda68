import { hastenMessages } from '../../accounts/webhooks/send.ts';
import { hastenClaims } from '../../collection/callbacks/billers/prove.ts';
import { hastenMessages as hastenPayerMessages } from '../../collection/citizens/messages/send.ts';
import { hastenEnquiries } from '../../collection/payments/enquiries/enquire.ts';
import { hastenNotices } from '../../collection/propagation/claim.ts';
import { hastenJobs } from './queue.ts';
import { startLoop } from '../../kernel/loop.ts';
import type { Rail } from '../../platform/call/call.ts';

const EVERY_MS = 60_000;

/** Has what waits longer than it ever does happen now: it was stored before the clock was set back. How much that was. */
export async function hasten(rail: Rail): Promise<number> {
  const all = [hastenEnquiries, hastenMessages, hastenNotices, hastenPayerMessages, hastenClaims, hastenJobs];
  let hastened = 0;
  for (const one of all) hastened += await one(rail);
  if (hastened > 0) {
    rail.work.note();
    rail.log.warn({ hastened }, 'the clock was set back: what would have waited for it happens now');
  }
  return hastened;
}

export function startHastening(rail: Rail): { stop(): Promise<void> } {
  return startLoop(rail.log, 'hasten', async () => (await hasten(rail), EVERY_MS));
}
