import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { FEWEST_PEOPLE } from '../../../src/oversight/common/small-cells.ts';
import { type Row, railWithHistory } from './asking.ts';

const { rail, figures } = railWithHistory({ events: 500, agencies: 10 });

const month = (moment: Sql) => sql`to_char(${moment} at time zone 'utc', 'YYYY-MM')`;
const assessed = sql`from assessment a join assessment_line l on l.assessment = a.name`;

/** Measures about people in each group, and a count of the people by agency and month in SQL. */
const GROUPS: Readonly<Record<string, readonly [measures: readonly string[], people: Sql]>> = {
  assessed: [
    ['assessments', 'assessed', 'paid', 'outstanding', 'cancelled'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.assessed_at is not null group by 1, 2`,
  ],
  toPayment: [
    ['paidAssessments', 'p50', 'p90', 'p99'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.paid_at is not null group by 1, 2`,
  ],
  payers: [
    ['payers', 'firstTimePayers'],
    sql`select mda, ${month(sql`e.occurred_at`)} as month, count(distinct a.citizen)::int as people
      from payment_event e join assessment a on a.name = e.assessment where e.kind = 'payment' group by 1, 2`,
  ],
  unpaid: [
    ['unpaidAssessments', 'unpaidAmount'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.status = 'Assessed' group by 1, 2`,
  ],
};

describe('what SQL counts few people in', () => {
  it.each(Object.entries(GROUPS))('%s tells nothing of, and never 0', async (group, [measures, counted]) => {
    const few = (await rail.rows<Row & { people: number }>(counted)).filter(({ people }) => people < FEWEST_PEOPLE);
    expect(few.length).toBeGreaterThan(5);
    let compared = 0;
    for (const { mda, month: of } of few.slice(0, 40)) {
      const day = `${String(of)}-01`;
      const asked = { by: ['agency', 'month'], slice: { agency: [mda] }, days: { fromDate: day, toDate: day } };
      for (const row of await figures(group, measures, asked)) {
        compared++;
        for (const measure of measures) expect([mda, of, measure, row[measure]]).toEqual([mda, of, measure, null]);
      }
    }
    expect(compared).toBeGreaterThan(5);
  });

  it('REST tells nothing of the collections of, and never 0', async () => {
    const [measures] = GROUPS['assessed']!;
    const { plaintext: key } = await rail.key('oversight.read');
    const few = (await rail.rows<Row & { people: number }>(GROUPS['assessed']![1])).filter(
      ({ people }) => people < FEWEST_PEOPLE,
    );
    for (const { mda, month: of } of few.slice(0, 10)) {
      const { data } = await rail.ask(
        `/v1/oversight/collections?mda=${String(mda)}&from_date=${String(of)}-01&to_date=${String(of)}-01`,
        { key },
      );
      expect(data).toHaveLength(1);
      for (const member of [...measures, 'seconds_p50', 'seconds_p90', 'seconds_p99'])
        expect([mda, of, member, data[0][member]]).toEqual([mda, of, member, null]);
    }
  });
});
