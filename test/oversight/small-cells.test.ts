import { beforeAll, describe, expect, it } from 'vitest';
import { drawSeed } from '../harness/run/seed.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { FEWEST_PEOPLE } from '../../src/oversight/common/small-cells.ts';
import { formatDay } from '../../src/kernel/time.ts';
import { seedHistory } from '../../src/sandbox/history.ts';
import { testRail } from '../harness/rail.ts';
import { seedRandom } from '../harness/chaos/tampering.ts';

const rail = testRail();
let key: string;
const ask = async (path: string) => {
  const { status, data, text } = await rail.ask(`/v1/oversight/${path}`, { key });
  if (status !== 200) throw new Error(text);
  return data as Record<string, number | string | null>[];
};
const daysAgo = (days: number) => new Date(rail.rail.now().getTime() - days * 86_400_000);

/** A shift that somebody closed some days ago. */
async function closed(name: string, mda: string, clerk: string, counted: number, at: Date): Promise<void> {
  await rail.rows(sql`
    insert into counter_shift (name, mda, clerk, status, currency, opening_float, opened_at, revision, cash_collected,
      non_cash_collected, collection_count,
      cash_counted, variance, variance_reason, variance_status, closed_at, created_at, updated_at)
    select ${name}, ${mda}, ${clerk}, 'Closed', 'UGX', 1000, ${at}, 1, 0, 0, 0, ${counted}, ${counted}::numeric - 1000,
      'x',
      case when ${counted}::numeric = 1000 then null else 'Pending'::variance_status end, ${at}, ${at}, ${at}`);
}

async function consented(citizen: string, mda: string, at: Date): Promise<void> {
  const name = `CONSENT-${citizen}-${mda}-${at.getTime()}`;
  await rail.rows(
    sql`insert into consent_event (name, citizen, mda, purpose, created_at) values (${name}, ${citizen}, ${mda}, 'registration', ${at})`,
  );
}

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  for await (const _ of seedHistory(rail.rail, { events: 1_200, years: 1, agencies: 30, seed: 3 }));
});

