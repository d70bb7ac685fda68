import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Decimal } from '../../src/kernel/money.ts';
import { Engine } from '../../src/platform/analytics/engine.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { Chance } from '../harness/chaos/fuzz/requests.ts';
import { drawSeed } from '../harness/run/seed.ts';
import { createAssessedFor, createConfirmed, makeActor, someCitizen, createPendingFor } from '../harness/flow.ts';
import { type Served, serve } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { sizeOf } from '../harness/chaos/size.ts';

const rail = testRail();
const served: Served[] = [];
let key: string;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
});
afterAll(async () => void (await Promise.all(served.map((one) => one.stop()))));

const revenue = async (query: string) => {
  const answer = await rail.ask(`/v1/oversight/revenue?${query}`, { key });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data as Record<string, unknown>[];
};

/** A plain GROUP BY over the events at the same moment. */
const plain = (keys: string, join = '') =>
  rail.query<Record<string, unknown>>(`
    select ${keys}, e.currency, sum(e.amount) filter (where e.kind = 'payment') as collected, coalesce(-sum(e.amount) filter (where e.kind = 'reversal'), 0) as reversed,
      sum(e.amount) as net, count(*)::int as count from payment_event e ${join} group by ${keys.replace(/ as \w+/g, '')}, e.currency`);

/** Amounts come as numbers, and as decimals. */
const textOf = (value: unknown) =>
  value == null ? null : typeof value === 'string' ? value : JSON.stringify(value).replaceAll('"', '');

const comparable = (rows: readonly Record<string, unknown>[], names: readonly string[]) =>
  rows
    .map((row) =>
      JSON.stringify([...names, 'currency', 'collected', 'reversed', 'net', 'count'].map((name) => textOf(row[name]))),
    )
    .toSorted();

async function pay(code: string): Promise<string> {
  const actor = await makeActor(rail);
  const { assessment } = await createAssessedFor(rail, actor, code);
  const intent = await createPendingFor(actor, assessment, 'cash');
  await actor.post(`/v1/payment-intents/${intent}:initiate`);
  await actor.post(`/v1/payment-intents/${intent}:confirm`);
  return assessment;
}

describe('GET /v1/oversight/revenue', () => {
  it('200: groups, and never adds over currencies', async () => {
    for (const code of ['URA-PAYE', 'URA-VAT', 'KE-KRA-MVTRANSFER', 'URA-TCC']) await pay(code);
    expect(await revenue('')).toMatchObject([
      { currency: 'KES', collected: 1_775.5, reversed: 0, net: 1_775.5, count: 1, share: 1 },
      { currency: 'UGX', collected: 1_660_000, reversed: 0, net: 1_660_000, count: 3, average: 553_333, share: 1 },
    ]);
    const rows = await revenue('group_by=mda,country,sector,service,channel&order_by=net');
    expect(Object.keys(rows[0]!)).toEqual([
      'mda',
      'sector',
      'service',
      'channel',
      'country',
      'currency',
      'collected',
      'reversed',
      'net',
      'count',
      'average',
      'share',
    ]);
    expect(rows.map(({ net }) => net)).toEqual([1_200_000, 450_000, 10_000, 1_775.5]);
    expect(rows[0]).toMatchObject({ mda: 'URA', country: 'UG', sector: 'tax', channel: 'cash', share: 0.722892 });
    expect(await revenue('currency=KES')).toHaveLength(1);
    expect(await revenue('mda=URA&family=tax')).toMatchObject([{ net: 1_650_000 }]);
    // A filter that is left empty does not take another one with it.
    const [unsold] = await rail.rows<{ name: string }>(
      sql`select name from service where name not in (select service from assessment_line) order by name limit 1`,
    );
    expect(await revenue(`sector=&service=${unsold!.name}`)).toEqual([]);
    expect(await revenue('from_date=2020-01-01&to_date=2020-12-31')).toEqual([]);
    expect(await revenue('group_by=kind')).toHaveLength(2);
  });

  it('200: pages; 422: what cannot be', async () => {
    const first = await rail.ask('/v1/oversight/revenue?group_by=service&limit=2', { key });
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('link')!)![1]!;
    const second = await rail.ask(next, { key });
    expect([...first.data, ...second.data]).toEqual(await revenue('group_by=service'));
    for (const query of [
      'group_by=person',
      'limit=0',
      'limit=10001',
      'after=x',
      'from_date=2026-02-01&to_date=2026-01-01',
      'order_by=name',
      'channel=barter',
    ]) {
      expect((await rail.ask(`/v1/oversight/revenue?${query}`, { key })).status, query).toBe(422);
    }
  });

  it('shares an event out among its services so that the parts are the whole, whatever its splits', async () => {
    const { plaintext } = await rail.key('citizens.read', 'assessments.write', 'payments.initiate', 'payments.split');
    const post = (path: string, body: object = {}) => rail.ask(path, { key: plaintext, body });
    const services = await rail.rows<{ name: string }>(
      sql`select name from service where code in ('URA-PAYE', 'URA-STAMP', 'URA-TCC', 'URSB-COMPANY') order by name`,
    );
    const { data: made } = await post('/v1/assessments', {
      citizen: await someCitizen(rail),
      lines: services.map(({ name }) => ({ service: name })),
    });
    await post(`/v1/assessments/${made.name}:assess`);
    const splits = [
      { mda: 'URA', amount: 333_331 },
      { mda: 'URSB', amount: 200_000 },
      { mda: 'KCCA', amount: 450_000 + 15_000 + 10_000 + 135_000 - 533_331 },
    ];
    const { data: intent } = await post('/v1/payment-intents', { assessment: made.name, channel: 'card', splits });
    await post(`/v1/payment-intents/${intent.name}:initiate`);
    expect((await post(`/v1/payment-intents/${intent.name}:confirm`)).status).toBe(200);
    const rows = await revenue('group_by=mda,service&channel=card');
    const of = (mda: string) => rows.filter((row) => row['mda'] === mda);
    expect(of('URA')).toHaveLength(3);
    expect(of('URA').reduce((sum, { net }) => sum + (net as number), 0)).toBe(333_331);
    expect(of('URA').every(({ net }) => Number.isInteger(net))).toBe(true);
    // No line explains it.
    expect(of('KCCA')).toMatchObject([{ net: 76_669 }]);
    expect(of('KCCA')[0]).not.toHaveProperty('service');
  });
});

