import { drawSeed } from '../../harness/run/seed.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Sql, joined, sql } from '../../../src/platform/database/sql.ts';
import { railWithBusyHistory } from './busy-history.ts';
import { type Row, comparable, readPlainly } from './plain.ts';

const rail = railWithBusyHistory();
let key: string;
let plainKey: string;
beforeAll(async () => {
  key = (await rail.key('oversight.read', 'oversight.audit')).plaintext;
  plainKey = (await rail.key('oversight.read')).plaintext;
});

const run = (query: string, variables: object = {}, as = key) =>
  rail.ask('/graphql', { key: as, body: { query, variables } });

async function ask(query: string, variables: object = {}) {
  const answer = await run(query, variables);
  expect(answer.json.errors).toBeUndefined();
  return answer.json.data.oversight;
}

/** A row of figures, as these tests ask for it. */
interface FigureRow {
  readonly key: Readonly<Record<string, string | number | null>>;
  readonly revenue: Readonly<Record<'collected' | 'reversed' | 'net' | 'payments' | 'reversals' | 'share', number>>;
  readonly pieces: { readonly sold: number };
  readonly rows: readonly FigureRow[];
  readonly before: { readonly revenue: { readonly net: number } };
  readonly series: readonly {
    readonly at: string;
    readonly complete: boolean;
    readonly revenue: { readonly net: number } | null;
  }[];
}

async function refused(query: string, variables: object = {}, as = key): Promise<string> {
  const answer = await run(query, variables, as);
  const [error] = answer.json.errors ?? [];
  expect(error, JSON.stringify(answer.json).slice(0, 300)).toBeDefined();
  return `${error.extensions?.code}: ${error.message}`;
}

/** A dimension as the grammar and as plain SQL call it, and how a key has it. */
const DIMENSIONS: Readonly<Record<string, { plain: string; field: string }>> = {
  agency: { plain: 'agencyId', field: 'agencyId' },
  channel: { plain: 'channel', field: 'channel' },
  country: { plain: 'country', field: 'country' },
  region: { plain: 'region', field: 'region' },
  district: { plain: 'district', field: 'district' },
  station: { plain: 'station', field: 'station' },
  integrator: { plain: 'integratorId', field: 'integratorId' },
  fiscal_year: { plain: 'fiscalYear', field: 'fiscalYear' },
  quarter: { plain: 'quarter', field: 'quarter' },
  month: { plain: 'month', field: 'month' },
  week: { plain: 'week', field: 'week' },
  day: { plain: 'day', field: 'day' },
  weekday: { plain: 'weekday', field: 'weekday' },
  hour: { plain: 'hour', field: 'hour' },
  kind: { plain: 'kind', field: 'kind' },
  sector: { plain: 'sector', field: 'sector' },
  service: { plain: 'serviceId', field: 'serviceId' },
};

const SEED = drawSeed('questions');

