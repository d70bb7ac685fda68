import { sql } from '../../../../../platform/database/sql.ts';
import type { Measure, MeasureGroup, Value } from '../../measure-group.ts';
import { paymentsOf, selectGroups } from '../../question.ts';
import { SERVICES } from '../people.ts';
import { IS_REVERSAL, PAYMENT_DIMENSIONS } from './payments.ts';

const quartile = (place: number, description: string): Measure => ({
  type: 'Decimal',
  description,
  of: ({ quartiles }) => (quartiles as Value[])[place]!,
});

/** Sizes of payments. A payment of several services counts once, with all of its amount. */
export const SIZES: MeasureGroup = {
  description: 'Sizes of payments: their quartiles.',
  people: 'none',
  dimensions: PAYMENT_DIMENSIONS.filter((name) => !SERVICES.includes(name) && name !== 'kind'),
  nothing: null,
  measures: {
    sizedPayments: { type: 'Int', description: 'The number of payments.', of: ({ payments }) => payments as Value },
    sizedAmount: { type: 'Decimal', description: 'The sum of their amounts.', of: ({ amount }) => amount as Value },
    lowerQuartile: quartile(0, 'The smallest amount that a quarter of payments do not exceed.'),
    median: quartile(1, 'The smallest amount that half of payments do not exceed.'),
    upperQuartile: quartile(2, 'The smallest amount that three quarters of payments do not exceed.'),
  },
  select: (question) => {
    const facts = sql`from (${paymentsOf(question)}) f where f.leads and not ${IS_REVERSAL}`;
    return selectGroups(question, facts, [
      sql`count(*) as payments`,
      sql`sum(f.event_amount) as amount`,
      // Each alone would hold all amounts again.
      sql`quantile_disc(f.event_amount, [0.25, 0.5, 0.75]) as quartiles`,
    ]);
  },
};