describe('what can be learnt of few people', () => {
  it('nothing by counting consents of a month with and without today', async () => {
    const people = await rail.rows<{ name: string }>(sql`select name from citizen order by name limit 10`);
    // In one month, so that only the days tell them apart.
    const [before, after] = [new Date('2025-03-10T09:00:00Z'), new Date('2025-03-11T09:00:00Z')];
    for (const [index, { name }] of people.entries()) await consented(name, 'NIRA', index < 7 ? before : after);
    const month = (from: string, to: string) => ask(`consents?mda=NIRA&period=month&from_date=${from}&to_date=${to}`);
    expect(await month('2025-03-10', '2025-03-11')).toEqual([{ mda: 'NIRA', period: '2025-03', count: 10 }]);
    expect(await month('2025-03-10', '2025-03-10')).toEqual([{ mda: 'NIRA', period: '2025-03', count: 10 }]);
    // Nor by taking the other day off the month.
    expect(await ask('consents?mda=NIRA&period=day&from_date=2025-03-01&to_date=2025-03-31')).toEqual([
      { mda: 'NIRA', period: '2025-03-10', count: null },
      { mda: 'NIRA', period: '2025-03-11', count: null },
    ]);
    // And a person that consents again is no second one.
    await consented(people[0]!.name, 'NIRA', new Date('2025-03-12T09:00:00Z'));
    expect(await month('2025-03-01', '2025-03-31')).toEqual([{ mda: 'NIRA', period: '2025-03', count: 10 }]);
  });

  it("nothing of a clerk's till", async () => {
    await closed('SHIFT-2025-04-01-001', 'KCCA', 'one@example.com', -99_000, new Date('2025-04-01T09:00:00Z'));
    expect(await ask('shifts?mda=KCCA&from_date=2025-04-01&to_date=2025-04-01')).toMatchObject([
      { mda: 'KCCA', shifts: null, variance: null, mean_variance: null, largest_shortage: null },
    ]);
    for (let clerk = 0; clerk < 5; clerk++)
      await closed(
        `SHIFT-2025-05-01-00${clerk}`,
        'KCCA',
        `${clerk}@example.com`,
        1_000 + clerk,
        new Date('2025-05-02T09:00:00Z'),
      );
    const [both] = await ask('shifts?mda=KCCA&from_date=2025-04-01&to_date=2025-05-31');
    const [later] = await ask('shifts?mda=KCCA&from_date=2025-05-01&to_date=2025-05-31');
    expect(later).toMatchObject({ shifts: 5, variance: 10 });
    expect(both).toEqual(later);
    // A day is asked for as its month.
    expect(await ask('shifts?mda=KCCA&from_date=2025-05-31&to_date=2025-05-31')).toEqual([later]);
  });

  it('nothing of the debts of two payers', async () => {
    const [mda] = await rail.rows<{ mda: string; day: string }>(sql`
      select l.mda, to_char(min(a.assessed_at at time zone 'utc'), 'YYYY-MM-DD') as day from assessment a
        join assessment_line l on l.assessment = a.name
      where a.assessed_at is not null group by l.mda, date_trunc('month',
        a.assessed_at at time zone 'utc') having count(distinct a.citizen) between 1 and 4 limit 1`);
    const [row] = await ask(`collections?mda=${mda!.mda}&from_date=${mda!.day}&to_date=${mda!.day}`);
    expect(row).toMatchObject({
      mda: mda!.mda,
      assessments: null,
      assessed: null,
      paid: null,
      outstanding: null,
      cancelled: null,
    });
  });

  it('nothing by the difference of overlapping spans, of collections, shifts and attempts to pay', async () => {
    const random = seedRandom(drawSeed('overlapping spans'));
    for (let shift = 0; shift < 210; shift++) {
      const mda = ['URA', 'NSSF', 'MOH'][shift % 3]!;
      await closed(
        `SHIFT-X-${shift}`,
        mda,
        `clerk-${Math.floor(random() * 9)}@example.com`,
        1_000 + shift,
        daysAgo(Math.floor(random() * 300)),
      );
    }
    interface Counted {
      readonly from: number;
      readonly to: number;
      readonly count: number;
    }
    const counts = new Map<string, Counted[]>();
    for (let turn = 0; turn < sizeOf({ fast: 10, long: 100 }); turn++) {
      const [from, to] = [random(), random()].map((part) => Math.floor(part * 330)).toSorted((a, b) => b - a) as [
        number,
        number,
      ];
      const note = (of: string, count: unknown) =>
        counts.set(of, [...(counts.get(of) ?? []), { from, to, count: Number(count ?? 0) }]);
      const span = `from_date=${formatDay(daysAgo(from))}&to_date=${formatDay(daysAgo(to))}`;
      for (const row of await ask(`collections?${span}`))
        note(`collections of ${String(row['mda'])}`, row['assessments']);
      for (const row of await ask(`shifts?${span}`)) note(`shifts of ${String(row['mda'])}`, row['shifts']);
      const { channels } = (await ask(`statistics?${span}`)) as unknown as {
        channels: Record<string, number | string | null>[];
      };
      for (const { channel, confirmed, failed, expired, open } of channels)
        note(
          `attempts through ${String(channel)}`,
          [confirmed, failed, expired, open].reduce<number>((sum, one) => sum + Number(one ?? 0), 0),
        );
    }
    let differences = 0;
    for (const [of, spans] of counts) {
      for (const outer of spans) {
        for (const inner of spans.filter(({ from, to }) => from <= outer.from && to >= outer.to)) {
          const difference = outer.count - inner.count;
          if (difference > 0) differences++;
          // So many things are of as many people at most: each difference has to be nothing, or enough.
          expect(difference === 0 || difference >= FEWEST_PEOPLE, `${of}: ${JSON.stringify([outer, inner])}`).toBe(
            true,
          );
        }
      }
    }
    expect(differences).toBeGreaterThan(50);
  });

  it('nothing by adding up counts of consents and taking them off one another, whatever the days', async () => {
    const random = seedRandom(drawSeed('consents'));
    const draw = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
    const agencies = await rail.rows<{ name: string }>(
      sql`select name from mda where name not in (select mda from consent_event where mda is not null) order by name limit 20`,
    );
    // Random days for each agency, on each of which some people consent for the first time.
    const truth = agencies.flatMap(({ name: mda }) =>
      [...new Set(Array.from({ length: draw(1, 30) }, () => `${draw(2021, 2022)}-0${draw(1, 3)}-0${draw(1, 6)}`))].map(
        (day) => ({ mda, day, people: draw(1, 12) }),
      ),
    );
    await rail.rows(sql`
      insert into citizen (name, nin, full_name, verified, search_text, created_at, updated_at)
      select 'CITIZEN-2021-' || (500000 + i), 'CM21' || (500000 + i) || 'ABCD', 'Sample', false, 'sample', now(), now()
      from generate_series(1, 400) i`);
    await rail.rows(sql`
      insert into consent_event (name, citizen, mda, purpose, created_at)
      select 'CONSENT-' || mda || '-' || place, 'CITIZEN-2021-' || (500000 + place), mda, 'registration', day::date + interval '9 hours'
      from (
        select t.mda, t.day, row_number() over (partition by t.mda) as place
        from jsonb_to_recordset(${JSON.stringify(truth)}::jsonb) as t (mda text, day text, people int)
          cross join lateral generate_series(1, t.people)
      ) c`);
    const rows = (
      await Promise.all(
        ['year', 'month', 'day'].map((period) =>
          ask(`consents?period=${period}&from_date=2021-01-01&to_date=2022-12-31`),
        ),
      )
    )
      .flat()
      .filter(({ mda }) => agencies.some(({ name }) => name === mda)) as {
      mda: string;
      period: string;
      count: number | null;
    }[];
    let [shown, kept] = [0, 0];
    for (const { mda, period, count } of rows) {
      const parts = rows.filter(
        (part) => part.mda === mda && part.period.startsWith(`${period}-`) && part.period.length === period.length + 3,
      );
      if (count === null) {
        kept++;
        // Nothing is told of the parts of what is not told.
        expect(parts.filter((part) => part.count !== null)).toEqual([]);
        continue;
      }
      shown++;
      const peopleOf = (days: string) =>
        truth.reduce((sum, row) => sum + (row.mda === mda && row.day.startsWith(days) ? row.people : 0), 0);
      const people = peopleOf(period);
      expect(count).toBe(people - (people % FEWEST_PEOPLE));
      expect(count).toBeGreaterThanOrEqual(FEWEST_PEOPLE);
      // The parts that are told of leave nobody over, or enough.
      const rest = people - parts.reduce((sum, part) => sum + (part.count === null ? 0 : peopleOf(part.period)), 0);
      if (parts.length > 0) expect(rest === 0 || rest >= FEWEST_PEOPLE, `${mda} ${period} leaves ${rest}`).toBe(true);
    }
    expect([shown > 50, kept > 50]).toEqual([true, true]);
  });
});

