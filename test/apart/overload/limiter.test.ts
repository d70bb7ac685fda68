import { request } from 'node:http';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Requests } from '../../../src/platform/call/requests.ts';
import { ConcurrencyLimiter } from '../../../src/platform/call/concurrency/limiter.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { logIn, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, TestRail, testRail } from '../../harness/rail.ts';

/** Under way at a time; four times as many may wait. */
const MOST = 3;
const WAITING = MOST * 4;

/** Metrics of what is locked are not waited for. */
const IMPATIENT = { metricsWaitMs: 1 };
const rail = testRail({ MAX_IN_FLIGHT: String(MOST) }, undefined, IMPATIENT);

/** Holds up every request that reads citizens, the catalogue or accounts until it is let go. */
async function holdUpIn(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin; lock table citizen, catalogue_version, mda, integrator in access exclusive mode');
  return client;
}

let holdUp: pg.Client;
beforeEach(async () => void (holdUp = await holdUpIn(rail.url)));
afterEach(() => holdUp.end());

const metric = async (name: string, of = rail) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await of.ask('/metrics')).text)?.[1]);
const waiting = () => metric('http_requests_waiting');
const underWay = () => metric('http_requests_in_flight');

/** Requests until all places are taken, and as many more as wait for one. */
async function crowd(): Promise<Promise<Answer>[]> {
  const asked = Array.from({ length: MOST + WAITING }, () => rail.ask('/v1/mdas'));
  await expect.poll(waiting, { interval: 10 }).toBe(WAITING);
  return asked;
}

