import { createHook } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Copy } from '../../../src/platform/analytics/copy.ts';
import { KEY_SCOPES } from '../../../src/platform/access/needs.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { Requests } from '../../../src/platform/call/requests.ts';
import { anonymous } from '../../../src/platform/access/viewer.ts';
import { metricsOf } from '../../../src/app/probes.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { type Answer, type Ask, testRail } from '../../harness/rail.ts';

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
    // Code after a promise runs in the same turn that settled it: nothing from outside comes in between.
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
  const slots = rail.rail.slots[kind];
  const streamed = vi.spyOn(Requests.prototype, 'stream');
  onTestFinished(() => streamed.mockRestore());
  let taken: number | null = 0;
  let turn = 0;
  while (taken === 0) {
    taken = await cutBefore(
      ++turn,
      () => rail.ask(path, { ...ask, key }),
      () => slots.taken,
    );
    await expect.poll(() => slots.taken, { interval: 1 }).toBe(0);
  }
  expect(turn).toBeGreaterThan(5);
  // That its client has left is no fault.
  expect(streamed.mock.settledResults.filter(({ type }) => type === 'rejected')).toEqual([]);
});

it('takes no place for a request that is over, and says in metrics how many are taken', async () => {
  const left = new AbortController();
  const call = callOf(rail.rail, anonymous, 'x', { over: left.signal });
  const { exports } = rail.rail.slots;
  const shown = async () => /^places_taken\{kind="exports"\} (\d+)$/m.exec(await metricsOf(rail.rail).metrics())?.[1];
  for (let one = 0; one < 2; one++) exports.take(call);
  expect(() => exports.take(call)).toThrow('At most 2 exports');
  expect(await shown()).toBe('2');
  left.abort();
  expect(await shown()).toBe('0');
  for (let one = 0; one < 9; one++) exports.take(call);
  expect(await shown()).toBe('0');
});

describe('queries of figures', () => {
  const busy = testRail({ MAX_IN_FLIGHT: '8', RATE_LIMIT_FIGURES: '600' });
  const origin = 'https://dashboard.example.org';
  const NET = '{ oversight { figures(by: [agency]) { nodes { revenue { net } } } } }';
  let account: string;
  let browserKey: string;
  let openGate = () => {};

  beforeAll(async () => {
    account = (await busy.keyGranted({ managesAccount: true }, 'oversight.read')).plaintext;
    browserKey = await issue(account);
  });
  afterEach(() => {
    openGate();
    vi.restoreAllMocks();
  });

  async function issue(key: string): Promise<string> {
    const query = `mutation { issueBrowserKey(label: "Wall", origins: ["${origin}"]) { plaintext } }`;
    const { json } = await busy.ask('/graphql', { key, body: { query } });
    return json.data.issueBrowserKey.plaintext;
  }
  const figures = (key: string, headers = {}) => busy.ask('/graphql', { key, headers, body: { query: NET } });
  const look = () => figures(browserKey, { origin });
  const codeOf = async (asked: Promise<Answer>): Promise<string> => {
    const { errors, data } = (await asked).json;
    return errors?.[0].extensions.code ?? (data.oversight.figures && 'answered');
  };

  /** Holds what is asked of the copy until it is opened. */
  function holdCopy(): { readonly asked: () => number; readonly open: () => void } {
    const copy = busy.rail.analytics as Copy;
    const begin = copy.begin.bind(copy);
    const { promise, resolve: open } = Promise.withResolvers<void>();
    const held = vi.spyOn(copy, 'begin').mockImplementation(() => promise.then(begin));
    openGate = open;
    return { asked: () => held.mock.calls.length, open };
  }

  it('wait in slots of their own: 20 of a browser key keep nobody else from an answer', async () => {
    const actor = await makeActor(busy);
    const gate = holdCopy();
    const codes: string[] = [];
    const asked = Array.from({ length: 25 }, async () => codes.push(await codeOf(look())));
    await expect.poll(gate.asked).toBe(20);
    await expect.poll(() => codes).toEqual(Array.from({ length: 5 }, () => 'rate_limited'));
    for (let one = 0; one < 5; one++) {
      const { status } = await busy.ask('/v1/services', { key: actor.key });
      expect(status).toBe(200);
      await createConfirmed(busy, actor);
    }
    const others = codeOf(figures(account));
    await expect.poll(gate.asked).toBe(21);
    expect(busy.rail.slots.figures.taken).toBe(21);
    gate.open();
    await Promise.all(asked);
    expect(codes.slice(5)).toEqual(Array.from({ length: 20 }, () => 'answered'));
    expect(await others).toBe('answered');
    expect(busy.rail.slots.figures.taken).toBe(0);
  });

  it('take so many seconds a minute of a browser key, of the site that shows it, and of an account apart', async () => {
    const { limits } = busy.rail;
    const other = await issue(account);
    expect(await codeOf(look())).toBe('answered');
    await limits.countFigures([origin], 600_000);
    for (const key of [browserKey, other]) expect(await codeOf(figures(key, { origin }))).toBe('rate_limited');
    expect(await codeOf(figures(account))).toBe('answered');
    // What was answered before takes no time.
    await createConfirmed(busy, await makeActor(busy));
    const spent = vi.spyOn(limits, 'countFigures');
    expect(await codeOf(figures(account))).toBe('answered');
    const [shares, ms] = spent.mock.calls[0]!;
    expect(ms).toBeGreaterThan(0);
    await limits.countFigures(shares, 600_000);
    expect(await codeOf(figures(account))).toBe('rate_limited');
  });
});
