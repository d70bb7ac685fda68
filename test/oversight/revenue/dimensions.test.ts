import { beforeAll, describe, expect, it } from 'vitest';
import { Answer } from '../../../src/oversight/figures/query/answer.ts';
import type { DimensionName } from '../../../src/oversight/figures/query/dimensions.ts';
import { GROUP_NAMES, type GroupName, groupOf } from '../../../src/oversight/figures/query/groups.ts';
import type { Call } from '../../../src/platform/call/call.ts';
import { DAY_MS, formatDay } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { listDifferingAnswers, makePlainParts } from './any-question.ts';
import { railWithBusyHistory } from './busy-history.ts';
import { type Row, comparable, flatten, readPlainly } from './plain.ts';
import { BEFORE_ALL, awaitCopy } from '../measures/asking.ts';

const rail = railWithBusyHistory();
let auditor: string;
let key: string;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  auditor = (await rail.key('oversight.read', 'oversight.audit')).plaintext;
});

async function askRows(query: string, credential = auditor) {
  const { json } = await rail.ask('/graphql', { key: credential, body: { query } });
  const { data, errors } = json as {
    data: { oversight: Record<string, { nodes: Row[] } | null> };
    errors?: { extensions: { code: string } }[];
  };
  const rows = Object.entries(data.oversight).map(([name, list]) => [name, list?.nodes.map(flatten) ?? null]);
  return { rows: Object.fromEntries(rows) as Record<string, Row[]>, errors };
}

/** A selection of rows, by the names that plain SQL has. */
const selectionOf = (fields: readonly string[], measures: string) => {
  const own = fields.filter((field) => field !== 'counter' && field !== 'counterAgencyId');
  return `key { ${own.join(' ')} ${own.length < fields.length ? 'counter { agencyId label }' : ''} currency } revenue { ${measures} }`;
};

/** The dimension of a field of a row. */
const GROUPING: Readonly<Record<string, string>> = {
  agencyId: 'agency',
  serviceId: 'service',
  fiscalYear: 'fiscal_year',
  counterAgencyId: 'counter',
  integratorId: 'integrator',
};

async function compare(fields: readonly string[], zone: 'country' | 'UTC', [from, to]: readonly [string, string]) {
  const groupBy = [...new Set(fields.map((field) => GROUPING[field] ?? field))];
  const { rows, errors } = await askRows(`{ oversight { figures(
    by: [${groupBy.join(' ')}], timeZone: ${zone}, span: { days: { fromDate: "${from}", toDate: "${to}" } }, first: 10000
  ) { nodes { ${selectionOf(fields, 'collected reversed count: events')} } } } }`);
  expect(errors).toBeUndefined();
  const clock = zone === 'UTC' ? 'UTC' : 'Africa/Kampala';
  const within = sql`e.at >= ${from}::date and e.at < ${to}::date + 1`;
  const expected = await readPlainly(rail, fields, within, clock);
  expect(expected.length).toBeGreaterThan(0);
  expect(comparable(rows['figures']!, fields), `${fields.join(' ')} ${zone} ${from} ${to}`).toEqual(
    comparable(expected, fields),
  );
}

