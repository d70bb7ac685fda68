import { beforeAll, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { railWithBusyHistory } from './busy-history.ts';
import { type Row, comparable, flatten, readPlainly } from './plain.ts';

const rail = railWithBusyHistory();
let key: string;

beforeAll(async () => {
  key = (await rail.key('oversight.read', 'oversight.audit')).plaintext;
});

async function ask(name: string, variables: object) {
  const query = new URLSearchParams({ operation: name, variables: JSON.stringify(variables) });
  const { json } = await rail.ask(`/graphql?${query.toString()}`, { key });
  expect(json.errors, name).toBeUndefined();
  const { nodes, span } = json.data.oversight.figures as { nodes: Row[]; span: Row };
  return { rows: nodes.map(flatten), span };
}

const [FROM, TO] = ['2026-01-01', '2026-11-15'];
const within = (from: string, to: string) => sql`e.at >= ${from}::date and e.at < ${to}::date + 1`;

describe('a named question about revenue', () => {
  it.each([
    ['revenue-by-agency', ['agencyId']],
    ['revenue-by-month', ['month']],
    ['agencies-by-month', ['agencyId', 'month']],
    ['revenue-by-quarter', ['fiscalYear', 'quarter']],
    ['revenue-by-hour', ['weekday', 'hour']],
    ['revenue-by-district', ['country', 'region', 'district']],
    ['counters-beside-online', ['station', 'channel']],
    ['cash-by-counter', ['counterAgencyId', 'counter', 'channel'], sql`a.shift is not null`],
    ['revenue-by-integrator', ['integratorId'], sql`a.shift is null and e.integrator is not null`],
  ] as [string, string[], Sql?][])(
    '%s is answered as plain SQL answers it',
    async (name, fields, where = sql`true`) => {
      const { rows, span } = await ask(name, { fromDate: FROM, toDate: TO });
      const plain = await readPlainly(rail, fields, sql`${within(FROM, TO)} and ${where}`);
      expect(plain.length).toBeGreaterThan(0);
      expect(comparable(rows, fields)).toEqual(comparable(plain, fields));
      expect(span).toEqual({ fromDate: FROM, toDate: TO, timeZone: 'country' });
    },
  );

  it('about two agencies is that about each of them', async () => {
    const of = async (agency: string[]) =>
      (await ask('agencies-by-month', { fromDate: FROM, toDate: TO, agency })).rows;
    expect(await of(['URA', 'KCCA'])).toEqual([...(await of(['KCCA'])), ...(await of(['URA']))]);
  });

  it('about counters has shares of what each took', async () => {
    const { rows: shared } = await ask('cash-by-counter', { fromDate: FROM, toDate: TO });
    const counters = Map.groupBy(shared, (row) => JSON.stringify([row['counterAgencyId'], row['counter']]));
    expect(counters.size).toBe(6);
    for (const [counter, rows] of counters) {
      const whole = rows.reduce((sum, { net }) => sum + Number(net), 0);
      for (const { net, share } of rows) expect(share, counter).toBeCloseTo(Number(net) / whole, 6);
    }
    const query = '{ oversight { figures(by: [agency]) { nodes { revenue { share(within: [counter]) } } } } }';
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    expect(json.errors[0].extensions.details[0].path).toBe('within');
  });
});

/** The figures of all spans in one object. */
const comparedOf = ({ net: current, before, yearAgo, ...row }: Row): Row => {
  const { net: then, difference, change } = flatten(before);
  const { net: aYearAgo, change: changeOnYearAgo } = flatten(yearAgo);
  return { ...row, current, before: then, yearAgo: aYearAgo, difference, changeOnBefore: change, changeOnYearAgo };
};

describe('a named question that compares', () => {
  const SPANS = {
    current: ['2026-07-01', '2026-09-30'],
    before: ['2026-03-31', '2026-06-30'],
    yearAgo: ['2025-07-01', '2025-09-30'],
  } as const;

  it.each([
    ['revenue-compared', ['agencyId']],
    ['month-over-month', ['agencyId', 'channel']],
    ['sectors-compared', ['sector']],
    ['services-by-growth', ['serviceId']],
  ] as [string, string[]][])('%s has the sums of each period, and the change between them', async (name, fields) => {
    const [fromDate, toDate] = SPANS.current;
    const rows = (await ask(name, { fromDate, toDate })).rows.map(comparedOf);
    const keyOf = (row: Row) => JSON.stringify([...fields, 'currency'].map((field) => row[field] ?? null));
    const keys = new Set<string>();
    for (const [period, [from, to]] of Object.entries(SPANS)) {
      const plain = new Map(
        (await readPlainly(rail, fields, within(from, to))).map((row) => [
          keyOf(row),
          Number(row['collected']) - Number(row['reversed']),
        ]),
      );
      for (const row of rows) expect(Number(row[period]), `${period} ${keyOf(row)}`).toBe(plain.get(keyOf(row)) ?? 0);
      for (const one of plain.keys()) keys.add(one);
    }
    expect(rows.map(keyOf).toSorted()).toEqual([...keys].toSorted());
    for (const { current, before, difference, changeOnBefore } of rows) {
      expect(Number(difference)).toBe(Number(current) - Number(before));
      if (Number(before) === 0) expect(changeOnBefore).toBeNull();
      else expect(changeOnBefore).toBeCloseTo((Number(current) - Number(before)) / Math.abs(Number(before)), 6);
    }
  });

  it('orders services by growth, and names them', async () => {
    const [fromDate, toDate] = SPANS.current;
    const rows = (await ask('services-by-growth', { fromDate, toDate })).rows.map(comparedOf);
    const growth = rows.map(({ changeOnBefore }) => (changeOnBefore as number | null) ?? -Infinity);
    expect(growth).toEqual(growth.toSorted((a, b) => b - a));
    const services = await rail.rows<{ name: string; code: string; service_name: string }>(
      sql`select name, code, service_name from service`,
    );
    const named = rows.filter(({ serviceId }) => serviceId !== null);
    expect(named.length).toBeGreaterThan(20);
    for (const { serviceId, service } of named) {
      const { code, serviceName } = service as Row;
      expect(services).toContainEqual({ name: serviceId, code, service_name: serviceName });
    }
  });

  it('compares with whatever days are asked for, and with no days that are in one of both alone', async () => {
    const compareWith = { fromDate: '2026-02-01', toDate: '2026-02-28' };
    const rows = (await ask('revenue-compared', { fromDate: '2026-08-01', compareWith })).rows.map(comparedOf);
    const plain = await readPlainly(rail, ['agencyId'], within('2026-02-01', '2026-02-28'));
    const before = new Map(plain.map((row) => [row['agencyId'], Number(row['collected']) - Number(row['reversed'])]));
    for (const row of rows) expect(Number(row['before'])).toBe(before.get(row['agencyId']) ?? 0);
  });
});

describe('concentration', () => {
  it('is the share of the largest services and agencies', async () => {
    const { rows } = await ask('concentration', { fromDate: FROM, toDate: TO, top: 3 });
    expect(rows).toHaveLength(1);
    for (const [field, list] of [
      ['serviceId', 'services'],
      ['agencyId', 'agencies'],
    ] as const) {
      const nets = (await readPlainly(rail, [field], within(FROM, TO)))
        .map((row) => Number(row['collected']) - Number(row['reversed']))
        .toSorted((a, b) => b - a);
      const whole = nets.reduce((sum, one) => sum + one, 0);
      expect(Number(rows[0]!['net'])).toBe(whole);
      const largest = (rows[0]![list] as Row[]).map(flatten);
      expect(largest.map(({ net }) => net)).toEqual(nets.slice(0, 3));
      for (const { net, share } of largest) expect(share).toBeCloseTo(Number(net) / whole, 6);
    }
  });
});
