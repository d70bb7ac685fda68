import { sql } from '../../../../platform/database/sql.ts';
import { ageBandOf } from '../../../common/ages.ts';
import { IN_STEPS } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { AGENCIES, MONTHS, selectPeople } from './people.ts';

/** Assessments that await payment. No more is disclosed by age than by month, so that ages have no part of the tree. */
export const UNPAID: MeasureGroup = {
  description: `Assessments made in whole months (UTC) that await payment now. Ages are counted from the first day of the month. The people counted are those who owe it. ${IN_STEPS}`,
  people: 'steps',
  dimensions: [...AGENCIES, ...MONTHS, 'currency', 'age'],
  nothing: null,
  measures: {
    unpaidAssessments: {
      type: 'Int',
      description: 'The number of unpaid assessments. One counts once for each agency that it owes.',
      of: ({ assessments }) => assessments as Value,
    },
    unpaidAmount: { type: 'Decimal', description: 'The amount awaiting payment.', of: ({ amount }) => amount as Value },
  },
  select: (question, now) =>
    selectPeople(
      {
        facts: {
          table: sql`(select *, ${ageBandOf(sql`month::timestamptz`, now)} as age from assessed)`,
          where: sql`status = 'Assessed'`,
          parting: { apart: ['month', 'currency'], tree: ['mda'] },
        },
        depths: {},
      },
      question,
      [
        sql`count(*) filter (where f.disclosed and f.leads) as assessments`,
        sql`coalesce(sum(f.amount) filter (where f.disclosed), 0) as amount`,
      ],
    ),
};
