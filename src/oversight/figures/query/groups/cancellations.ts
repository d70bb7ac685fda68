import { sql } from '../../../../platform/database/sql.ts';
import { IN_STEPS } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { AGENCIES, MONTHS, selectPeople } from './people.ts';

/** Demands that were cancelled before they were paid. The people counted are those who owed them. */
export const CANCELLATIONS: MeasureGroup = {
  description: `Assessed demands that were cancelled in whole months (UTC) before they were paid. ${IN_STEPS}`,
  people: 'steps',
  dimensions: [...AGENCIES, ...MONTHS, 'currency'],
  nothing: null,
  measures: {
    cancellations: {
      type: 'Int',
      description: 'The number of cancelled demands. One counts once for each agency that it was owed to.',
      of: ({ cancellations }) => cancellations as Value,
    },
    cancelledAmount: {
      type: 'Decimal',
      description: 'The amount of the cancelled demands.',
      of: ({ amount }) => amount as Value,
    },
    unexplainedCancellations: {
      type: 'Int',
      description: 'The number of cancelled demands for which no reason was given.',
      of: ({ unexplained }) => unexplained as Value,
    },
    largestCancellation: {
      type: 'Decimal',
      description: 'The largest amount of a cancelled demand.',
      of: ({ largest }) => largest as Value,
    },
  },
  select: (question) =>
    selectPeople(
      {
        facts: {
          // Nobody is counted in what is not disclosed yet: it is a part of its own, which is never of enough people.
          table: sql`(
            select * exclude (told) replace (case when told then person end as person), not told as later
            from cancellation where kind = 'cancellation')`,
          parting: { apart: ['month', 'currency', 'later'], tree: ['mda'] },
        },
        depths: {},
      },
      question,
      [
        sql`count(*) filter (where f.disclosed and f.amount > 0) as cancellations`,
        sql`coalesce(sum(f.amount) filter (where f.disclosed), 0) as amount`,
        sql`count(*) filter (where f.disclosed and f.amount > 0 and not f.explained) as unexplained`,
        sql`max(f.amount) filter (where f.disclosed) as largest`,
      ],
    ),
};
