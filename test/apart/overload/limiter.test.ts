import { request } from 'node:http';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Requests } from '../../../src/platform/call/requests.ts';
import { ConcurrencyLimiter } from '../../../src/platform/call/concurrency/limiter.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { logIn, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

/** Under way at a time; four times as many may wait. */
const MOST = 3;
const WAITING = MOST * 4;

const rail = testRail({ MAX_IN_FLIGHT: String(MOST) });

/** Holds up every request that reads citizens, the catalogue or accounts until it is let go. */
let holdUp: pg.Client;
beforeEach(async () => {
  holdUp = new pg.Client({ connectionString: rail.url });
  await holdUp.connect();
  await holdUp.query('begin; lock table citizen, catalogue_version, mda, integrator in access exclusive mode');
});
afterEach(() => holdUp.end());

const metric = async (name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await rail.ask('/metrics')).text)?.[1]);
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
    const started = Date.now();
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
    // Long before those that wait would have waited long enough.
    expect(Date.now() - started).toBeLessThan(900);
    expect(await underWay()).toBe(MOST);
    await holdUp.query('rollback');
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(MOST);
    expect(await underWay()).toBe(0);
    expect((await rail.ask('/v1/mdas')).status).toBe(200);
  });

  it('503 for those that have waited for a second; counted and logged, with no row of the audit log', async () => {
    const waited = () => metric('http_requests_shed_total\\{reason="waited"\\}');
    const before = (await waited()) || 0;
    const asked = await crowd();
    await expect.poll(waited).toBe(before + WAITING);
    await holdUp.query('rollback');
    const shed = (await Promise.all(asked)).filter(({ status }) => status === 503);
    expect(shed).toHaveLength(WAITING);
    await rail.rail.audit.flush();
    const ids = shed.map(({ headers }) => headers.get('x-request-id'));
    expect(await rail.count(sql`select 1 from audit_log where request_id = any(${ids})`)).toBe(0);
    expect(rail.logged.filter((line) => line.includes('requests were turned away')).length).toBeGreaterThan(0);
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
    const slow = Array.from({ length: MOST * 2 }, () => {
      const sending = request(`${rail.origin}/v1/login/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '1000' },
      });
      sending.on('error', () => {});
      sending.write('{');
      return sending;
    });
    await new Promise((wake) => setTimeout(wake, 200));
    expect([await underWay(), await waiting()]).toEqual([0, 0]);
    expect((await rail.ask('/v1/mdas')).status).toBe(200);
    for (const sending of slow) sending.destroy();
  });
});

describe('one sender with more than can be answered', () => {
  const stays = new AbortController().signal;

  /** A sender whose requests come one upon another, and take their time; how many were turned away, and how soon. */
  const flood = (
    limiter: ConcurrencyLimiter,
    sender: string,
    until: number,
    everyMs: number,
    lastsMs: number,
    begins = false,
  ) => {
    const waits: number[] = [];
    const refusals: number[] = [];
    const asked: Promise<void>[] = [];
    const ask = async () => {
      const since = performance.now();
      try {
        const turn = await limiter.take(stays, sender, begins);
        waits.push(performance.now() - since);
        await new Promise((wake) => setTimeout(wake, lastsMs));
        turn.end();
      } catch {
        refusals.push(performance.now() - since);
      }
    };
    const going = (async () => {
      while (performance.now() < until) {
        asked.push(ask());
        await new Promise((wake) => setTimeout(wake, everyMs));
      }
      await Promise.all(asked);
    })();
    return { waits, refusals, going };
  };

  it('waits for nobody but themselves: others go before them, and none of theirs is turned away', async () => {
    const limiter = new ConcurrencyLimiter(2, rail.rail.log, new Registry());
    const until = performance.now() + 1_200;
    const loud = flood(limiter, 'account LOUD', until, 2, 20);
    const calm = flood(limiter, 'account CALM', until, 100, 20);
    await Promise.all([loud.going, calm.going]);
    expect(loud.refusals.length).toBeGreaterThan(loud.waits.length);
    expect(calm.refusals).toEqual([]);
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
    expect(median(calm.waits)).toBeLessThan(100);
    // Those of the line that is too long hear of it soon.
    expect(median(loud.refusals)).toBeLessThan(100);
    expect(limiter.underWay).toBe(0);
  });

  it('has what goes on with something answered, and what begins something turned away', async () => {
    const limiter = new ConcurrencyLimiter(2, rail.rail.log, new Registry());
    const until = performance.now() + 1_000;
    const beginnings = flood(limiter, 'account A', until, 2, 20, true);
    const further = flood(limiter, 'account A', until, 100, 20);
    await Promise.all([beginnings.going, further.going]);
    expect(beginnings.refusals.length).toBeGreaterThan(0);
    expect(further.refusals).toEqual([]);
  });

  it('is turned away in the same words before anything is made of a request as after', async () => {
    const asked = await crowd();
    const late = await rail.ask('/v1/mdas');
    const { isOverloaded } = Requests.prototype;
    onTestFinished(() => void (Requests.prototype.isOverloaded = isOverloaded));
    Requests.prototype.isOverloaded = () => true;
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
