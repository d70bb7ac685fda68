import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedOperations } from '../../src/graphql/operations/named.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { seedHistory } from '../../src/sandbox/history.ts';
import { verifyLedger } from '../../src/oversight/seals/verify.ts';
import { sealAll } from '../../src/oversight/seals/seal.ts';
import { placeEvents } from '../../src/oversight/events/place.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { capture } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail();
let key: string;
let events = 0;

const EVENTS = 4_000;
const ask = async (path: string) => {
  const answer = await rail.ask(`/v1/oversight/${path}`, { key });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
};
const graphql = async (query: string, variables: object = {}) =>
  (await rail.ask('/graphql', { key, body: { query, variables } })).json;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  for await (const progress of seedHistory(rail.rail, { events: EVENTS, years: 2, agencies: 30, seed: 7 }))
    events = progress.events;
});

describe('a made-up history', () => {
  it('is about as large as was asked, and whole', { tags: 'long' }, async () => {
    expect(Math.abs(events - EVENTS) / EVENTS).toBeLessThan(0.05);
    expect(await rail.count(sql`select 1 from payment_event`)).toBe(events);
    expect(await rail.count(sql`select 1 from mda where status = 'Active'`)).toBe(30);
    expect(
      await rail.count(
        sql`select 1 from assessment a where total_amount <> (select sum(amount) from assessment_line l where l.assessment = a.name)`,
      ),
    ).toBe(0);
    expect(
      await rail.count(
        sql`select 1 from payment_intent i where amount <> (select sum(amount) from split_rule s where s.intent = i.name)`,
      ),
    ).toBe(0);
    expect(
      await rail.count(sql`
        select 1 from payment_intent i left join split_rule s on s.intent = i.name left
          join payment_event e on e.intent = i.name and e.mda = s.mda and e.kind = 'payment'
        where (i.status = 'Confirmed') <> (e.name is not null) or e.amount <> s.amount`),
    ).toBe(0);
    while ((await sealAll(rail.rail)) > 0);
    expect((await verifyLedger(rail.rail)).right).toBe(true);
  });

  it('answers which agency collected most last month, through which channel, how much was reversed, and whether anything is strange', async () => {
    const now = rail.rail.now();
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10);
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).toISOString().slice(0, 10);
    const { data } = await graphql(
      `
        query ($from: Date, $to: Date) {
          oversight {
            byAgency: figures(
              by: [agency]
              span: { days: { fromDate: $from, toDate: $to } }
              orderBy: [{ measure: collected }]
              first: 1
            ) {
              nodes {
                key {
                  agencyId
                  currency
                }
                revenue {
                  collected
                  reversed
                }
              }
            }
            byChannel: figures(
              by: [channel]
              span: { days: { fromDate: $from, toDate: $to } }
              orderBy: [{ measure: collected }]
            ) {
              nodes {
                key {
                  channel
                }
                revenue {
                  share
                }
              }
            }
            anomalies(status: Open, first: 5) {
              nodes {
                kind
                raisedAt
                figures
              }
            }
          }
        }
      `,
      { from, to },
    );
    const [expected] = await rail.rows<{ mda: string; collected: { toNumber(): number } }>(sql`
      select mda, sum(amount) as collected from payment_event where kind = 'payment' and occurred_at >= ${from}::date
        and occurred_at < ${to}::date + 1 group by mda order by 2 desc limit 1`);
    expect(data.oversight.byAgency.nodes).toMatchObject([
      {
        key: { agencyId: expected!.mda, currency: 'UGX' },
        revenue: { collected: expected!.collected.toNumber() },
      },
    ]);
    expect(data.oversight.byChannel.nodes[0].key.channel).toBe('mtn_momo');
    expect(
      data.oversight.byChannel.nodes.reduce(
        (sum: number, { revenue }: { revenue: { share: number } }) => sum + revenue.share,
        0,
      ),
    ).toBeCloseTo(1, 4);
    expect(data.oversight.anomalies.nodes[0]).toMatchObject({ kind: 'reversal' });
  });
});

