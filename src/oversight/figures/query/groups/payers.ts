import { joined, sql } from '../../../../platform/database/sql.ts';
import { FEWEST_PEOPLE, IN_STEPS } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { inSpans, keysOf } from '../question.ts';
import { withinSlice } from '../slice.ts';
import { monthsOf } from './people.ts';

/**
 * Number of different people who paid. They are never counted over agencies or months: a count of both together would
 * reveal how few of one are not of another.
 */
export const PAYERS: MeasureGroup = {
  description: `Number of different people who paid one agency in one month (UTC), never over several. ${IN_STEPS}`,
  people: 'steps',
  dimensions: ['agency', 'month'],
  always: ['agency', 'month'],
  nothing: null,
  isViewed: true,
  measures: {
    payers: { type: 'Int', description: 'The number of people who paid.', of: ({ payers }) => payers as Value },
    firstTimePayers: {
      type: 'Int',
      nullable: true,
      description: 'The number of them who paid the agency for the first time; null if they, or the others, are few.',
      of: ({ newcomers }) => newcomers as Value,
    },
  },
  select: (question) => {
    const months = inSpans(
      question,
      (days, span) => sql`select ${span}, *, month as on_day from payer_counted where ${monthsOf(days)}`,
    );
    return sql`
    with counted as (
      select ${joined([...keysOf(question.by), sql`payers`, sql`newcomers`])}
      from (${months}) f where ${withinSlice(question.slice)}
    )
    select * replace (
      case when newcomers = 0 or newcomers >= ${FEWEST_PEOPLE} and (newcomers = payers or payers - newcomers >= ${FEWEST_PEOPLE})
        then newcomers end as newcomers
    ), payers >= ${FEWEST_PEOPLE} as disclosed, newcomers is null as few
    from counted`;
  },
};