describe('revenue in every dimension', () => {
  const ALL = [BEFORE_ALL, '2070-12-31'] as const;
  // Months that end where two calendars differ, and days that do.
  const SPANS = [ALL, ['2025-07-01', '2026-06-30'], ['2026-03-05', '2026-09-30']] as const;

  it('is what a plain GROUP BY says, by the clock of the country and by UTC', { tags: 'long' }, async () => {
    for (const zone of ['country', 'UTC'] as const) {
      for (const span of SPANS) {
        for (const fields of [
          ['month'],
          ['agencyId', 'month'],
          ['day'],
          ['quarter', 'fiscalYear'],
          ['week', 'weekday'],
        ])
          await compare(fields, zone, span);
      }
      for (const fields of [
        ['hour', 'weekday'],
        ['region', 'district', 'country'],
        ['station', 'channel', 'fiscalYear'],
        ['counterAgencyId', 'counter', 'kind', 'month'],
        ['integratorId', 'agencyId'],
        ['serviceId', 'hour'],
        ['sector', 'station', 'quarter'],
        ['serviceId', 'month'],
      ])
        await compare(fields, zone, ALL);
    }
  });

  it('differs between the two clocks, in the nights at which days and months end', async () => {
    for (const field of ['day', 'month', 'hour', 'weekday']) {
      const ask = async (zone: string) => {
        const { rows } =
          await askRows(`{ oversight { figures(by: [${field}], span: { days: { fromDate: "${BEFORE_ALL}" } }, timeZone: ${zone}) {
          nodes { ${selectionOf([field], 'collected count: events')} }
        } } }`);
        return rows['figures']!;
      };
      const local = await ask('country');
      expect(local.length).toBeGreaterThan(0);
      expect(local, field).not.toEqual(await ask('UTC'));
    }
  });

  it('keeps to its filters', async () => {
    const [counter] = await rail.rows<{ name: string; mda: string }>(
      sql`select counter_label as name, mda from counter_shift order by name limit 1`,
    );
    const ask = async (slice: string, selection: string, by = '') =>
      (
        await askRows(`{ oversight { asked: figures(span: { days: { fromDate: "${BEFORE_ALL}" } }, slice: { ${slice} }, by: [${by}]) {
          nodes { ${selection} } } } }`)
      ).rows['asked'];
    const whole = await ask('', 'revenue { net }');
    const stations = await ask('station: [counter, integrator, other]', 'revenue { net }');
    const one = await ask(`counter: ["${counter!.mda} ${counter!.name}"]`, 'revenue { net count: events }');
    const places = await ask('region: ["Central"], district: ["Kampala", "Mukono"]', 'key { district }', 'district');
    expect(stations).toEqual(whole);
    const [plain] = await rail.rows<{ net: string; count: number }>(sql`
      select sum(e.amount)::text as net, count(*)::int as count from payment_event e
      join assessment a on a.name = e.assessment join counter_shift h on h.name = a.shift
      where h.mda = ${counter!.mda} and h.counter_label = ${counter!.name}`);
    expect(one!.map(({ net, count }) => [Number(net), count])).toEqual([[Number(plain!.net), plain!.count]]);
    expect(places).toEqual([{ district: 'Kampala' }, { district: 'Mukono' }]);
  });

  it('tells of integrators whoever may see them alone, and the others everything else', async () => {
    for (const args of [
      'by: [integrator]',
      'slice: { integrator: ["A-ABCDEF"] }',
      'slice: { not: { integrator: ["A-ABCDEF"] } }',
    ]) {
      const { rows, errors } = await askRows(
        `{ oversight { figures(${args}) { nodes { revenue { net } } } other: figures { nodes { revenue { net } } } } }`,
        key,
      );
      expect([rows['figures'], errors![0]!.extensions.code]).toEqual([null, 'forbidden']);
      expect(rows['other']).toHaveLength(1);
    }
    expect((await rail.ask('/v1/oversight/revenue?group_by=integrator', { key })).status).toBe(403);
    expect((await rail.ask('/v1/oversight/revenue?group_by=integrator', { key: auditor })).status).toBe(200);
  });

  it('is the same over REST, whose days are UTC days unless others are asked for', async () => {
    for (const [query, zone] of [
      ['', 'UTC'],
      ['&time_zone=country', 'country'],
    ] as const) {
      const { data } = await rail.ask(
        `/v1/oversight/revenue?group_by=fiscal_year,hour,counter&from_date=${BEFORE_ALL}${query}`,
        { key },
      );
      const ours = await askRows(
        `{ oversight { figures(by: [fiscal_year, hour, counter], timeZone: ${zone}, span: { days: { fromDate: "${BEFORE_ALL}" } }) {
          nodes { ${selectionOf(['fiscalYear', 'hour', 'counter'], 'count: events')} } } } }`,
      );
      expect(
        (data as Row[]).map((row) => [
          row['fiscal_year'],
          row['hour'],
          row['counter_mda'],
          row['counter'],
          row['count'],
        ]),
      ).toEqual(
        ours.rows['figures']!.map((row) => [
          row['fiscalYear'],
          row['hour'],
          row['counterAgencyId'] ?? undefined,
          row['counter'] ?? undefined,
          row['count'],
        ]),
      );
    }
  });
});

