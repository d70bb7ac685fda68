import { setTimeout as sleep } from 'node:timers/promises';
import { findDisordered } from '../../../harness/chaos/webhooks.ts';
import { TWO_LINES_TOTAL } from '../../../harness/flow.ts';
import { Payer } from '../../../harness/people/payer.ts';
import { openSink } from '../../../harness/sink.ts';
import { ask, dataOf } from '../../run/ask.ts';
import { compareDeliveries, listenAt, untilDelivered } from '../../run/hooks.ts';
import { whileKilling } from '../../run/killing.ts';
import { compareLog, comparePayers } from '../../run/paying.ts';
import type { Place } from '../../run/place.ts';
import type { Context, Scenario } from '../../run/scenario.ts';

const CLIENTS = 4;
const POLLERS = 2;
/** Payments whose messages wait together before there is a process that relays them: more than 20. */
const BEFORE = 8;
const PATHS = ['/hook', '/hook/second', '/hook/third'];

export const listeners: Scenario = {
  name: 'listeners',
  title: 'several endpoints of an account and pollers of its events, over two processes that are killed',
  promise:
    'Each endpoint gets each message at least once, though the second one turns some down once. Each program that polls /v1/events reads each message once. All read the messages of an object in their order.',
  unit: 'payments',
  full: 2_000,
  floor: 60,
  share: 2,
  async run(context) {
    const place = await context.open();
    const sink = await openSink();
    context.atEnd(() => sink.close());
    const refused = new Set<string>();
    sink.answer = ({ path, json }, res) => {
      const refuses = path === PATHS[1] && !refused.has(json.id) && context.random() < 0.1;
      if (refuses) refused.add(json.id);
      res.writeHead(refuses ? 500 : 200).end();
    };
    const shop = await place.shop(context.random);
    await listenAt(place, shop.key, sink);
    for (const path of PATHS.slice(1)) {
      const body = { url: new URL(path, sink.url).href };
      dataOf(await place.rail.ask('/v1/me/webhook-endpoints', { key: shop.key, body }));
    }
    // This process has no jobs: what it writes is one batch of the first that has.
    const earlier = new Payer({ ...shop, origins: [place.rail.origin] });
    for (let paid = 0; paid < BEFORE; paid++) await earlier.payInAnyWay(TWO_LINES_TOTAL);
    await place.start(2);
    const later = Array.from({ length: CLIENTS }, () => new Payer(shop));
    const payers = [earlier, ...later];
    let over = false;
    const read = Array.from({ length: POLLERS }, (): Event[] => []);
    const polling = Promise.all(read.map((events) => poll(context, place, shop.key, events, () => over)));
    await whileKilling(context, place, () =>
      context.spread(CLIENTS, (hand) => later[hand]!.payInAnyWay(TWO_LINES_TOTAL)),
    );
    await untilDelivered(place);
    over = true;
    await polling;
    for (const path of PATHS) await compareDeliveries(context, place, shop.integrator, sink, path);
    const sent = await place.query<{ id: string }>('select id::text from outbox where integrator = $1', [
      shop.integrator,
    ]);
    for (const events of read) {
      const ids = events.map(({ id }) => id);
      context.count('events polled', ids.length);
      context.lose(
        'events not polled',
        sent.map(({ id }) => id).filter((id) => !ids.includes(id)),
      );
      context.lose(
        'events polled again',
        ids.filter((id, at) => ids.indexOf(id) < at),
      );
      context.lose('events out of order', findDisordered({ order: sequencesOf(events) }));
    }
    await comparePayers(context, place, payers);
    await compareLog(
      context,
      place,
      payers.map((payer) => ({ answers: payer.changes })),
    );
  },
};

const sequencesOf = (events: readonly Event[]): Map<string, number[]> =>
  new Map(
    [...Map.groupBy(events, ({ data }) => data.object.name)].map(([name, of]) => [
      name,
      of.map(({ sequence }) => sequence),
    ]),
  );

interface Event {
  readonly id: string;
  readonly sequence: number;
  readonly data: { readonly object: { readonly name: string } };
}

/** Reads events from where it is on, by any process, until there is nothing more after all was sent. */
async function poll(
  context: Context,
  place: Place,
  key: string,
  events: Event[],
  isOver: () => boolean,
): Promise<void> {
  for (let was = isOver(), left = 1; left > 0 || !was;) {
    was = isOver();
    const after = events.length === 0 ? '' : `&after=${events.at(-1)!.id}`;
    const reply = await ask(`${context.of(place.origins)}/v1/events?limit=7&wait=1${after}`, { key });
    const page = reply.status === 200 ? (dataOf(reply) as Event[]) : [];
    left = reply.status === 200 ? page.length : 1;
    events.push(...page);
    if (reply.status === 0) await sleep(100);
    context.hold([0, 200].includes(reply.status), () => `a poll was answered with ${reply.status} ${reply.text}`);
  }
}
