import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TWO_LINES_TOTAL } from '../harness/flow.ts';
import { Payer } from '../harness/people/payer.ts';
import { openSink } from '../harness/sink.ts';
import { ask } from '../torture/run/ask.ts';
import { listenAt } from '../torture/run/hooks.ts';
import type { Place } from '../torture/run/place.ts';
import { poll, subscribe } from './listen.ts';

/** The work that a running load has done so far. */
export interface Load {
  /** Payments that were begun, and are through. */
  flows: number;
  /** Requests of any kind, but for those of payments and those whose clients hung up. */
  asked: number;
  hungUp: number;
  /** Messages that clients heard of by streams of oversight, and by polls of events. */
  streamed: number;
  polled: number;
  /**
   * Failures that no load excuses: for payments, any unexpected answer; for other requests, any that is neither 200 nor
   * temporary.
   */
  readonly wrong: string[];
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

/** The path of the endpoint that takes messages and never answers. */
export const HUNG = '/hung';
/** Most requests of one kind that run at a time. Beyond it none is begun, so that a slow rail is not flooded. */
const MOST_AT_A_TIME = 40;
const PASSING = [200, 429, 503];
/** Clients that listen all the time, each by a stream or a poll. */
const LISTENERS = 3;
/** A request that takes longer hangs, also on a busy machine. */
const LONGEST_MS = 60_000;

/**
 * Begins the steady mix, so many payments a second: lookups, webhooks to an endpoint that answers and to one that hangs,
 * figures, exports and long polls whose clients hang up, streams and polls that go on, and sign-ups.
 */
export async function startLoad(place: Place, perSecond: number): Promise<Load> {
  const origin = place.origins[0]!;
  const sink = await openSink();
  sink.answer = ({ path }, res) => {
    sink.received.length = 0;
    if (!path.endsWith(HUNG)) res.end('ok');
  };
  const shop = await place.shop(Math.random);
  const { plaintext: auditor } = await place.rail.key('oversight.read', 'oversight.audit');
  await listenAt(place, shop.key, sink);
  const url = sink.url + HUNG;
  const added = await place.rail.ask('/v1/me/webhook-endpoints', { key: shop.key, body: { url } });
  if (added.status !== 200) throw new Error(added.text);

  const tos_accepted_version = (await place.rail.ask('/v1/signup/tos')).data.version as string;

  const load: Omit<Load, 'stop'> = { flows: 0, asked: 0, hungUp: 0, streamed: 0, polled: 0, wrong: [] };
  const over = new AbortController();
  const send = async (path: string, request: Parameters<typeof ask>[1]): Promise<void> => {
    const { status, text } = await ask(origin + path, { timeoutMs: LONGEST_MS, ...request });
    load.asked++;
    if (!PASSING.includes(status)) load.wrong.push(`${path}: ${status} ${text.slice(0, 200)}`);
  };
  const get = (path: string, key = shop.key) => send(path, { key });
  /** Asks, and leaves after up to so many milliseconds, at whatever the rail is just then. */
  const hangUp = async (path: string, key: string, mostMs: number, headers = {}): Promise<void> => {
    await ask(origin + path, { key, headers, timeoutMs: Math.ceil(Math.random() * mostMs) });
    load.hungUp++;
  };
  const work: readonly [number, () => Promise<void>][] = [
    [
      1_000 / perSecond,
      async () => {
        const payer = new Payer(shop);
        await payer.payInAnyWay(TWO_LINES_TOTAL);
        load.flows++;
        load.wrong.push(...payer.wrong);
      },
    ],
    [700, () => get(`/v1/citizens/${shop.citizen}`)],
    [900, () => get('/v1/payment-intents?limit=20')],
    [1_100, () => get('/v1/assessments?limit=20')],
    [4_000, () => get('/v1/oversight/revenue?group_by=mda', auditor)],
    [3_000, () => get('/v1/oversight/payment-events?limit=50', auditor)],
    [1_500, () => hangUp('/v1/oversight/payment-events', auditor, 60, { accept: 'text/csv' })],
    [1_300, () => hangUp('/v1/events?wait=25', shop.key, 300)],
    [
      5_000,
      () => {
        const person = { full_name: 'Jo Doe', organisation: 'Soak', email: `${randomUUID()}@example.com` };
        return send('/v1/signup', { body: { ...person, tos_accepted_version } });
      },
    ],
  ];
  const failed = (error: unknown) => void load.wrong.push(String(error));
  const begun = work.map(([every, run]) => repeat(every, run, over.signal, failed));
  const listening = { origin, over: over.signal };
  for (let listener = 0; listener < LISTENERS; listener++) {
    const streamed = (messages: number) => void (load.streamed += messages);
    const polled = (messages: number) => void (load.polled += messages);
    begun.push(subscribe({ ...listening, key: auditor, heard: streamed }).catch(failed));
    begun.push(poll({ ...listening, key: shop.key, heard: polled }).catch(failed));
  }
  return Object.assign(load, {
    stop: async () => {
      over.abort();
      await Promise.all(begun);
      await sink.close();
    },
  });
}

/** Begins something each so many milliseconds, whatever becomes of those before, and waits for the last of it. */
async function repeat(
  every: number,
  run: () => Promise<void>,
  over: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  while (!over.aborted) {
    if (underWay.size < MOST_AT_A_TIME) {
      const one = run();
      underWay.add(one);
      void one.catch(failed).finally(() => underWay.delete(one));
    }
    await sleep(every, undefined, { signal: over }).catch(() => undefined);
  }
  await Promise.allSettled(underWay);
}