describe('revenue by any two dimensions', () => {
  it('is what a plain GROUP BY over the parts of events says, with any filters, of any days', async () => {
    await makePlainParts(rail);
    expect([await listDifferingAnswers(rail, 1), await listDifferingAnswers(rail, 2)]).toEqual([[], []]);
  });
});

describe('lists', () => {
  it('of events have those of the days of the country, or of UTC', async () => {
    const [night] = await rail.rows<{ day: string }>(sql`
      select to_char(occurred_at at time zone 'Africa/Kampala', 'YYYY-MM-DD') as day from payment_event
      where extract(hour from occurred_at at time zone 'utc') >= 21 order by name limit 1`);
    const days = `fromDate: "${night!.day}", toDate: "${night!.day}"`;
    const { json } = await rail.ask('/graphql', {
      key,
      body: {
        query: `{ oversight { country: paymentEvents(${days}, first: 1000) { nodes { id } }
          utc: paymentEvents(${days}, timeZone: UTC, first: 1000) { nodes { id } } } }`,
      },
    });
    for (const [list, zone] of [
      ['country', 'Africa/Kampala'],
      ['utc', 'UTC'],
    ] as const) {
      const plain = await rail.rows<{ name: string }>(sql`
        select name from payment_event where (occurred_at at time zone ${zone})::date = ${night!.day}::date`);
      const found = (json.data.oversight[list].nodes as { id: string }[]).map(({ id }) => id);
      expect(found.toSorted()).toEqual(plain.map(({ name }) => name).toSorted());
    }
    expect(json.data.oversight.country).not.toEqual(json.data.oversight.utc);
  });
});

describe('an answer of oversight', () => {
  it('says as of when it is, and which days it covers', async () => {
    const clock = async () =>
      (await rail.rows<{ now: Date }>(sql`select clock_timestamp() as now`))[0]!.now.toISOString();
    const before = await clock();
    const query = `{ oversight { asOf usual: figures { span { fromDate toDate timeZone } }
      named: figures(span: { days: { fromDate: "2026-01-01" } }, timeZone: UTC) { span { fromDate toDate timeZone } } } }`;
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    const { asOf, usual, named: since } = json.data.oversight;
    const [span, whole] = [usual.span, since.span];
    const day = (days: number) =>
      new Date(rail.rail.now().getTime() + 3 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10);
    expect(span).toEqual({ fromDate: day(29), toDate: day(0), timeZone: 'country' });
    expect(whole).toMatchObject({ fromDate: '2026-01-01', timeZone: 'UTC' });
    const { headers } = await rail.ask('/v1/oversight/revenue', { key });
    const file = await rail.ask('/v1/oversight/payment-events', { key, headers: { accept: 'text/csv' } });
    const named = await rail.ask('/graphql?operation=revenue-by-month', { key });
    const known = { 'if-none-match': named.headers.get('etag')! };
    const unchanged = await rail.ask('/graphql?operation=revenue-by-month', { key, headers: known });
    expect(unchanged.status).toBe(304);
    const answers = [headers, file.headers, named.headers, unchanged.headers].map((one) => one.get('as-of'));
    const moments = [before, asOf, ...answers, await clock()];
    expect(moments).toEqual(moments.toSorted((a, b) => a!.localeCompare(b)));
    expect((await rail.ask('/v1/services')).headers.has('as-of')).toBe(false);
  });
});

