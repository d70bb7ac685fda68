import { type Sql, sql } from '../../../../platform/database/sql.ts';
import { formatDay } from '../../../../kernel/time.ts';
import { ageBandOf } from '../../../common/ages.ts';
import { IN_STEPS } from '../../../common/small-cells.ts';
import { SINCE, UNPAID_PARTING } from '../../../facts/disclosed.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import type { Reading } from '../question.ts';
import { AGENCIES, MONTHS, ofWhich, selectPeople } from './people.ts';

const ABOUT = `made in whole months (UTC) that await payment now. Ages are counted from the first day of the month in which they are due, or else of that in which they were made. The people counted are those who owe it. ${IN_STEPS}`;
const dimensions = [...AGENCIES, ...MONTHS, 'currency', 'age'] as const;

const selectUnpaid = (reading: Reading, now: Date, least: number, measures: readonly Sql[], byStatus?: string[]): Sql =>
  selectPeople(
    {
      facts: {
        // A month begins with a day, so that all of a day ask the same.
        table: sql`(select *, ${SINCE} as since, ${ageBandOf(sql`${SINCE}::timestamptz`, new Date(formatDay(now)))} as age from assessed)`,
        where: sql`status = 'Assessed'`,
        parting: UNPAID_PARTING,
      },
      ...(byStatus && { byStatus }),
      depths: { age: 2 },
      least,
    },
    reading,
    measures,
  );

/** Assessments that await payment. */
export const UNPAID: MeasureGroup = {
  description: `Assessments ${ABOUT}`,
  people: 'steps',
  dimensions,
  nothing: null,
  measures: {
    unpaidAssessments: {
      type: 'Int',
      description: 'The number of unpaid assessments. One counts once for each agency that it owes.',
      of: ({ assessments }) => assessments as Value,
    },
    unpaidAmount: { type: 'Decimal', description: 'The amount awaiting payment.', of: ({ amount }) => amount as Value },
  },
  select: (reading, { now }) =>
    selectUnpaid(reading, now, 1, [
      sql`count(*) filter (where f.disclosed and f.leads) as assessments`,
      sql`coalesce(sum(f.amount) filter (where f.disclosed), 0) as amount`,
    ]),
};

/** Those of them whose month of payment is over; no more is disclosed of these than by age. */
export const OVERDUE: MeasureGroup = {
  description: `Assessments past the month in which they were due, of those ${ABOUT}`,
  people: 'steps',
  dimensions,
  nothing: null,
  measures: {
    overdueAmount: {
      type: 'Decimal',
      nullable: true,
      description: 'The amount awaiting payment that was due in a month (UTC) before the present one.',
      of: ({ overdue }) => overdue as Value,
    },
  },
  select: (reading, { now }) => {
    const isOverdue = sql`f.due < ${`${formatDay(now).slice(0, 7)}-01`}::date`;
    return selectUnpaid(reading, now, 2, [sql`${ofWhich(isOverdue, sql`sum(f.amount)`)} as overdue`], ['overdue']);
  },
};
