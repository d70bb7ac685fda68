import { Answer } from '../../../src/oversight/figures/query/answer.ts';
import type { DimensionName } from '../../../src/oversight/figures/query/dimensions.ts';
import type { Question as Asked } from '../../../src/oversight/figures/query/question.ts';
import type { Call } from '../../../src/platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../../src/platform/database/sql.ts';
import { formatDay } from '../../../src/kernel/time.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import type { TestRail } from '../../harness/rail.ts';

/** Each dimension in terms of a part of an event `p`, at `p.at` in the requested time zone. */
const PLAIN = {
  agency: sql`p.mda`,
  sector: sql`p.sector`,
  family: sql`p.family`,
  service: sql`nullif(p.service, '')`,
  channel: sql`p.channel::text`,
  country: sql`p.country`,
  region: sql`p.region`,
  district: sql`p.district`,
  station: sql`p.station`,
  counter: sql`p.counter`,
  integrator: sql`p.integrator`,
  currency: sql`p.currency`,
  fiscal_year: sql`to_char(p.at - interval '6 months', 'YYYY/') || to_char(p.at + interval '6 months', 'YY')`,
  year: sql`to_char(p.at, 'YYYY')`,
  quarter: sql`to_char(p.at, 'YYYY-"Q"Q')`,
  day: sql`to_char(p.at, 'YYYY-MM-DD')`,
  week: sql`to_char(p.at, 'IYYY-"W"IW')`,
  month: sql`to_char(p.at, 'YYYY-MM')`,
  weekday: sql`extract(isodow from p.at)::int`,
  hour: sql`extract(hour from p.at)::int`,
  kind: sql`p.kind::text`,
} satisfies Partial<Record<DimensionName, Sql>>;

type Grouping = keyof typeof PLAIN;
const GROUPINGS = Object.keys(PLAIN) as readonly Grouping[];

const FILTERS = [
  'agency',
  'sector',
  'family',
  'service',
  'channel',
  'region',
  'district',
  'station',
  'counter',
  'integrator',
] as const;
const BY_SERVICE: readonly string[] = ['sector', 'family', 'service'];

/** Writes down the parts of all events, with all that revenue is grouped by, for a plain GROUP BY. */
export async function makePlainParts(rail: TestRail): Promise<void> {
  await rail.rows(sql`
    create table plain_part as
    select s.*, s.occurred_at at time zone 'utc' as utc_at, m.country, m.region, m.district, v.sector, v.family
    from event_share s join mda m on m.name = s.mda left join service v on v.name = s.service`);
}

interface Question {
  readonly groupBy: readonly Grouping[];
  readonly filter: Pick<Asked, 'from' | 'to' | 'timeZone' | 'slice'>;
}

/** Every other pair of groupings, each with a filter or two, some days and a clock at random. */
async function* makeQuestions(rail: TestRail, seed: number): AsyncGenerator<Question> {
  const random = seedRandom(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const values = new Map<string, readonly string[]>();
  for (const name of FILTERS) {
    const rows = await rail.rows<{ value: string }>(sql`
      select distinct ${PLAIN[name]} as value from plain_part p where ${PLAIN[name]} is not null order by 1`);
    values.set(
      name,
      rows.map(({ value }) => value),
    );
  }
  const day = (without: Date) =>
    random() < 0.3 ? without : new Date(Date.now() - Math.floor(random() * 500) * 86_400_000);
  for (const [index, one] of GROUPINGS.entries())
    for (const other of GROUPINGS.slice(index).filter((_, place) => (index + place + seed) % 2 === 0)) {
      const filters = Array.from({ length: Math.floor(random() * 2.5) }, () => pick(FILTERS));
      const [from, to] = [day(new Date(0)), day(new Date('2098-12-31'))].toSorted((x, y) => x.getTime() - y.getTime());
      yield {
        groupBy: [one, other],
        filter: {
          slice: Object.fromEntries(filters.map((name) => [name, [pick(values.get(name)!), pick(values.get(name)!)]])),
          from: from!,
          to: to!,
          timeZone: pick(['UTC', 'country']),
        },
      };
    }
}

/** The questions that sums and what waits to be part of them answer otherwise than the events themselves. */
export async function listDifferingAnswers(rail: TestRail, seed: number): Promise<object[]> {
  const differing: object[] = [];
  let rows = 0;
  for await (const { groupBy, filter } of makeQuestions(rail, seed)) {
    const keys = [...new Set([...groupBy, 'currency' as const])];
    const answer = new Answer(
      { analytics: rail.rail.analytics, now: rail.rail.now } as Call,
      { ...filter, by: groupBy },
      ['revenue'],
    );
    const found = (await answer.rows()).map(async (row) => {
      const measures = ['collected', 'reversed', 'payments', 'reversals'];
      const values = await Promise.all(measures.map(async (name) => [name, await answer.measure(row, name)] as const));
      return { ...row.key, ...Object.fromEntries(values) } as Row;
    });
    const expected = await readPlainly(rail, keys, filter);
    rows += expected.length;
    const [ours, theirs] = [await Promise.all(found), expected].map((list) =>
      list
        .map((row) =>
          JSON.stringify([
            ...keys.map((key) => row[key] ?? null),
            Number(row.collected),
            Number(row.reversed),
            row.payments,
            row.reversals,
          ]),
        )
        .toSorted(),
    );
    if (ours!.join() !== theirs!.join()) differing.push({ groupBy, filter, ours, theirs });
  }
  if (rows === 0) throw new Error('Nothing was asked that there is anything of');
  return differing;
}

type Row = Readonly<
  Partial<Record<DimensionName, unknown>> & Record<'collected' | 'reversed' | 'payments' | 'reversals', unknown>
>;

function readPlainly(rail: TestRail, keys: readonly Grouping[], filter: Question['filter']): Promise<Row[]> {
  const byService = [...keys, ...Object.keys(filter.slice)].some((name) => BY_SERVICE.includes(name));
  const counted = byService ? sql`true` : sql`p.leads`;
  const conditions = [
    sql`true`,
    ...FILTERS.flatMap((name) => (filter.slice[name] ? [sql`${PLAIN[name]} = any(${filter.slice[name]})`] : [])),
    sql`p.at >= ${formatDay(filter.from)}::date`,
    sql`p.at < ${formatDay(filter.to)}::date + 1`,
  ];
  return rail.rows<Row>(sql`
    with p as (select *, ${filter.timeZone === 'country' ? sql`local_at` : sql`utc_at`} as at from plain_part)
    select ${joined(keys.map((key) => sql`${PLAIN[key]} as ${raw(key)}`))},
      coalesce(sum(p.amount) filter (where p.kind = 'payment'), 0) as collected,
      coalesce(-sum(p.amount) filter (where p.kind = 'reversal'), 0) as reversed,
      count(*) filter (where p.kind = 'payment' and ${counted})::int as payments,
      count(*) filter (where p.kind = 'reversal' and ${counted})::int as reversals
    from p where ${joined(conditions, ' and ')}
    group by ${joined(keys.map((_key, index) => raw(String(index + 1))))}`);
}