describe('revenue of a span and of another', () => {
  it('is that of as many days before, and of the same days a year ago', async () => {
    const first = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 1));
    const of = (name: string, from: Date, selection: string) => `${name}: figures(
      by: [agency], including: [before, year_ago], orderBy: [{ dimension: agency, direction: asc }],
      span: { days: { fromDate: "${formatDay(from)}", toDate: "${formatDay(new Date(from.getTime() + 27 * DAY_MS))}" } }
    ) { nodes { key { agencyId currency } ${selection} } }`;
    const plain = 'revenue { net count: events }';
    const { rows, errors } = await askRows(`{ oversight {
      ${of('asked', first, `before: compared(to: before) { ${plain} } yearAgo: compared(to: year_ago) { ${plain} }`)}
      ${of('before', new Date(first.getTime() - 28 * DAY_MS), plain)}
      ${of('yearAgo', new Date(Date.UTC(first.getUTCFullYear() - 1, first.getUTCMonth(), 1)), plain)} } }`);
    expect(errors).toBeUndefined();
    for (const span of ['before', 'yearAgo']) {
      const found = new Map(rows['asked']!.map((row) => [row['agencyId'], flatten(row[span])]));
      const plainly = rows[span]!.filter(({ count }) => Number(count) > 0);
      expect(plainly.length).toBeGreaterThan(0);
      for (const { agencyId, net, count } of plainly) expect(found.get(agencyId)).toEqual({ net, count });
    }
  });
});

describe('days', () => {
  it(
    'are those of another clock once a country has another time zone, or an agency another country',
    { tags: 'long' },
    async () => {
      const byDay = async () => {
        const { rows } =
          await askRows(`{ oversight { figures(by: [day], slice: { agency: ["URA"] }, span: { days: { fromDate: "${BEFORE_ALL}" } }, first: 1000) {
        nodes { ${selectionOf(['day'], 'collected reversed count: events')} } } } }`);
        return comparable(rows['figures']!, ['day']);
      };
      const plainly = async (zone: string) =>
        comparable(await readPlainly(rail, ['day'], sql`e.mda = 'URA' and e.at >= ${BEFORE_ALL}::date`, zone), ['day']);
      await rail.rows(sql`update country set time_zone = 'America/New_York' where code = 'UG'`);
      await awaitCopy(rail);
      expect(await byDay()).toEqual(await plainly('America/New_York'));
      await rail.rows(sql`update country set time_zone = 'Africa/Kampala' where code = 'UG'`);
      await awaitCopy(rail);
      const before = await byDay();
      expect(before).toEqual(await plainly('Africa/Kampala'));
      await rail.rows(sql`update mda set country = 'XN' where name = 'URA'`);
      await awaitCopy(rail);
      expect(await byDay()).toEqual(await plainly('UTC'));
      await rail.rows(sql`
      insert into country select (jsonb_populate_record(c, '{"code": "XN", "time_zone": "America/New_York"}')).*
      from country c where code = 'UG'`);
      await awaitCopy(rail);
      expect(await byDay()).toEqual(await plainly('America/New_York'));
      expect(await byDay()).not.toEqual(before);
    },
  );
});

describe('each dimension of each group of measures', () => {
  /** The counts and amounts of a group, by name, summed over all rows of a question. */
  async function addUp(group: GroupName, by: readonly DimensionName[]): Promise<Map<string, number>> {
    const { measures } = groupOf(group);
    const whole = { from: new Date(0), to: new Date('2098-12-31'), timeZone: 'country' as const, slice: {} };
    const answer = new Answer(
      { analytics: rail.rail.analytics, now: rail.rail.now, config: rail.rail.config } as Call,
      { ...whole, by },
      [group],
    );
    const sums = new Map<string, number>();
    for (const row of await answer.rows())
      for (const [name, { type }] of Object.entries(measures)) {
        if (type !== 'Int') continue;
        sums.set(name, (sums.get(name) ?? 0) + Number(await answer.measure(row, name)));
      }
    return sums;
  }

  it('parts what there is, and loses none of it', async () => {
    await awaitCopy(rail);
    const lost: object[] = [];
    let tried = 0;
    for (const group of GROUP_NAMES) {
      const { dimensions, nothing, people } = groupOf(group);
      // Medians, and people of whom too few are told, do not add up.
      if (nothing === null || people !== 'none') continue;
      const whole = await addUp(group, []);
      for (const dimension of dimensions) {
        const parts = await addUp(group, [dimension]);
        for (const [measure, count] of whole) {
          if (count > 0) tried++;
          // A row that concerns several agencies counts for each.
          if ((parts.get(measure) ?? 0) < count)
            lost.push({ group, dimension, measure, count, parts: parts.get(measure) });
        }
      }
    }
    expect(lost).toEqual([]);
    expect(tried).toBeGreaterThan(100);
  });
});
