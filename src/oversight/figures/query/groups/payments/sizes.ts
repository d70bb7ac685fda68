import { sql } from '../../../../../platform/database/sql.ts';
import type { MeasureGroup, Value } from '../../measure-group.ts';
import { paymentsOf, selectGroups } from '../../question.ts';
import { SERVICES } from '../people.ts';
import { IS_REVERSAL, PAYMENT_DIMENSIONS } from './payments.ts';

/** Sizes of payments. A payment of several services counts once, with all of its amount. */
export const SIZES: MeasureGroup = {
  description: 'Sizes of payments: their quartiles.',
  people: 'none',
  dimensions: PAYMENT_DIMENSIONS.filter((name) => !SERVICES.includes(name) && name !== 'kind'),
  nothing: null,
  measures: {
    sizedPayments: { type: 'Int', description: 'The number of payments.', of: ({ payments }) => payments as Value },
    sizedAmount: { type: 'Decimal', description: 'The sum of their amounts.', of: ({ amount }) => amount as Value },
    lowerQuartile: {
      type: 'Decimal',
      description: 'The smallest amount that a quarter of payments do not exceed.',
      of: ({ lower }) => lower as Value,
    },
    median: {
      type: 'Decimal',
      description: 'The smallest amount that half of payments do not exceed.',
      of: ({ middle }) => middle as Value,
    },
    upperQuartile: {
      type: 'Decimal',
      description: 'The smallest amount that three quarters of payments do not exceed.',
      of: ({ upper }) => upper as Value,
    },
  },
  select: (question) => {
    const facts = sql`from (${paymentsOf(question)}) f where f.leads and not ${IS_REVERSAL}`;
    return selectGroups(question, facts, [
      sql`count(*) as payments`,
      sql`sum(f.event_amount) as amount`,
      sql`quantile_disc(f.event_amount, 0.25) as lower`,
      sql`quantile_disc(f.event_amount, 0.5) as middle`,
      sql`quantile_disc(f.event_amount, 0.75) as upper`,
    ]);
  },
};
