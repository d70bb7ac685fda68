import { sql } from '../../../../platform/database/sql.ts';
import { ageBandOf } from '../../../common/ages.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { inSpans, isWithin, selectGroups } from '../question.ts';
import { AGENCIES } from './people.ts';

/** Anomalies as they stand now. */
export const ANOMALIES: MeasureGroup = {
  description:
    'Anomalies as they stand now, by when they were detected. One that concerns several agencies counts once for each where agencies are distinguished.',
  people: 'none',
  dimensions: [
    'anomaly',
    'severity',
    'status',
    'age',
    ...AGENCIES,
    'year',
    'quarter',
    'month',
    'week',
    'day',
    'weekday',
  ],
  nothing: { anomalies: 0 },
  measures: {
    anomalies: { type: 'Int', description: 'The number of anomalies.', of: ({ anomalies }) => anomalies as Value },
    oldest: {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the first of the anomalies was detected.',
      of: ({ oldest = null }) => oldest as Value,
    },
    newest: {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the last of the anomalies was detected.',
      of: ({ newest = null }) => newest as Value,
    },
  },
  select: (question, { now }) => {
    // An anomaly that concerns no agency has no days but those of UTC.
    const day = question.timeZone === 'UTC' ? sql`day` : sql`coalesce(local_day, day)`;
    const facts = inSpans(
      question,
      (days, span) => sql`
      select ${span}, *, ${day} as on_day, ${ageBandOf(sql`raised_at at time zone 'utc'`, now)} as age
      from anomaly where ${isWithin(days, day)}`,
    );
    return selectGroups(question, facts, [
      sql`count(distinct f.document) as anomalies`,
      sql`min(f.raised_at) as oldest`,
      sql`max(f.raised_at) as newest`,
    ]);
  },
};
