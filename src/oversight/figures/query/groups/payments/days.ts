import { sql } from '../../../../../platform/database/sql.ts';
import type { Measure, MeasureGroup, Value } from '../../measure-group.ts';
import { inSpans, isWithin, selectGroups } from '../../question.ts';
import { AGENCIES, PERIODS } from '../people.ts';

const count = (name: string, description: string): Measure => ({
  type: 'Int',
  description,
  of: (columns) => columns[name] as Value,
});

/** Days of agencies, as they were closed and signed. */
export const DAYS: MeasureGroup = {
  description: 'Days of agencies that are closed, by the day that was closed, each by the clock of its agency.',
  people: 'none',
  dimensions: [...AGENCIES, ...PERIODS],
  nothing: { closed: 0, signed: 0, unsigned: 0 },
  measures: {
    closedDays: count('closed', 'The number of days that are closed.'),
    signedDays: count('signed', 'The number of these that a person of the agency signed.'),
    unsignedDays: count('unsigned', 'The number of these that nobody signed yet.'),
  },
  select: (question) => {
    const facts = inSpans(
      question,
      (days, span) => sql`select ${span}, *, day as on_day from agency_day where ${isWithin(days, sql`day`)}`,
    );
    return selectGroups(question, facts, [
      sql`count(*) as closed`,
      sql`count(f.signed_on) as signed`,
      sql`count(*) - count(f.signed_on) as unsigned`,
    ]);
  },
};
