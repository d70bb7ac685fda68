import { type Rail, openBackground } from '../../platform/call/call.ts';
import { startPlacing } from '../../oversight/events/place.ts';
import { startEnquiring } from '../../collection/payments/enquiries/enquire.ts';
import { startRefunding } from '../../collection/payments/refunds/paying/provider.ts';
import { startProbing } from '../../collection/agencies/probes/probing.ts';
import { startProving } from '../../collection/callbacks/billers/prove.ts';
import { startPropagating } from '../../collection/propagation/propagate.ts';
import { startNotifyingPayers } from '../../collection/citizens/messages/send.ts';
import { startSealing } from '../../oversight/seals/seal.ts';
import { startSender } from '../../accounts/webhooks/sender.ts';
import { startHastening } from './hasten.ts';
import { startQueue } from './queue.ts';

/**
 * Starts the job runner of this process, and what goes on all the time. The runners of all processes share one queue in
 * the database.
 */
export async function startWorker(rail: Rail): Promise<{ stop(): Promise<void> }> {
  const own = openBackground(rail);
  const queue = await startQueue(own);
  const loops = [
    startSender(own),
    startEnquiring(own),
    startRefunding(own),
    startProving(own),
    startPropagating(own),
    startPlacing(own),
    startSealing(own),
    startProbing(own),
    startNotifyingPayers(own),
    startHastening(own),
  ];
  return {
    stop: async () => {
      await Promise.all([queue, ...loops].map((one) => one.stop()));
    },
  };
}
