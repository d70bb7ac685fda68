import { joined, raw, sql } from '../../../../platform/database/sql.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { factsOf, keysOf, sidesOf, withinSlice } from '../question.ts';
import { PAYMENT_DIMENSIONS, SERVICES } from './payments.ts';

/** How large payments were: those of agencies whole, whatever services they pay. */
export const SIZES: MeasureGroup = {
  description: 'How large payments were.',
  dimensions: PAYMENT_DIMENSIONS.filter((name) => !SERVICES.includes(name) && name !== 'kind'),
  nothing: null,
  measures: {
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
    const names = question.by.map((_name, index) => raw(`k${index}`));
    const grouped = names.length > 0 ? sql`group by ${joined(names)}` : sql`having count(*) > 0`;
    return sql`
      with event as (
        select ${joined([...keysOf(question.by), sql`sum(f.amount) as amount`])}
        from ${factsOf('payment', question)} ${sidesOf(question)} where f.kind = 'payment' and ${withinSlice(question.slice)}
        group by ${joined([...names, sql`f.event`])}
      )
      select ${joined([
        ...names,
        sql`quantile_disc(amount, 0.25) as lower`,
        sql`quantile_disc(amount, 0.5) as middle`,
        sql`quantile_disc(amount, 0.75) as upper`,
      ])}
      from event ${grouped}`;
  },
};
