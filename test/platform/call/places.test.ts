import { createHook } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { KEY_SCOPES } from '../../../src/platform/access/needs.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { anonymous } from '../../../src/platform/access/viewer.ts';
import { metricsOf } from '../../../src/app/probes.ts';
import { type Ask, testRail } from '../../harness/rail.ts';

const rail = testRail();

const SUBSCRIPTION = { query: 'subscription { oversight { cursor } }' };
const LONG: readonly { kind: 'exports' | 'polls' | 'streams'; path: string; ask: Ask }[] = [
  { kind: 'exports', path: '/v1/oversight/payment-events', ask: { headers: { accept: 'text/csv' } } },
  { kind: 'polls', path: '/v1/events?wait=25&types=notice.published', ask: {} },
  { kind: 'streams', path: '/graphql', ask: { body: SUBSCRIPTION, headers: { accept: 'text/event-stream' } } },
];

/**
 * Begins a request, and cuts its connection before this process does the so-many-th thing after; what was seen then, or
 * null where the request was over before.
 */
async function cutBefore<T>(turn: number, begin: () => Promise<unknown>, look: () => T): Promise<T | null> {
  const promises = new Set<number>();
  let response: ServerResponse | null = null;
  let turns = 0;
  let seen: T | null = null;
  const onRequest = (message: unknown) => {
    ({ response } = message as { response: ServerResponse });
  };
  const hook = createHook({
    init(id, type) {
      if (type === 'PROMISE') promises.add(id);
    },
    // What waited for a promise goes on with what settled it: nothing from outside comes in between.
    before(id) {
      if (!response || promises.has(id) || ++turns !== turn) return;
      seen = look();
      response.destroy();
    },
  });
  subscribe('http.server.request.start', onRequest);
  hook.enable();
  // It fails where it was cut.
  await begin().catch(() => {});
  hook.disable();
  unsubscribe('http.server.request.start', onRequest);
  return seen;
}

it.each(LONG)('gives back a place of $kind, at whatever moment its client leaves', async ({ kind, path, ask }) => {
  const { plaintext: key } = await rail.key(...KEY_SCOPES);
  const places = rail.rail.places[kind];
  let taken: number | null = 0;
  let turn = 0;
  while (taken === 0) {
    taken = await cutBefore(
      ++turn,
      () => rail.ask(path, { ...ask, key }),
      () => places.taken,
    );
    await expect.poll(() => places.taken, { interval: 1 }).toBe(0);
  }
  expect(turn).toBeGreaterThan(5);
});

it('takes no place for a request that is over, and says in metrics how many are taken', async () => {
  const left = new AbortController();
  const call = callOf(rail.rail, anonymous, 'x', { over: left.signal });
  const { exports } = rail.rail.places;
  const shown = async () => /^places_taken\{kind="exports"\} (\d+)$/m.exec(await metricsOf(rail.rail).metrics())?.[1];
  for (let one = 0; one < 2; one++) exports.take(call);
  expect(() => exports.take(call)).toThrow('At most 2 exports');
  expect(await shown()).toBe('2');
  left.abort();
  expect(await shown()).toBe('0');
  for (let one = 0; one < 9; one++) exports.take(call);
  expect(await shown()).toBe('0');
});
