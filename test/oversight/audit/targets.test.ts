import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { loadTargets, readTargets } from '../../../src/oversight/targets/load.ts';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { capture } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-targets-'));
let key: string;

const graphql = async (query: string, variables: object = {}) => {
  const { json } = await rail.ask('/graphql', { key, body: { query, variables } });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data.oversight;
};
const HEADER = 'agency,fiscal_year,currency,amount';
const load = (...lines: string[]) =>
  rail.rail.transaction((db) =>
    loadTargets({ ...callOf(rail.rail, commandLine, 'test'), db }, readTargets([HEADER, ...lines].join('\n'))),
  );
const loadFile = (...lines: string[]) => {
  const file = join(folder, 'targets.csv');
  writeFileSync(file, [HEADER, ...lines, ''].join('\n'));
  return capture('src/app/cli/admin.ts', ['targets:load', file], { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir });
};

/** The fiscal year that is running: from July on. */
const begins = () => {
  const now = rail.rail.now();
  return now.getUTCFullYear() - (now.getUTCMonth() < 6 ? 1 : 0);
};
const nameOf = (year: number) => `${year}/${String((year + 1) % 100).padStart(2, '0')}`;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  for await (const _ of seedHistory(rail.rail, { events: 3_000, years: 2, agencies: 20, seed: 9 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('targets', () => {
  it('are loaded all or none, as often as one likes, and audited', async () => {
    const year = nameOf(begins());
    const last = nameOf(begins() - 1);
    const lines = [`URA,${year},UGX,10000000`, `KCCA,${year},UGX,5000000`, `URA,${last},UGX,8000000`];
    expect(await loadFile(...lines)).toBe('3 targets, of which 3 new or changed\n');
    await expect(load(`URA,${year},UGX,1`, `NOSUCH,${year},UGX,1`)).rejects.toThrow('line 3 names no agency');
    await expect(load('URA,2026,UGX,1')).rejects.toThrow('write 2026/27');
    lines[0] = `URA,${year},UGX,12000000`;
    expect([await load(...lines), await load(...lines)]).toEqual([1, 0]);
    const audited = await rail.rows(sql`
      select subject, before, after from operator_audit where action = 'target.set' order by id desc limit 1`);
    expect(audited).toEqual([
      { subject: `URA ${year} UGX`, before: { amount: 10_000_000 }, after: { amount: 12_000_000 } },
    ]);
    expect(await rail.count(sql`select 1 from operator_audit where action = 'target.set'`)).toBe(4);
  });

  it.each([
    ['agency,year,currency,amount', 'must be the header'],
    [`${HEADER}\nURA,2026/28,UGX,1`, 'line 2 has no fiscal year'],
    [`${HEADER}\nURA,2026/27,XXZ,1`, 'line 2 has no ISO 4217 currency'],
    [`${HEADER}\nURA,2026/27,UGX,1.5`, 'line 2 must have at most 0 decimals'],
    [`${HEADER}\nURA,2026/27,UGX,0`, 'line 2 must have an amount of more than 0'],
    [`${HEADER}\nURA,2026/27,UGX,1e9`, 'line 2 has no amount'],
    [`${HEADER}\nURA,2026/27,UGX,1\nURA,2026/27,UGX,2`, 'line 3 sets URA 2026/27 UGX again, which line 2 sets'],
    [`${HEADER}\nURA,2026/27,UGX`, 'line 2 is not CSV'],
  ])('are refused by their line: %s', (text, message) => {
    expect(() => readTargets(text)).toThrow(message);
  });

  it('stand beside the net revenue of their year, as plain SQL adds it up, and what the time elapsed lets expect', async () => {
    const { targets } = await graphql(
      '{ oversight { targets { agencyId fiscalYear fromDate toDate currency target collected share elapsed expected ahead } } }',
    );
    const now = rail.rail.now();
    const [from, to] = [`${begins()}-07-01`, `${begins() + 1}-07-01`];
    const start = Date.parse(`${from}T00:00:00+03:00`);
    const elapsed = (now.getTime() - start) / (Date.parse(`${to}T00:00:00+03:00`) - start);
    const expected = await rail.rows<{ agencyId: string; collected: number }>(sql`
      select m.name as "agencyId", coalesce(sum(e.amount), 0)::float8 as collected
      from mda m left join payment_event e on e.mda = m.name and e.currency = 'UGX' and e.occurred_at >= ${from}::timestamp at time zone 'Africa/Kampala'
      where m.name in ('KCCA', 'URA') group by 1 order by 1`);
    expect(targets).toMatchObject(expected);
    expect(expected.some(({ collected }) => collected > 0)).toBe(true);
    for (const row of targets) {
      expect(row).toMatchObject({
        fiscalYear: nameOf(begins()),
        fromDate: from,
        toDate: `${begins() + 1}-06-30`,
        currency: 'UGX',
        target: row.agencyId === 'URA' ? 12_000_000 : 5_000_000,
      });
      expect(row.elapsed).toBeCloseTo(elapsed, 4);
      expect(row.expected).toBe(Math.round(row.target * row.elapsed));
      expect(row.ahead).toBe(row.collected - row.expected);
      expect(row.share).toBeCloseTo(row.collected / row.target, 5);
    }
    const { targets: past } = await graphql(
      'query ($year: String) { oversight { targets(fiscalYear: $year) { agencyId elapsed target expected } } }',
      {
        year: nameOf(begins() - 1),
      },
    );
    expect(past).toEqual([{ agencyId: 'URA', elapsed: 1, target: 8_000_000, expected: 8_000_000 }]);
  });

  it('are spread over the days of their year for figures of any span, as plain SQL adds them up', async () => {
    const [from, to] = [`${begins()}-07-01`, `${begins()}-07-31`];
    const days = (Date.parse(`${begins() + 1}-07-01`) - Date.parse(from)) / 86_400_000;
    const asked = `span: { days: { fromDate: "${from}", toDate: "${to}" } }`;
    const { figures, whole, unset } = await graphql(`{ oversight {
      figures(${asked}, by: [agency, month], slice: { agency: ["URA", "KCCA"] }) {
        nodes { key { agency { id } month } targets { target targetShare aheadOfTarget } revenue { net } }
        totals { targets { target aheadOfTarget } }
        rest { targets { target } }
      }
      whole: figures(span: { days: { fromDate: "${from}", toDate: "${begins() + 1}-06-30" } }, slice: { agency: ["URA"] }) {
        nodes { targets { target } series(every: quarter) { targets { target } } }
      }
      unset: figures(span: { days: { fromDate: "2001-01-01", toDate: "2001-01-31" } }, by: [agency]) { nodes { targets { target } } }
    } }`);
    const collected = await rail.rows<{ mda: string; net: number }>(sql`
      select mda, sum(amount)::float8 as net from payment_event
      where mda in ('URA', 'KCCA') and currency = 'UGX' and (occurred_at at time zone 'Africa/Kampala')::date between ${from}::date and ${to}::date
      group by 1`);
    const of = (mda: string, year: number) => {
      const net = collected.find((one) => one.mda === mda)?.net ?? 0;
      const target = Math.round((year * 31) / days);
      return { target, targetShare: Number((net / target).toFixed(6)), aheadOfTarget: net - target };
    };
    const [kcca, ura] = [of('KCCA', 5_000_000), of('URA', 12_000_000)];
    expect(
      figures.nodes.map(({ key: { agency }, targets }: { key: { agency: { id: string } }; targets: object }) => [
        agency.id,
        targets,
      ]),
    ).toEqual([
      ['KCCA', kcca],
      ['URA', ura],
    ]);
    expect(figures.totals).toMatchObject([
      {
        targets: {
          target: Math.round((17_000_000 * 31) / days),
          aheadOfTarget: expect.closeTo(kcca.aheadOfTarget + ura.aheadOfTarget, -1),
        },
      },
    ]);
    expect(whole.nodes[0].targets.target).toBe(12_000_000);
    const quarters = whole.nodes[0].series.map(({ targets }: { targets: { target: number } }) => targets.target);
    expect(quarters).toHaveLength(4);
    expect(quarters.reduce((a: number, b: number) => a + b)).toBeCloseTo(12_000_000, -1);
    expect(unset.nodes).toEqual([]);
  });

  it('have no share where a day of them is less than the minor unit', async () => {
    await load(`MOWT,${nameOf(begins())},UGX,100`);
    const { figures } = await graphql(
      `{ oversight { figures(span: { days: { fromDate: "${begins()}-07-01", toDate: "${begins()}-07-01" } },
      slice: { agency: ["MOWT"] }) { nodes { targets { target targetShare } } } } }`,
    );
    expect(figures.nodes).toEqual([{ targets: { target: 0, targetShare: null } }]);
  });

  it('that change are in the next figures', async () => {
    const ask = async () => {
      const { figures } = await graphql(
        '{ oversight { figures(span: { preset: this_fiscal_year }, slice: { agency: ["KCCA"] }) { nodes { targets { target } } } } }',
      );
      return figures.nodes[0].targets.target as number;
    };
    const before = await ask();
    await load(`KCCA,${nameOf(begins())},UGX,10000000`);
    expect(await ask()).toBeCloseTo(before * 2, -1);
  });
});

describe('figures of anomalies', () => {
  const tally = async (by: string, slice: string, members = '') => {
    const asked = `by: [${by}], span: { preset: all_time }, slice: { ${slice} }, orderBy: [{ measure: anomalies }]`;
    const query = `{ oversight { figures(${asked}) { nodes { ${members && `key { ${members} }`} anomalies { anomalies } } } } }`;
    const { figures } = await graphql(query);
    return (figures.nodes as { key?: object; anomalies: { anomalies: number } }[]).map(({ key: of, anomalies }) => ({
      ...of,
      count: anomalies.anomalies,
    }));
  };

  it('count what is open by kind, severity, agency and age, as plain SQL does', async () => {
    await rail.rows(sql`
      update anomaly set status = 'Resolved', resolved_at = now(), resolved_by = 'x'
      where name in (select name from anomaly order by name limit 2)`);
    const expected = await rail.rows(sql`
      select kind as anomaly, severity, m.mda as "agencyId", case when days < 8 then 'days_0_7' when days < 31 then 'days_8_30'
        when days < 91 then 'days_31_90' when days < 366 then 'days_91_365' else 'days_over_365' end as age,
        count(*)::int as count
      from anomaly a cross join lateral (select extract(epoch from now() - raised_at) / 86400 as days) d
        cross join lateral unnest(a.mdas) as m (mda)
      where status = 'Open' group by 1, 2, 3, 4`);
    const placeOf = (row: object) => ['anomaly', 'severity', 'agencyId', 'age'].map((name) => Object(row)[name]).join();
    const sorted = (rows: readonly object[]) => rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const found = await tally('anomaly, severity, agency, age', 'status: [Open]', 'anomaly severity agencyId age');
    expect(sorted(found)).toEqual(sorted(expected as object[]));
    expect(found.length).toBeGreaterThan(3);
    const byName = await rail.ask('/graphql?operation=anomalies-by-age', { key });
    expect(byName.json.data.oversight.figures.nodes).toHaveLength(found.length);
    const open = await rail.count(sql`select 1 from anomaly where status = 'Open'`);
    expect(await tally('anomaly', 'status: [Open]', 'anomaly agencyId age')).toEqual([
      { anomaly: 'reversal', agencyId: null, age: null, count: open },
    ]);
    expect(await tally('status', '', 'status')).toEqual([
      { status: 'Open', count: open },
      { status: 'Resolved', count: 2 },
    ]);
    expect(await tally('', 'status: [Resolved]')).toEqual([{ count: 2 }]);
    expect(await tally('', 'anomaly: [seal_gap]')).toEqual([]);
    const of = await rail.count(sql`select 1 from anomaly where status = 'Open' and 'URA' = any(mdas)`);
    expect(await tally('agency', 'status: [Open], agency: ["URA"]', 'agencyId')).toEqual([
      { agencyId: 'URA', count: of },
    ]);
  });
});