describe('more requests than can be under way', () => {
  it('503 at once beyond those that may wait, in the form of each surface, and a probe is answered', async () => {
    const asked = await crowd();
    const [rest, problem, graphql, page] = await Promise.all([
      rail.ask('/v1/mdas'),
      rail.ask('/v1/assessments', { body: {}, headers: { accept: 'application/problem+json' } }),
      rail.ask('/graphql', { body: { query: '{ agencies { nodes { id } } }' } }),
      rail.ask('/signin'),
    ]);
    for (const answer of [rest, problem, graphql, page]) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(rest.json).toEqual({ error: { code: 'unavailable', message: expect.stringContaining('more requests') } });
    expect(problem.json).toMatchObject({ status: 503, code: 'unavailable' });
    expect(graphql.json.errors[0].extensions.code).toBe('unavailable');
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const probe of ['/healthz', '/readyz', '/metrics']) expect((await rail.ask(probe)).status).toBe(200);
    // While those that wait still do.
    expect([await underWay(), await waiting()]).toEqual([MOST, WAITING]);
    await holdUp.query('rollback');
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(MOST);
    expect(await underWay()).toBe(0);
    expect((await rail.ask('/v1/mdas')).status).toBe(200);
  });

  it('503 for those that have waited for long; counted and logged, with no row of the audit log', async () => {
    const brief = new TestRail({ MAX_IN_FLIGHT: String(MOST) }, undefined, { ...IMPATIENT, longestWaitMs: 1 });
    await brief.start();
    const held = await holdUpIn(brief.url);
    onTestFinished(async () => {
      await held.end();
      await brief.stop();
    });
    const asked = Array.from({ length: MOST + WAITING }, () => brief.ask('/v1/mdas'));
    await expect.poll(() => metric('http_requests_shed_total\\{reason="waited"\\}', brief)).toBe(WAITING);
    await held.query('rollback');
    const shed = (await Promise.all(asked)).filter(({ status }) => status === 503);
    expect(shed).toHaveLength(WAITING);
    await brief.rail.audit.flush();
    const ids = shed.map(({ headers }) => headers.get('x-request-id'));
    expect(await brief.count(sql`select 1 from audit_log where request_id = any(${ids})`)).toBe(0);
    await expect.poll(() => brief.logged.join('')).toContain('requests were turned away');
  });

  it('does not run what its client has given up while it waited', async () => {
    const inFlight = Array.from({ length: MOST }, () => rail.ask('/v1/mdas'));
    await expect.poll(underWay, { interval: 10 }).toBe(MOST);
    const id = 'given-up';
    const given = request(`${rail.origin}/v1/mdas`, { headers: { 'x-request-id': id } });
    given.on('error', () => {});
    given.end();
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    given.destroy();
    await expect.poll(waiting, { interval: 10 }).toBe(0);
    await holdUp.query('rollback');
    await Promise.all(inFlight);
    await rail.rail.audit.flush();
    expect(await rail.count(sql`select 1 from audit_log where request_id = ${id}`)).toBe(0);
    expect(await metric('http_requests_shed_total\\{reason="left"\\}')).toBeGreaterThan(0);
  });

  it('gives no place to those whose body is still on its way', async () => {
    await holdUp.query('rollback');
    const come = vi.spyOn(Requests.prototype, 'isOverloaded');
    onTestFinished(() => come.mockRestore());
    const slow = Array.from({ length: MOST * 2 }, () => {
      const sending = request(`${rail.origin}/v1/login/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '1000' },
      });
      sending.on('error', () => {});
      sending.write('{');
      return sending;
    });
    await expect.poll(() => come.mock.calls.length).toBe(slow.length);
    expect([await underWay(), await waiting()]).toEqual([0, 0]);
    expect((await rail.ask('/v1/mdas')).status).toBe(200);
    for (const sending of slow) sending.destroy();
  });
});

describe('one sender with more than can be answered', () => {
  const stays = new AbortController().signal;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** A sender whose requests take 20 ms each; how long they waited, and how soon they were turned away. */
  const senderOf = (limiter: ConcurrencyLimiter, name: string, begins = false) => {
    const waits: number[] = [];
    const refusals: number[] = [];
    const ask = () => {
      const since = performance.now();
      limiter.take(stays, name, begins).then(
        (turn) => {
          waits.push(performance.now() - since);
          setTimeout(() => turn.end(), 20);
        },
        () => refusals.push(performance.now() - since),
      );
    };
    return { waits, refusals, ask };
  };

  /** Lets a second pass in which one asks every 2 ms, and another every 100 ms; and then all that is under way end. */
  async function flood(often: () => void, seldom: () => void): Promise<void> {
    for (let at = 0; at < 1_000; at += 2) {
      often();
      if (at % 100 === 0) seldom();
      await vi.advanceTimersByTimeAsync(2);
    }
    await vi.runAllTimersAsync();
  }

  it('waits for nobody but themselves: others go before them, and none of theirs is turned away', async () => {
    const limiter = new ConcurrencyLimiter(2, rail.rail.log, new Registry());
    const loud = senderOf(limiter, 'account LOUD');
    const calm = senderOf(limiter, 'account CALM');
    await flood(loud.ask, calm.ask);
    expect(loud.refusals.length).toBeGreaterThan(loud.waits.length);
    expect(calm.refusals).toEqual([]);
    // No longer than for the end of one of those under way.
    expect(Math.max(...calm.waits)).toBeLessThanOrEqual(20);
    // Those of the line that is too long hear of it soon.
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
    expect(median(loud.refusals)).toBeLessThan(100);
    expect(limiter.underWay).toBe(0);
  });

  it('has what goes on with something answered, and what begins something turned away', async () => {
    const limiter = new ConcurrencyLimiter(2, rail.rail.log, new Registry());
    const beginnings = senderOf(limiter, 'account A', true);
    const further = senderOf(limiter, 'account A');
    await flood(beginnings.ask, further.ask);
    expect(beginnings.refusals.length).toBeGreaterThan(0);
    expect(further.refusals).toEqual([]);
  });

  it('is turned away once they have waited for a second, and not before', async () => {
    const limiter = new ConcurrencyLimiter(1, rail.rail.log, new Registry());
    const turn = await limiter.take(stays);
    const late = senderOf(limiter, 'account LATE');
    late.ask();
    await vi.advanceTimersByTimeAsync(999);
    expect(late.refusals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(late.refusals).toEqual([1_000]);
    turn.end();
    expect(limiter.underWay).toBe(0);
  });
});

describe('a request that is turned away', () => {
  it('is so in the same words before anything is made of it as after', async () => {
    const asked = await crowd();
    const late = await rail.ask('/v1/mdas');
    const overloaded = vi.spyOn(Requests.prototype, 'isOverloaded').mockReturnValue(true);
    onTestFinished(() => overloaded.mockRestore());
    const early = await rail.ask('/v1/mdas');
    await holdUp.query('rollback');
    await Promise.all(asked);
    expect([early.status, early.text]).toEqual([late.status, late.text]);
    expect(early.status).toBe(503);
    const shown = ({ headers }: Answer) =>
      ['content-type', 'cache-control', 'retry-after', 'x-content-type-options'].map((name) => headers.get(name));
    expect(shown(early)).toEqual(shown(late));
  });
});

describe('a crowd of logins from one network', () => {
  it(
    'does not shut out who has logged in with this browser before, and all others as before',
    { tags: 'long' },
    async () => {
      await holdUp.query('rollback');
      const { email } = await makeStaff(rail, 'clerk');
      const known = (await logIn(rail, email)).headers.getSetCookie().find((one) => one.startsWith('known='))!;
      expect(known).toMatch(/; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const cookie = known.split(';')[0]!;
      expect((await rail.ask('/v1/work/whoami', { headers: { cookie } })).data).toMatchObject({ authenticated: false });
      const tryThem = (sent: string) => ({
        wrong: Array.from({ length: 60 }, (_, index) => logIn(rail, `nobody${index}@agency.example`, 'wrong')),
        right: logIn(rail, email, undefined, { cookie: sent }),
      });
      const statusesOf = async (asked: ReturnType<typeof tryThem>) => ({
        right: (await asked.right).status,
        turnedAway: (await Promise.all(asked.wrong)).filter(({ status }) => status === 503).length,
      });
      const { right, turnedAway } = await statusesOf(tryThem(cookie));
      expect(turnedAway).toBeGreaterThan(30);
      expect(right).toBe(200);
      // As nobody: without what this rail has sealed it is one of the crowd.
      expect((await statusesOf(tryThem(`${cookie.slice(0, -2)}AA`))).right).toBe(503);
      rail.advance(24 * 91);
      expect((await statusesOf(tryThem(cookie))).right).toBe(503);
    },
  );
});

describe('a turn', () => {
  it('is given to others for as long as something outside is waited for, and taken back without a wait', async () => {
    const limiter = new ConcurrencyLimiter(1, rail.rail.log, new Registry());
    const stays = new AbortController().signal;
    const one = await limiter.take(stays);
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asides = answers.map(({ promise }) => one.aside(() => promise));
    const two = await limiter.take(stays);
    const third = limiter.take(stays);
    answers[0]!.resolve();
    await asides[0];
    answers[1]!.resolve();
    await asides[1];
    two.end();
    two.end();
    // The first is under way again, beside nobody.
    expect(await Promise.race([third.then(() => 'let in'), Promise.resolve('waits')])).toBe('waits');
    one.end();
    (await third).end();
    expect(limiter.underWay).toBe(0);
  });
});