describe('groups of revenue', () => {
  it('are counted whole, and paged from the end as from the start, in any order', async () => {
    for (const orderBy of ['', '{ measure: collected }']) {
      const page = async (args: string) => {
        const { data, errors } = await graphql(
          `{ oversight { figures(by: [agency], orderBy: [${orderBy}], ${args}) { totalCount
            nodes { key { agencyId currency } revenue { collected } }
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
        );
        if (errors) throw new Error(JSON.stringify(errors));
        return data.oversight.figures;
      };
      const all = await page('first: 100');
      const count = all.nodes.length;
      expect(count).toBeGreaterThan(20);
      expect(all).toMatchObject({ totalCount: count });
      const end = await page('last: 5');
      expect(end.nodes).toEqual(all.nodes.slice(-5));
      expect(end).toMatchObject({ totalCount: count, pageInfo: { hasNextPage: false, hasPreviousPage: true } });
      const before = await page(`last: 5, before: "${end.pageInfo.startCursor}"`);
      expect(before.nodes).toEqual(all.nodes.slice(-10, -5));
      expect(before).toMatchObject({ totalCount: count, pageInfo: { hasNextPage: true, hasPreviousPage: true } });
      const three = await page('first: 3');
      const start = await page(
        `last: ${count}, before: "${(await page(`first: 1, after: "${three.pageInfo.endCursor}"`)).pageInfo.startCursor}"`,
      );
      expect(start.nodes).toEqual(all.nodes.slice(0, 3));
      expect(start.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    }
  });
});

describe('paymentEvents', () => {
  it('is a Relay connection, forwards and backwards, whose cursors stay the same however many come', async () => {
    const page = async (args: string) => {
      const { data, errors } = await graphql(
        `{ oversight { paymentEvents(${args}) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
      );
      if (errors) throw new Error(JSON.stringify(errors));
      return data.oversight.paymentEvents as {
        edges: { cursor: string }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
      };
    };
    const first = await page('first: 10');
    expect(first.pageInfo).toMatchObject({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0]!.cursor,
      endCursor: first.edges[9]!.cursor,
    });
    const second = await page(`first: 10, after: "${first.pageInfo.endCursor}"`);
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(new Set([...first.edges, ...second.edges].map(({ cursor }) => cursor)).size).toBe(20);
    const back = await page(`last: 10, before: "${second.pageInfo.startCursor}"`);
    expect(back.edges).toEqual(first.edges);
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const end = await page('last: 5');
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    for (const args of ['first: 0', 'first: 1001', 'first: 1, last: 1', 'after: "nothing"']) {
      const { errors } = await graphql(`{ oversight { paymentEvents(${args}) { edges { cursor } } } }`);
      expect(errors[0].extensions.code, args).toBe('validation_failed');
    }
  });

  it('pages over REST through all of them, with filters', async () => {
    let next: string | null = '/v1/oversight/payment-events?limit=1000&kind=payment&channel=cash';
    let seen = 0;
    while (next) {
      const answer = await rail.ask(next, { key });
      seen += answer.data.length;
      expect(
        answer.data.every(
          ({ kind, channel }: { kind: string; channel: string }) => kind === 'payment' && channel === 'cash',
        ),
      ).toBe(true);
      next = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(seen).toBe(await rail.count(sql`select 1 from payment_event where kind = 'payment' and channel = 'cash'`));
  });

  it('are filtered by what payments were confirmed by', async () => {
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`
        update payment_event set proof = (array['approval', 'callback', 'cash'])[1 + row % 3]::payment_proof
        from (select name, row_number() over (order by name) as row from payment_event limit 30) one where one.name = payment_event.name`);
    });
    const byPlainSql = (proofs: string[]) =>
      rail.rows<{ proof: string }>(sql`
      select name, proof from payment_event where proof::text = any(${proofs}) order by name`);
    const read = async (proofs: string) => {
      const query = `{ oversight { paymentEvents(first: 1000, proof: [${proofs}]) { nodes { name: id proof } } } }`;
      return (await graphql(query)).data.oversight.paymentEvents.nodes;
    };
    const inOrder = (rows: { name: string; proof: string }[]) =>
      rows.map(({ name, proof }) => ({ name, proof })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const approved = await byPlainSql(['approval']);
    expect(approved).toHaveLength(10);
    expect(inOrder((await rail.ask('/v1/oversight/payment-events?limit=1000&proof=approval', { key })).data)).toEqual(
      approved,
    );
    expect(inOrder(await read('approval'))).toEqual(approved);
    expect(inOrder(await read('approval, callback'))).toEqual(await byPlainSql(['approval', 'callback']));
  });
});

describe('filters by several values', () => {
  const sumOf = async (condition: ReturnType<typeof sql>) => {
    const [row] = await rail.rows<{ net: number; count: number }>(sql`
      select coalesce(sum(e.amount), 0)::float8 as net, count(*)::int as count from payment_event e
        join mda m on m.name = e.mda
      where e.currency = 'UGX' and e.occurred_at >= '2020-01-01' and ${condition}`);
    return row!;
  };
  const inShillings = ({ currency }: { currency: string }) => currency === 'UGX';

  it('add up whatever has any of them, as plain SQL does; one value alone counts as one', async () => {
    const asked: [string, ReturnType<typeof sql>][] = [
      ['mda=URA,KCCA', sql`e.mda in ('URA', 'KCCA')`],
      ['mda=URA', sql`e.mda = 'URA'`],
      ['mda=URA,KCCA&channel=cash,card', sql`e.mda in ('URA', 'KCCA') and e.channel in ('cash', 'card')`],
      ['country=UG,KE', sql`m.country in ('UG', 'KE')`],
    ];
    for (const [filter, condition] of asked) {
      const [row] = (await ask(`revenue?from_date=2020-01-01&${filter}`)).filter(inShillings);
      expect(row, filter).toMatchObject(await sumOf(condition));
    }
    const services = await rail.rows<{ name: string; sector: string }>(
      sql`select name, sector from service where mda = 'URA' order by name limit 3`,
    );
    const net = async (filter: string) =>
      (await ask(`revenue?from_date=2020-01-01&${filter}`))
        .filter(inShillings)
        .reduce((sum: number, row: { net: number }) => sum + row.net, 0);
    const apart = await Promise.all(services.map(({ name }) => net(`service=${name}`)));
    expect(await net(`service=${services.map(({ name }) => name).join(',')}`)).toBeCloseTo(
      apart.reduce((sum, one) => sum + one, 0),
      3,
    );
    expect(await net('sector=commerce,property')).toBeCloseTo(
      (await net('sector=commerce')) + (await net('sector=property')),
      3,
    );
  });

  it('say the same over GraphQL, of a list, of one value, and of variables', async () => {
    const answer = await graphql(
      `
        query ($several: [ID!]) {
          oversight {
            one: figures(span: { days: { fromDate: "2020-01-01" } }, slice: { agency: "URA", currency: "UGX" }) {
              nodes {
                revenue {
                  net
                }
              }
            }
            several: figures(span: { days: { fromDate: "2020-01-01" } }, slice: { agency: $several, currency: "UGX" }) {
              nodes {
                revenue {
                  net
                }
              }
            }
          }
        }
      `,
      { several: ['URA', 'KCCA'] },
    );
    const net = async (condition: ReturnType<typeof sql>) => ({
      nodes: [{ revenue: { net: (await sumOf(condition)).net } }],
    });
    expect(answer.data.oversight).toEqual({
      one: await net(sql`e.mda = 'URA'`),
      several: await net(sql`e.mda in ('URA', 'KCCA')`),
    });
  });

  it('give what was assessed of each agency as it is given alone, so that two tell no more than one', async () => {
    const alone = await Promise.all(['KCCA', 'URA'].map((mda) => ask(`collections?from_date=2020-01-01&mda=${mda}`)));
    expect(await ask('collections?from_date=2020-01-01&mda=URA,KCCA')).toEqual(alone.flat());
    expect(alone.flat().length).toBeGreaterThan(1);
  });

  it('422: a list without end, an unknown channel among known ones', async () => {
    const status = async (query: string) => (await rail.ask(`/v1/oversight/revenue?${query}`, { key })).status;
    expect(await status(`mda=${Array.from({ length: 101 }, (_, i) => `A${i}`).join(',')}`)).toBe(422);
    expect(await status('channel=cash,cheque')).toBe(422);
  });
});

describe('comparisons and statistics', () => {
  it('compare a period with the one before and a year ago', async () => {
    const net = async (from: string, to: string) => {
      const [row] = await rail.rows<{ net: { toNumber(): number } }>(sql`
        select coalesce(sum(amount), 0) as net from payment_event where currency = 'UGX'
          and occurred_at >= ${from}::date and occurred_at < ${to}::date + 1`);
      return row!.net.toNumber();
    };
    const year = rail.rail.now().getUTCFullYear();
    const [from, to] = [`${year}-03-01`, `${year}-03-31`];
    const [row] = (await ask(`revenue-comparison?from_date=${from}&to_date=${to}`)).filter(
      ({ currency }: { currency: string }) => currency === 'UGX',
    );
    const [current, before, yearAgo] = await Promise.all([
      net(from, to),
      net(`${year}-01-29`, `${year}-02-28`),
      net(`${year - 1}-03-01`, `${year - 1}-03-31`),
    ]);
    expect(row).toMatchObject({ current, before, year_ago: yearAgo });
    expect(row.change_on_before).toBeCloseTo((current - before) / before, 5);
    expect(await ask(`revenue-comparison?by_agency=true&from_date=${from}&to_date=${to}`)).not.toHaveLength(0);
  });

  it('tell of channels, webhooks and notices', async () => {
    const data = await ask('statistics?from_date=2020-01-01');
    const [confirmed] = await rail.rows<{ n: number }>(
      sql`select count(*)::int as n from payment_intent where status = 'Confirmed' and channel = 'card'`,
    );
    const card = data.channels.find(({ channel }: { channel: string }) => channel === 'card');
    expect(card).toMatchObject({ available: true, confirmed: confirmed!.n });
    // A status with few people has no figure, and so no share.
    if (card.failed === null || card.expired === null) expect(card.success_rate).toBeNull();
    else expect(card.success_rate).toBeCloseTo(card.confirmed / (card.confirmed + card.failed + card.expired), 5);
    expect(data.totals[0]).toMatchObject({ currency: 'UGX' });
    expect(data.webhooks).toEqual({ delivered: 0, pending: 0, dead: 0 });
    expect(data.open_anomalies).toBeGreaterThan(0);
  });

  it('tell of shifts by agency, never of anybody', async () => {
    const counts = [[1_000, 900], [1_300], [995], [1_000], [1_000]];
    for (const [index, counted] of counts.entries()) {
      const clerk = await makeStaff(rail, 'clerk');
      for (const cash of counted) {
        const { data: shift } = await clerk.post('/v1/counter-shifts', { mda: 'URA', opening_float: 1_000 });
        await clerk.post(`/v1/counter-shifts/${shift.name}:close`, {
          cash_counted: cash,
          ...(cash !== 1_000 && { variance_reason: 'x' }),
        });
      }
      const [row] = await ask('shifts?mda=URA');
      if (index < 4)
        expect(row).toMatchObject({
          mda: 'URA',
          currency: 'UGX',
          shifts: null,
          variance: null,
          largest_shortage: null,
          pending: null,
        });
    }
    expect(await ask('shifts')).toEqual([
      {
        mda: 'URA',
        currency: 'UGX',
        shifts: 6,
        with_variance: 3,
        expected_cash: 6_000,
        variance: 195,
        mean_variance: 33,
        standard_deviation: 137,
        // Fewer than five clerks missed something, or had too much.
        largest_shortage: null,
        largest_surplus: null,
        pending: 3,
        approved: 0,
        rejected: 0,
        escalated: 0,
      },
    ]);
  });

  it('GET /v1/oversight/seals: the last of each agency', async () => {
    await createConfirmed(rail, await makeActor(rail));
    while ((await placeEvents(rail.rail)) > 0);
    while ((await sealAll(rail.rail)) > 0);
    const seals = await ask('seals');
    const [last] = await rail.rows<{ mda: string; sequence: number; hash: string }>(
      sql`select mda, sequence, hash from event_seal order by mda, sequence desc limit 1`,
    );
    expect(seals[0]).toMatchObject({ mda: last!.mda, sequence: last!.sequence, hash: last!.hash });
    expect(new Set(seals.map(({ mda }: { mda: string }) => mda)).size).toBe(seals.length);
  });
});

describe('GET /graphql?operation=…', () => {
  const named = (name: string, headers: Record<string, string> = {}, variables: object = {}) =>
    rail.ask(`/graphql?operation=${name}&variables=${encodeURIComponent(JSON.stringify(variables))}`, { key, headers });

  it('answers by name, and 304 to whoever knows the answer', async () => {
    const first = await named('revenue-by-agency', {}, { fromDate: '2020-01-01' });
    expect(first.status).toBe(200);
    expect(first.json.data.oversight.figures.nodes[0].key.agencyId).toBeTruthy();
    expect(first.headers.get('cache-control')).toBe('private, max-age=15');
    const etag = first.headers.get('etag')!;
    const again = await named('revenue-by-agency', { 'if-none-match': etag }, { fromDate: '2020-01-01' });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await named('revenue-by-agency', { 'if-none-match': etag }, { fromDate: '2026-01-01' })).status).toBe(200);
  });

  it('knows each of its operations, and no other', async () => {
    const { plaintext } = await rail.key('oversight.read', 'oversight.audit');
    for (const name of namedOperations.keys()) {
      const { status, json } = await rail.ask(`/graphql?operation=${name}`, { key: plaintext });
      expect([name, status, json.errors]).toEqual([name, 200, undefined]);
    }
    for (const name of ['nothing', '../secrets', '__proto__', '']) expect((await named(name)).status, name).toBe(404);
  });

  it('422: a variable that the operation does not have, which would have been left aside', async () => {
    const refused = await named('revenue-by-agency', {}, { agency: ['URA'], fromDate: '2020-01-01', __proto: 1 });
    expect([refused.status, refused.json.errors[0].extensions]).toEqual([
      422,
      {
        code: 'validation_failed',
        details: ['agency', '__proto'].map((path) => ({
          path,
          message: 'is no variable of the operation revenue-by-agency',
        })),
      },
    ]);
    for (const variables of ['{', '[]', 'null', '1'])
      expect(
        (await rail.ask(`/graphql?operation=revenue-by-agency&variables=${variables}`, { key })).status,
      ).toBeLessThan(500);
  });

  it('takes a moment for its UTC day, over REST too', async () => {
    const day = await named('revenue-by-agency', {}, { fromDate: '2020-01-01', toDate: '2020-12-31' });
    for (const [fromDate, toDate] of [
      ['2020-01-01T23:59:59.999Z', '2020-12-31T00:00:00Z'],
      ['2020-01-02T02:00:00+03:00', '2020-12-30T22:00:00-03:00'],
    ]) {
      const moment = await named('revenue-by-agency', {}, { fromDate, toDate });
      expect([moment.status, moment.json.data]).toEqual([200, day.json.data]);
      const path = `/v1/oversight/revenue?group_by=mda&from_date=${encodeURIComponent(fromDate!)}&to_date=${encodeURIComponent(toDate!)}`;
      expect((await rail.ask(path, { key })).data).toEqual(
        (await rail.ask('/v1/oversight/revenue?group_by=mda&from_date=2020-01-01&to_date=2020-12-31', { key })).data,
      );
    }
    for (const wrong of ['2020-01-01T', '2020-13-01T00:00:00Z', '2020-01-01T00:00:00', 'today', '2020-02-30'])
      expect((await named('revenue-by-agency', {}, { fromDate: wrong })).json.errors?.[0].message, wrong).toBe(
        'fromDate: must be a date, YYYY-MM-DD',
      );
  });

  it('asks for the scope as ever, and caches no refusal', async () => {
    const { plaintext } = await rail.key('citizens.read');
    const refused = await rail.ask('/graphql?operation=open-anomalies', { key: plaintext });
    expect(refused.json.errors[0].extensions.code).toBe('forbidden');
    expect((await rail.ask('/graphql?operation=open-anomalies')).json.errors[0].extensions.code).toBe(
      'unauthenticated',
    );
  });
});

describe('npm run admin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-export-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const admin = (...args: string[]) =>
    capture('src/app/cli/admin.ts', args, { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir });

  it('export: what oversight sees, as a file', { tags: 'long' }, async () => {
    const out = join(folder, 'events.csv');
    expect(await admin('export', 'payment-events', '--out', out)).toBe(`${out}\n`);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const written = await rail.count(sql`select 1 from payment_event`);
    expect(readFileSync(out, 'utf8').trim().split('\r\n')).toHaveLength(written + 1);
    const parquet = join(folder, 'revenue.parquet');
    await admin('export', 'revenue', '--out', parquet, '--group-by', 'mda,month', '--from', '2026-01-01');
    expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1');
  });

  it('ledger:verify: says that all is right', async () => {
    const lines = (await admin('ledger:verify')).trim().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    const chains = lines.slice(
      0,
      lines.findIndex((line) => line.endsWith('agree with one another.')),
    );
    expect(chains.length).toBeGreaterThan(15);
    for (const line of chains) expect(line).toMatch(/^\S+ +\d+ seals, all right; the last is [0-9a-f]{64}$/);
  });
});
