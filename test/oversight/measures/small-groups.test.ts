import { describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { FEWEST_PEOPLE } from '../../../src/oversight/figures/small-cells.ts';
import { type Row, railWithHistory } from './asking.ts';

const { rail, ask } = railWithHistory({ events: 500, agencies: 10 });

const month = (moment: Sql) => sql`to_char(${moment} at time zone 'utc', 'YYYY-MM')`;
const assessed = sql`from assessment a join assessment_line l on l.assessment = a.name`;

/** A field about people, what it tells of them, and how many people SQL counts by agency and month. */
const FIELDS: Readonly<Record<string, readonly [members: readonly string[], people: Sql]>> = {
  collections: [
    ['assessments', 'assessed', 'paid', 'outstanding', 'cancelled', 'secondsP50', 'secondsP99'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.assessed_at is not null group by 1, 2`,
  ],
  assessed: [
    ['assessments', 'assessed', 'paid', 'outstanding', 'cancelled'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.assessed_at is not null group by 1, 2`,
  ],
  paymentTimes: [
    ['payments', 'secondsP50', 'secondsP90', 'secondsP99'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.paid_at is not null group by 1, 2`,
  ],
  payers: [
    ['payers', 'firstTimePayers'],
    sql`select mda, ${month(sql`e.occurred_at`)} as month, count(distinct a.citizen)::int as people
      from payment_event e join assessment a on a.name = e.assessment where e.kind = 'payment' group by 1, 2`,
  ],
  unpaid: [
    ['assessments', 'amount'],
    sql`select l.mda, ${month(sql`a.assessed_at`)} as month, count(distinct a.citizen)::int as people ${assessed}
      where a.status = 'Assessed' group by 1, 2`,
  ],
};

describe('what SQL counts few people in', () => {
  it.each(Object.entries(FIELDS))('%s tells nothing of, and never 0', async (field, [members, counted]) => {
    const few = (await rail.rows<Row & { people: number }>(counted)).filter(({ people }) => people < FEWEST_PEOPLE);
    expect(few.length).toBeGreaterThan(5);
    let compared = 0;
    for (const { mda, month: of } of few.slice(0, 40)) {
      const agency = `"${String(mda)}"`;
      const span = `fromDate: "${String(of)}-01", toDate: "${String(of)}-01"`;
      const args: Record<string, string> = {
        collections: `mda: ${agency}, ${span}`,
        payers: `agency: ${agency}, ${span}`,
        unpaid: `agency: ${agency}, groupBy: [month]`,
      };
      const rows = await ask(
        `${field}(${args[field] ?? `agency: ${agency}, groupBy: [month], ${span}`}) { ${field === 'collections' ? '' : 'month '}${members.join(' ')} }`,
      );
      for (const row of rows.filter((one) => field === 'collections' || one['month'] === of)) {
        compared++;
        for (const member of members) expect([mda, of, member, row[member]]).toEqual([mda, of, member, null]);
      }
    }
    expect(compared).toBeGreaterThan(5);
  });
});
