import { sql } from '../../../../platform/database/sql.ts';
import { IN_STEPS } from '../../small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { AGENCIES, MONTHS, selectPeople } from './people.ts';

/** How the tills of closed shifts came out. The people counted are the clerks. */
export const SHIFTS: MeasureGroup = {
  description: `How the tills of shifts came out that were closed in whole months (UTC). ${IN_STEPS}`,
  dimensions: [...AGENCIES, ...MONTHS, 'currency'],
  nothing: null,
  measures: {
    shifts: { type: 'Int', description: 'The number of closed shifts.', of: ({ shifts }) => shifts as Value },
    withVariance: {
      type: 'Int',
      description: 'The number of shifts with a variance.',
      of: ({ withVariance }) => withVariance as Value,
    },
    expectedCash: {
      type: 'Decimal',
      description: 'The cash expected in the tills.',
      of: ({ expected }) => expected as Value,
    },
    variance: {
      type: 'Decimal',
      description: 'The total variance; negative if cash was missing.',
      of: ({ variance }) => variance as Value,
    },
  },
  select: (question) =>
    selectPeople(
      { table: 'shift', where: sql`waiting is null`, apart: ['month', 'currency'], tree: ['mda'], depths: {} },
      question,
      [
        sql`count(*) filter (where f.told) as shifts`,
        sql`count(*) filter (where f.told and f.variance <> 0) as "withVariance"`,
        sql`coalesce(sum(f.expected_cash) filter (where f.told), 0) as expected`,
        sql`coalesce(sum(f.variance) filter (where f.told), 0) as variance`,
      ],
    ),
};