describe('what is exact', () => {
  it('revenue of an agency, however few paid it', async () => {
    const [event] = await rail.rows<{ mda: string; day: string; amount: { toNumber(): number } }>(sql`
      select mda, to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD') as day, sum(amount) as amount from payment_event
      group by 1, 2 having count(*) = 1 limit 1`);
    const [row] = await ask(`revenue?mda=${event!.mda}&from_date=${event!.day}&to_date=${event!.day}`);
    expect(row).toMatchObject({ net: event!.amount.toNumber(), count: 1 });
  });

  it('averages, to the minor unit of their currency; seconds, to a thousandth', async () => {
    for (const { currency, average } of await ask('revenue?group_by=mda,channel&from_date=2000-01-01')) {
      expect(currency).toBe('UGX');
      expect(average === null || Number.isInteger(average), String(average)).toBe(true);
    }
    for (const { seconds_p50: seconds } of await ask('collections?from_date=2000-01-01'))
      expect(seconds === null || /^\d+(\.\d{1,3})?$/.test(String(seconds)), String(seconds)).toBe(true);
  });
});

describe('spans', () => {
  it('without days: figures are of the last 30, lists are complete', async () => {
    const [from, to] = [formatDay(daysAgo(29)), formatDay(daysAgo(0))];
    for (const path of [
      'revenue?group_by=mda&',
      'collections?',
      'shifts?',
      'revenue-comparison?',
      'consents?period=day&',
    ])
      expect(await ask(path), path).toEqual(await ask(`${path}from_date=${from}&to_date=${to}`));
    const [revenue] = await ask('revenue?');
    const statistics = (await ask('statistics?')) as unknown as { totals: { net: number }[] };
    expect(statistics.totals[0]!.net).toBe(revenue!['net']);
    const [oldest] = await rail.rows<{ name: string }>(
      sql`select subject as name from oversight_stream where kind = 'payment_event' order by position limit 1`,
    );
    const { data } = await rail
      .ask('/graphql', { key, body: { query: '{ oversight { paymentEvents(last: 1) { nodes { id } } } }' } })
      .then(({ json }) => json);
    expect(data.oversight.paymentEvents.nodes[0].id).toBe(oldest!.name);
  });

  it('422 for days that no question is about, and for a place that is none, by the name that REST knows', async () => {
    const refused = async (path: string) => {
      const { status, json } = await rail.ask(`/v1/oversight/${path}`, { key });
      return [status, json.error?.details?.[0]?.path];
    };
    for (const path of [
      'revenue',
      'revenue-comparison',
      'collections',
      'consents',
      'shifts',
      'statistics',
      'payment-events',
      'anomalies',
    ]) {
      expect(await refused(`${path}?to_date=0001-01-01`), path).toEqual([422, 'to_date']);
      expect(await refused(`${path}?from_date=9999-01-01`), path).toEqual([422, 'from_date']);
      expect((await refused(`${path}?to_date=1970-01-01`))[0], path).toBe(200);
      expect((await refused(`${path}?from_date=9998-12-31&to_date=9998-12-31`))[0], path).toBe(200);
    }
    expect(await refused('payment-events?limit=1001')).toEqual([422, 'limit']);
    for (const after of ['NOSUCH', '-1', '1e3', '99999999999999999999', '999999999'])
      expect(await refused(`revenue?after=${after}`), after).toEqual([422, 'after']);
  });
});
