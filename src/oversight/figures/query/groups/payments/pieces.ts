import { sql } from '../../../../../platform/database/sql.ts';
import type { MeasureGroup, Value } from '../../measure-group.ts';
import { paymentsOf, selectGroups } from '../../question.ts';
import { PAYMENT_DIMENSIONS } from './payments.ts';

/** Number of pieces of services that were paid for. */
export const PIECES: MeasureGroup = {
  description: 'Number of pieces of services paid for, and returned by reversals.',
  people: 'none',
  dimensions: PAYMENT_DIMENSIONS,
  nothing: { sold: 0, returned: 0 },
  measures: {
    sold: { type: 'Int', description: 'The number of pieces that payments were for.', of: ({ sold }) => sold as Value },
    returned: {
      type: 'Int',
      description: 'The number of pieces of reversed payments.',
      of: ({ returned }) => returned as Value,
    },
    pieces: {
      type: 'Int',
      description: 'Pieces sold less pieces returned.',
      of: ({ sold, returned }) => (sold as number) - (returned as number),
    },
  },
  select: (question) => {
    const pieces = (kind: string) => sql`coalesce(sum(case when f.kind = ${kind} then f.quantity end), 0)`;
    const facts = sql`from (${paymentsOf(question)}) where quantity > 0`;
    return selectGroups(question, facts, [sql`${pieces('payment')} as sold`, sql`${pieces('reversal')} as returned`]);
  },
};