/** Numbers that look random, and are the same for a seed. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('figures', () => {
  it(`equal a plain GROUP BY, whatever they are grouped and filtered by (SEED=${SEED})`, async () => {
    const draw = random(SEED);
    const names = Object.keys(DIMENSIONS);
    for (let question = 0; question < 40; question++) {
      const by = [...new Set(Array.from({ length: 1 + draw(4) }, () => names[draw(names.length)]!))];
      const timeZone = draw(2) === 0 ? 'UTC' : 'country';
      const [from, to] = [
        `2025-${String(7 + draw(6)).padStart(2, '0')}-${10 + draw(18)}`,
        `2026-0${1 + draw(9)}-1${draw(10)}`,
      ];
      const channel = draw(3) === 0 ? ['cash', 'mtn_momo'] : null;
      const not = draw(3) === 0 ? { agency: ['URA'] } : null;
      const zone = timeZone === 'UTC' ? 'UTC' : 'Africa/Kampala';
      const conditions: Sql[] = [
        sql`e.at::date between ${from}::date and ${to}::date`,
        ...(channel ? [sql`e.channel::text = any(${channel})`] : []),
        ...(not ? [sql`e.mda <> 'URA'`] : []),
      ];
      const fields = by.map((name) => DIMENSIONS[name]!.plain);
      const plain = await readPlainly(rail, fields, joined(conditions, ' and '), zone);
      const { figures } = await ask(
        `query ($by: [FigureDimension!]!, $span: SpanInput, $slice: SliceInput, $timeZone: OversightTimeZone!) {
          oversight { figures(by: $by, span: $span, slice: $slice, timeZone: $timeZone, first: 10000) { nodes {
            key { currency ${by.map((name) => DIMENSIONS[name]!.field).join(' ')} }
            revenue { collected reversed payments reversals } } } } }`,
        {
          by,
          timeZone,
          span: { days: { fromDate: from, toDate: to } },
          slice: { ...(channel && { channel }), ...(not && { not }) },
        },
      );
      const rows = figures.nodes.map(({ key: group, revenue }: FigureRow): Row => ({
        ...Object.fromEntries(by.map((name) => [DIMENSIONS[name]!.plain, group[DIMENSIONS[name]!.field]])),
        currency: group['currency'],
        collected: revenue.collected,
        reversed: revenue.reversed,
        count: revenue.payments + revenue.reversals,
      }));
      expect(comparable(rows, fields), `${by.join()} ${from} ${to} ${timeZone}`).toEqual(comparable(plain, fields));
    }
  });

  it('add up: nodes and rest to totals, rows within to their row, series to its whole', async () => {
    const { figures } =
      await ask(`{ oversight { figures(by: [agency], span: { days: { fromDate: "2025-07-01", toDate: "2026-06-30" } },
      orderBy: [{ measure: net }], first: 3) {
        nodes { key { agencyId } revenue { net payments share } pieces { sold }
          rows(by: [channel], first: 100) { revenue { net } pieces { sold } }
          series(every: month) { at complete revenue { net } } }
        totals { currency revenue { net payments } pieces { sold } }
        rest { currency revenue { net payments } pieces { sold } } totalCount } } }`);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const shown: readonly FigureRow[] = figures.nodes;
    const [total, rest]: readonly FigureRow[] = [figures.totals[0], figures.rest[0]];
    expect(shown).toHaveLength(3);
    expect(figures.totalCount).toBeGreaterThan(3);
    for (const measure of ['net', 'payments'] as const)
      expect(sum(shown.map(({ revenue }) => revenue[measure])) + rest!.revenue[measure]).toBe(total!.revenue[measure]);
    expect(sum(shown.map(({ pieces }) => pieces.sold)) + rest!.pieces.sold).toBe(total!.pieces.sold);
    for (const row of shown) {
      expect(sum(row.rows.map(({ revenue }) => revenue.net))).toBe(row.revenue.net);
      expect(row.series).toHaveLength(12);
      expect(sum(row.series.map(({ revenue }) => revenue?.net ?? 0))).toBe(row.revenue.net);
      expect(row.revenue.share).toBeCloseTo(row.revenue.net / total!.revenue.net, 5);
    }
  });

  it('are compared with the span before, a year ago and any other days', async () => {
    const compared = (to: string) => `compared(${to}) { change revenue { net } median: change(of: median) }`;
    const { figures, own: withOwn } =
      await ask(`{ oversight { figures(by: [agency], span: { days: { fromDate: "2026-06-01", toDate: "2026-06-30" } }) { nodes {
      key { agencyId } revenue { net } before: ${compared('to: before')} year: ${compared('to: year_ago')} }
      } own: figures(by: [agency], span: { days: { fromDate: "2026-06-01", toDate: "2026-06-30" } },
        comparedDays: { fromDate: "2026-01-01", toDate: "2026-03-31" }, including: [before],
        orderBy: [{ measure: net, by: difference, from: before, direction: asc }]) { nodes {
      key { agencyId } revenue { net } before: ${compared('to: before')} } } } }`);
    const netOf = async (from: string, to: string) => {
      const answer = await ask(
        `{ oversight { figures(by: [agency], span: { days: { fromDate: "${from}", toDate: "${to}" } }) { nodes { key { agencyId } revenue { net } } } } }`,
      );
      return new Map<string, number>(
        answer.figures.nodes.map(({ key: { agencyId }, revenue }: FigureRow) => [agencyId, revenue.net]),
      );
    };
    const [before, year, own] = await Promise.all([
      netOf('2026-05-02', '2026-05-31'),
      netOf('2025-06-01', '2025-06-30'),
      netOf('2026-01-01', '2026-03-31'),
    ]);
    expect(figures.nodes.length).toBeGreaterThan(5);
    // Those that have something in either span, by how much more they have.
    const differences: number[] = withOwn.nodes.map((row: FigureRow) => row.revenue.net - row.before.revenue.net);
    expect(differences).toEqual(differences.toSorted((a, b) => a - b));
    const ofEither = new Set([...own.keys(), ...figures.nodes.map((row: FigureRow) => row.key.agencyId)]);
    expect(new Set(withOwn.nodes.map((row: FigureRow) => row.key.agencyId))).toEqual(ofEither);
    for (const row of withOwn.nodes) expect(row.before.revenue.net).toBe(own.get(row.key.agencyId) ?? 0);
    for (const row of figures.nodes) {
      const agency = row.key.agencyId;
      expect(row.before.revenue.net).toBe(before.get(agency) ?? 0);
      expect(row.year.revenue.net).toBe(year.get(agency) ?? 0);
      const was = before.get(agency) ?? 0;
      if (was === 0) expect(row.before.change).toBeNull();
      else expect(row.before.change).toBeCloseTo((row.revenue.net - was) / was, 5);
    }
  });

  it('say why a group of figures is null, and answer the others', async () => {
    const { figures } = await ask(
      `{ oversight { figures(by: [service], first: 1) { nodes { revenue { net } sizes { median } hidden { figures reason } } } } }`,
    );
    expect(figures.nodes[0]).toMatchObject({
      revenue: { net: expect.any(Number) },
      sizes: null,
      hidden: [{ figures: 'sizes', reason: 'not_kept_by_this_dimension' }],
    });
  });

  it('are of at most 50 years until now, by the clock of the rail', async () => {
    const query = '{ oversight { figures(span: { days: { fromDate: "1990-01-01" } }) { totalCount } } }';
    const hours = 20 * 366 * 24;
    rail.advance(hours);
    try {
      expect(await refused(query)).toContain('longer than 50 years');
    } finally {
      rail.advance(-hours);
    }
    expect((await run(query)).json.errors).toBeUndefined();
  });

  it('are kept by calendar year, and refused by what none of them is kept by', async () => {
    const netBy = async (period: string) => {
      const { figures } = await ask(
        `{ oversight { figures(by: [${period}], span: { preset: all_time }) { nodes { key { ${period} } revenue { net } } } } }`,
      );
      const years = Map.groupBy(figures.nodes as FigureRow[], ({ key: at }) => String(at[period]).slice(0, 4));
      return new Map([...years].map(([year, rows]) => [year, rows.reduce((sum, { revenue }) => sum + revenue.net, 0)]));
    };
    expect(await netBy('year')).toEqual(await netBy('month'));
    expect(
      await refused('{ oversight { figures(by: [service], first: 1) { nodes { unpaid { unpaidAmount } } } } }'),
    ).toContain('kept by these dimensions');
    // Fields of the records in a key are no figures, even with the name of a group.
    const byService =
      '{ oversight { figures(by: [service], first: 1) { nodes { key { service { agency { shifts(first: 1) { totalCount } } } } } } } }';
    expect((await run(byService)).json.data.oversight.figures.nodes).toHaveLength(1);
  });

  it(
    'are chosen by measures, paged by cursors of the same question, and of one agency where its record is',
    { tags: 'long' },
    async () => {
      const page = (after: string) => `{ oversight { figures(by: [agency, month], span: { preset: last_fiscal_year },
      having: [{ measure: payments, gte: 3 }], orderBy: [{ dimension: month, direction: asc }, { measure: net }], first: 4${after}) {
      totalCount pageInfo { hasNextPage endCursor } nodes { key { agencyId month } revenue { payments } } } } }`;
      const first = (await ask(page(''))).figures;
      const seen: FigureRow[] = [...first.nodes];
      for (let { pageInfo } = first; pageInfo.hasNextPage;) {
        const next = (await ask(page(`, after: "${pageInfo.endCursor}"`))).figures;
        seen.push(...next.nodes);
        pageInfo = next.pageInfo;
      }
      expect(seen).toHaveLength(first.totalCount);
      expect(new Set(seen.map((row) => JSON.stringify(row.key))).size).toBe(first.totalCount);
      expect(seen.every(({ revenue }) => revenue.payments >= 3)).toBe(true);
      const months = seen.map((row) => row.key['month']);
      expect(months).toEqual(months.toSorted((a, b) => String(a).localeCompare(String(b))));
      expect(
        await refused(`{ oversight { figures(by: [agency], after: "${first.pageInfo.endCursor}") { totalCount } } }`),
      ).toMatch(/validation_failed: after/);

      const { json } = await run(
        `{ agency(id: "URA") { figures(by: [month], span: { preset: last_fiscal_year }) { nodes { key { month } revenue { net } } } } }`,
      );
      const own = await ask(
        `{ oversight { figures(by: [month], span: { preset: last_fiscal_year }, slice: { agency: ["URA"] }) { nodes { key { month } revenue { net } } } } }`,
      );
      expect(json.data.agency.figures).toEqual(own.figures);
    },
  );

  it.each([
    [
      'nine dimensions',
      'by: [agency, month, channel, station, region, district, country, kind, hour]',
      /by: must have at most 8/,
    ],
    [
      'a span of 200 years',
      'span: { days: { fromDate: "1970-01-01", toDate: "2170-01-01" } }',
      /longer than 50 years|exceeds maximum/,
    ],
    [
      'a span that ends before it begins',
      'span: { days: { fromDate: "2026-02-01", toDate: "2026-01-01" } }',
      /must not be before/,
    ],
    ['an agency that does not exist', 'slice: { agency: ["NOPE"] }', /slice\.agency\[0\]: there is no agency NOPE/],
    ['what is left out and does not exist', 'slice: { not: { district: ["Nowhere"] } }', /slice\.not\.district\[0\]/],
    ['a slice with quotes', `slice: { district: ["x'); drop table payment; --"] }`, /there is no district/],
    ['a thousand values', `slice: { agency: [${Array(1_000).fill('"URA"').join()}] }`, /at most 100|100 items/],
    [
      'a slice that is nested 20 deep',
      `slice: ${'{ not: '.repeat(20)}{ agency: ["URA"] }${' }'.repeat(20)}`,
      /nested more than 3 deep|depth/,
    ],
    [
      'an order by both',
      'by: [agency], orderBy: [{ measure: net, dimension: agency }]',
      /give either a measure or a dimension/,
    ],
    ['first and last', 'first: 1, last: 1', /cannot be combined with first/],
    ['other spans by a period', 'by: [month], including: [before]', /no two spans have it in common/],
    [
      'days to compare with that end before they begin',
      'comparedDays: { fromDate: "2026-02-01", toDate: "2026-01-01" }',
      /must not end before/,
    ],
    ['an order by a dimension that groups lack', 'by: [agency], orderBy: [{ dimension: month }]', /not month/],
    ['a cursor that is none', 'after: "7.x"', /no cursor of this question/],
    ['integrators without the scope', 'by: [integrator]', /forbidden/],
  ])('are refused of %s', async (_what, args, message) => {
    const as = args.includes('integrator') ? plainKey : key;
    expect(await refused(`{ oversight { figures(${args}) { totalCount } } }`, {}, as)).toMatch(message);
  });

  it('have a column for each measure, and for each dimension, over REST and in files', async () => {
    const { text } = await rail.ask('/v1/oversight/figures?by=district&measures=net', {
      key,
      headers: { accept: 'text/csv' },
    });
    const columns = new Set(text.split('\r\n')[0]!.split(','));
    const { json } = await run(`{ dimensions: __type(name: "FigureDimension") { enumValues { name } }
      measures: __type(name: "FigureMeasure") { enumValues { name } } }`);
    const { dimensions, measures } = json.data as Record<string, { enumValues: { name: string }[] }>;
    const names = [...dimensions!.enumValues, ...measures!.enumValues].map(({ name }) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !columns.has(name))).toEqual([]);
  });

  it('are refused of a series of more points than ten years have days', async () => {
    const query = `{ oversight { figures(span: { days: { fromDate: "2000-01-01", toDate: "2026-01-01" } }) {
      nodes { series(every: day) { at } } } } }`;
    expect(await refused(query)).toMatch(/more than 3,660 of these periods/);
  });

  it('are refused of unknown dimensions and measures, of both kinds of span', async () => {
    for (const args of [
      'by: [planet]',
      'orderBy: [{ measure: luck }]',
      'span: { preset: today, days: {} }',
      'span: {}',
    ])
      expect((await run(`{ oversight { figures(${args}) { totalCount } } }`)).json.errors, args).toBeDefined();
    expect(
      await refused(`{ oversight { figures(by: [agency, month]) { nodes { compared(to: before) { change } } } } }`),
    ).toMatch(/cannot be asked of groups by month/);
  });
});

describe('GET /v1/oversight/figures', () => {
  it('answers measures by dimensions with names and codes, and leaves out what was not asked for', async () => {
    const answer = await rail.ask(
      '/v1/oversight/figures?by=agency,month&measures=net,median&preset=last_fiscal_year&order_by=net&limit=2',
      { key },
    );
    expect(answer.status).toBe(200);
    expect(answer.data).toHaveLength(2);
    expect(Object.keys(answer.data[0]).toSorted()).toEqual([
      'agency',
      'agency_name',
      'currency',
      'median',
      'month',
      'net',
    ]);
    expect(answer.headers.get('link')).toContain('rel="next"');
    const csv = await rail.ask('/v1/oversight/figures?by=service&measures=net&from_date=2025-07-01', {
      key,
      headers: { accept: 'text/csv' },
    });
    expect(csv.text.split('\r\n')[0]).toContain('service_code,service_name');
    expect(csv.text).toContain('SVC-');
  });

  it('refuses what it cannot answer', async () => {
    for (const query of [
      'by=planet',
      'measures=luck',
      'preset=someday',
      'agency=NOPE',
      'preset=today&from_date=2026-01-01',
    ])
      expect((await rail.ask(`/v1/oversight/figures?${query}`, { key })).status, query).toBe(422);
    expect((await rail.ask('/v1/oversight/figures?by=integrator', { key: plainKey })).status).toBe(403);
    expect((await rail.ask('/v1/oversight/figures')).status).toBe(401);
  });
});
