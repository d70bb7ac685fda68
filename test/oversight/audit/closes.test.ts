import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { closeShift, collectInShift, openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { railWithYear } from '../revenue/filled.ts';

const rail = railWithYear();
let key: string;

interface Close {
  readonly agencyId: string;
  readonly day: string;
  readonly currency: string;
  readonly opening: number;
  readonly collected: number;
  readonly reversed: number;
  readonly closing: number;
  readonly channels: readonly { readonly collected: number; readonly reversed: number }[];
  readonly shifts: object | null;
  readonly anomalies: readonly object[];
}

const FIELDS = `agencyId day currency opening collected reversed closing channels { channel collected reversed }
  shifts { shifts expected counted variance } anomalies { kind severity count }`;
async function closesOf(args: string): Promise<Close[]> {
  const all: Close[] = [];
  for (let after = ''; ;) {
    const query = `{ oversight { dailyCloses(${args}, first: 250 ${after}) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } } }`;
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    if (json.errors) throw new Error(JSON.stringify(json.errors));
    const { nodes, pageInfo } = json.data.oversight.dailyCloses;
    all.push(...nodes);
    if (!pageInfo.hasNextPage) return all;
    after = `, after: "${pageInfo.endCursor}"`;
  }
}

const localDay = (at: Date) => new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
const daysAgo = (days: number) => localDay(new Date(rail.rail.now().getTime() - days * 86_400_000));

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
});

describe('dailyCloses', () => {
  it('lead from each opening to the next, over a year, as plain SQL adds up the days of the country', async () => {
    const closes = await closesOf(`fromDate: "${daysAgo(300)}", agency: ["URA", "KCCA"]`);
    const facts = await rail.rows<{ account: string; day: string; collected: number; reversed: number }>(sql`
      select mda || ' ' || currency as account, to_char(occurred_at at time zone 'Africa/Kampala', 'YYYY-MM-DD') as day,
        coalesce(sum(amount) filter (where kind = 'payment'), 0)::float8 as collected,
        coalesce(-sum(amount) filter (where kind = 'reversal'), 0)::float8 as reversed
      from payment_event where mda in ('URA', 'KCCA') group by 1, 2`);
    const byAccount = Map.groupBy(closes, ({ agencyId, currency }) => `${agencyId} ${currency}`);
    expect([...byAccount.keys()]).toEqual(['KCCA UGX', 'URA UGX']);
    for (const [account, days] of byAccount) {
      const own = facts.filter((fact) => fact.account === account);
      let opening = own
        .filter(({ day }) => day < days[0]!.day)
        .reduce((sum, { collected, reversed }) => sum + collected - reversed, 0);
      expect(opening).toBeGreaterThan(0);
      expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 301 }, (_, index) => daysAgo(300 - index)));
      for (const close of days) {
        const fact = own.find(({ day }) => day === close.day) ?? { collected: 0, reversed: 0 };
        expect(close).toMatchObject({ opening, collected: fact.collected, reversed: fact.reversed });
        expect(close.opening + close.collected - close.reversed).toBe(close.closing);
        expect(close.channels.reduce((sum, { collected }) => sum + collected, 0)).toBe(close.collected);
        opening = close.closing;
      }
      expect(opening).toBe(own.reduce((sum, { collected, reversed }) => sum + collected - reversed, 0));
    }
  });

  it('have what was paid a moment ago', async () => {
    const before = await closesOf('agency: ["URA"]');
    const clerk = await makeStaff(rail, 'clerk');
    const { amount } = await collectInShift(rail, clerk, await openShift(clerk));
    const after = await closesOf('agency: ["URA"]');
    expect(after.at(-1)!.closing - before.at(-1)!.closing).toBe(amount);
    expect(after.at(-1)!.day).toBe(daysAgo(0));
  });

  it('tell of shifts where enough clerks closed one, and of the anomalies of the day', async () => {
    const clerks: StaffActor[] = [];
    for (let index = 0; index < 5; index++) clerks.push(await makeStaff(rail, 'clerk'));
    for (const [index, clerk] of clerks.entries()) {
      const today = (await closesOf('agency: ["NIRA"], currency: "UGX"')).at(-1);
      expect(today?.shifts ?? null).toBeNull();
      const shift = await openShift(clerk, { mda: 'NIRA', opening_float: 1_000 });
      const counted = index === 0 ? 900_000 : 1_000;
      await closeShift(clerk, shift, { cash_counted: counted, ...(index === 0 && { variance_reason: 'x' }) });
    }
    const today = (await closesOf('agency: ["NIRA"], currency: "UGX"')).at(-1)!;
    expect(today.shifts).toEqual({ shifts: 5, expected: 5_000, counted: 904_000, variance: 899_000 });
    expect(today.anomalies).toEqual([{ kind: 'cash_variance', severity: 'medium', count: 1 }]);
    // Some of the same shifts, moved to another day of the month, are about few people, and so is what the others lack.
    const month = daysAgo(0).slice(0, 7);
    const other = daysAgo(0).endsWith('-15') ? `${month}-14` : `${month}-15`;
    await rail.rows(sql`
      update counter_shift set closed_at = ${other}::date + interval '10 hours'
      where name in (select name from counter_shift where mda = 'NIRA' order by name limit 2)`);
    const [first, last] = [`${month}-01`, `${month}-28`];
    const days = await closesOf(`agency: ["NIRA"], fromDate: "${first}", toDate: "${last}"`);
    expect(days.filter(({ shifts }) => shifts !== null)).toEqual([]);
  });

  it('422: more than a year at a time, and cursors of no row', async () => {
    await expect(closesOf('fromDate: "2020-01-01"')).rejects.toThrow(/validation_failed/);
    await expect(closesOf('after: "URA UGX 1999-01-01"')).rejects.toThrow(/validation_failed/);
  });

  it('go up to the day of the country, also late in the evening of a span of UTC days', async () => {
    const now = rail.rail.now();
    rail.advance(22.5 - now.getUTCHours() + (now.getUTCHours() >= 22 ? 24 : 0));
    const query = `{ oversight(span: { days: {} }, timeZone: UTC) {
      dailyCloses(agency: ["URA"], last: 1) { nodes { day } } } }`;
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    const { day } = json.data.oversight.dailyCloses.nodes[0];
    expect([day, day > rail.rail.now().toISOString().slice(0, 10)]).toEqual([daysAgo(0), true]);
  });
});
