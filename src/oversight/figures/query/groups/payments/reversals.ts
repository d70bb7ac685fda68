import { raw, sql } from '../../../../../platform/database/sql.ts';
import type { MeasureGroup, Value } from '../../measure-group.ts';
import { inSpans, isWithin, selectGroups } from '../../question.ts';
import { AGENCIES, PERIODS } from '../people.ts';

/** Irregularities of reversals. Their number and amount are part of revenue. */
export const REVERSALS: MeasureGroup = {
  description: 'By whom payments were reversed, whether a reason was given, and how large the largest was.',
  people: 'none',
  dimensions: [...AGENCIES, 'channel', 'counter', 'currency', ...PERIODS],
  nothing: { sameHand: 0, unexplained: 0 },
  measures: {
    sameHandReversals: {
      type: 'Int',
      description: 'The number of reversals by the person who had taken the money at the counter.',
      of: ({ sameHand }) => sameHand as Value,
    },
    unexplainedReversals: {
      type: 'Int',
      description: 'The number of reversals for which no reason was given.',
      of: ({ unexplained }) => unexplained as Value,
    },
    largestReversal: {
      type: 'Decimal',
      nullable: true,
      description: 'The largest amount that was reversed; null if there was none.',
      of: ({ largest = null }) => largest as Value,
    },
  },
  select: (question) => {
    const day = raw(question.timeZone === 'UTC' ? 'day' : 'local_day');
    const facts = inSpans(
      question,
      (days, span) => sql`
      select ${span}, * replace (nullif(concat_ws(' ', counter_mda, nullif(trim(counter), '')), '') as counter), ${day} as on_day
      from cancellation where kind = 'reversal' and ${isWithin(days, day)}`,
    );
    return selectGroups(question, facts, [
      sql`count(*) filter (where f.same_hand) as "sameHand"`,
      sql`count(*) filter (where not f.explained) as unexplained`,
      sql`max(f.amount) as largest`,
    ]);
  },
};