const QUESTIONS = sizeOf({ fast: 3, long: 25 });

describe('two processes that are asked while payments and reversals go on', () => {
  it(
    'have all events from before the question in their answers, each whole, and none that are not there',
    { tags: 'long' },
    async () => {
      const env = { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir, PORT: '0', LOG_LEVEL: 'error' };
      served.push(...(await Promise.all([serve('src/app/main.ts', env), serve('src/app/main.ts', env)])));
      const actor = await makeActor(rail);
      const enough = new AbortController();
      const made: string[] = [];
      const chance = new Chance(drawSeed('payments and questions'));
      const payers = Array.from({ length: 4 }, async () => {
        while (!enough.signal.aborted) {
          const { assessment } = await createConfirmed(rail, actor);
          made.push(assessment);
          if (made.length % 3 === 0) await actor.post(`/v1/assessments/${chance.of(made)}:cancel`);
        }
      });
      const look = async () => {
        const [row] = await rail.rows<{ at: Date; events: number }>(
          sql`select clock_timestamp() as at, count(*)::int as events from payment_event`,
        );
        return row!;
      };
      const askThere = async (origin: string) => {
        const answer = await fetch(`${origin}/v1/oversight/revenue?group_by=mda,channel`, {
          headers: { authorization: `Bearer ${key}` },
        });
        const { data } = (await answer.json()) as { data: { count: number }[] };
        return { asOf: new Date(answer.headers.get('as-of')!), count: data.reduce((sum, { count }) => sum + count, 0) };
      };
      const askHere = async () => {
        const over = new AbortController();
        const analytics = rail.rail.analytics.atOnce(undefined, over.signal);
        const asOf = await analytics.asOf();
        const events = await analytics.rows<{ event: string; amount: Decimal }>(
          sql`select event, sum(amount) as amount from payment group by event`,
        );
        over.abort();
        const found = new Map(events.map(({ event, amount }) => [event, amount.toNumber()]));
        const truth = await rail.rows<{ name: string; amount: number }>(
          sql`select name, amount::float8 as amount from payment_event where name = any(${[...found.keys()]})`,
        );
        expect(found).toEqual(new Map(truth.map(({ name, amount }) => [name, amount])));
        return { asOf, count: found.size };
      };
      let fresh = 0;
      const compare = async () => {
        const before = await look();
        const answers = await Promise.all([askHere(), ...served.map(({ origin }) => askThere(origin))]);
        const after = await look();
        for (const { asOf, count } of answers) {
          expect(count).toBeLessThanOrEqual(after.events);
          // On a machine that does much else an answer may be of an earlier moment, and says so.
          if (asOf < before.at) continue;
          expect(count).toBeGreaterThanOrEqual(before.events);
          fresh++;
        }
      };
      try {
        for (let i = 0; i < QUESTIONS; i++) {
          // After some more payments, or at once.
          const next = made.length + chance.below(4);
          await expect.poll(() => made.length, { interval: 5 }).toBeGreaterThanOrEqual(next);
          await compare();
        }
      } finally {
        enough.abort();
        await Promise.all(payers);
      }
      expect(made.length).toBeGreaterThan(5);
      expect(fresh).toBeGreaterThan(QUESTIONS);
      // Through the API, in every grouping that the events themselves have.
      const rows = await revenue('group_by=mda,channel,day&limit=10000');
      const expected = await plain(
        `e.mda, e.channel::text as channel, to_char(e.occurred_at at time zone 'utc', 'YYYY-MM-DD') as day`,
      );
      expect(comparable(rows, ['mda', 'channel', 'day'])).toEqual(comparable(expected, ['mda', 'channel', 'day']));
      for (const [by, keys, join] of [
        ['month', `to_char(e.occurred_at at time zone 'utc', 'YYYY-MM') as month`, ''],
        ['week', `to_char(e.occurred_at at time zone 'utc', 'IYYY-"W"IW') as week`, ''],
        ['country', 'm.country', 'join mda m on m.name = e.mda'],
      ] as const) {
        expect(comparable(await revenue(`group_by=${by}&limit=10000`), [by]), by).toEqual(
          comparable(await plain(keys, join), [by]),
        );
      }
      // By service, the parts add up to the same.
      const total = (list: readonly Record<string, unknown>[], currency: string) =>
        list.filter((row) => row['currency'] === currency).reduce((sum, { net }) => sum + (net as number), 0);
      expect(total(await revenue('group_by=service,mda,day&limit=10000'), 'UGX')).toBe(total(await revenue(''), 'UGX'));
      // Each event has one place in the stream, without gaps.
      await expect.poll(() => rail.count(sql`select 1 from oversight_tail`)).toBe(0);
      const [stream] = await rail.rows<{ n: number; last: number }>(
        sql`select count(*)::int as n, max(position)::int as last from oversight_stream`,
      );
      expect(stream!.n).toBe(stream!.last);
    },
  );
});

