import { setTimeout as sleep } from 'node:timers/promises';
import { findDisordered, openEndpoints, queueMessages, refuseOnce } from '../../../harness/chaos/webhooks.ts';
import { openSink } from '../../../harness/sink.ts';
import { untilDelivered } from '../../run/hooks.ts';
import { whileKilling } from '../../run/killing.ts';
import type { Context, Scenario } from '../../run/scenario.ts';

const ENDPOINTS = 10;
/** Messages of each object: two to each endpoint. */
const OF_OBJECT = ENDPOINTS * 2;
/** Objects that are queued at a time. */
const BATCH = 25;
/** Messages that may wait before more are queued. */
const MOST_WAITING = 3_000;

const isFailing = (path: string) => Number(/(\d+)$/.exec(path)![1]) % 10 < 3;

export const webhooks: Scenario = {
  name: 'webhooks',
  title: `webhooks to ${ENDPOINTS} endpoints, of which 30 % fail, by senders that are killed`,
  promise:
    'Each message arrives at least once, and those about one object in their order, though three endpoints turn each down once and senders are killed.',
  unit: 'webhooks',
  full: 50_000,
  floor: 500,
  share: 4,
  async run(context) {
    const place = await context.open();
    const sink = await openSink();
    context.atEnd(() => sink.close());
    const deliveries = refuseOnce(sink, isFailing);
    const { taken, refused } = deliveries;
    await openEndpoints(place.rail, sink, ENDPOINTS);
    await place.start(2);
    let objects = 0;
    await whileKilling(context, place, async () => {
      for (let batch = claim(context); batch > 0; batch = claim(context)) {
        await queueMessages(place.rail, { accounts: ENDPOINTS, from: objects + 1, to: objects + batch });
        objects += batch;
        while (objects * OF_OBJECT - taken.size > MOST_WAITING && !context.isOver) await sleep(100);
      }
      await untilDelivered(place);
    });
    const isLeft = (await place.query(`select from webhook_delivery where status <> 'delivered' limit 1`)).length > 0;
    context.tried = objects * OF_OBJECT;
    context.hold(taken.size === objects * OF_OBJECT, () => `${objects * OF_OBJECT - taken.size} never arrived`);
    context.hold(!isLeft, () => 'some that arrived are not booked as delivered');
    context.lose('out of order', findDisordered(deliveries));
    context.count('turned down once', refused.size);
    context.count(
      'arrived again',
      [...taken.values()].reduce((sum, times) => sum + times - 1, 0),
    );
  },
};

/** Begins as many messages as a batch of objects has; how many objects. */
function claim(context: Context): number {
  let messages = 0;
  while (messages < BATCH * OF_OBJECT && context.more()) messages++;
  return Math.ceil(messages / OF_OBJECT);
}