describe('all groupings over all time', () => {
  it('is bounded, and takes one question', async () => {
    const asked = vi.spyOn(Engine.prototype, 'rows');
    onTestFinished(() => asked.mockRestore());
    const rows = await revenue(
      'group_by=mda,sector,family,service,channel,country,currency,day,week,month,kind&from_date=1970-01-01&limit=10000',
    );
    expect(rows.length).toBeLessThanOrEqual(10_000);
    expect(asked).toHaveBeenCalledOnce();
  });
});

describe('a list of oversight that waits', () => {
  it('503 where somebody ended it', async () => {
    const { plaintext } = await rail.key('oversight.read');
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`lock table oversight_stream in access exclusive mode`);
      const asked = rail.ask('/v1/oversight/payment-events', { key: plaintext });
      const ended = sql`
        select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%oversight.%'`;
      await expect.poll(() => rail.rows(ended)).not.toHaveLength(0);
      expect((await asked).status).toBe(503);
    });
  });

  it('422 where it cannot be answered in time, whatever the question', async () => {
    const { plaintext } = await rail.key('oversight.read');
    // A lock that the question waits for, and a connection that waits for nobody.
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`lock table oversight_stream in access exclusive mode`);
      await rail.rail.oversight.rows(sql`select set_config('statement_timeout', '200', false)`);
      const answer = await rail.ask('/v1/oversight/payment-events', { key: plaintext });
      expect([answer.status, answer.json.error.message]).toEqual([
        422,
        'The query takes too long; ask for fewer groups or a shorter period',
      ]);
    });
  });
});
