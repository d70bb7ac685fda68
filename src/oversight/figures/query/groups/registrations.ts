import { type Sql, joined, sql } from '../../../../platform/database/sql.ts';
import { formatDay } from '../../../../kernel/time.ts';
import { FEWEST_PEOPLE } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { inSpans, selectGroups } from '../question.ts';

/** Periods in which people are counted, each within those before it. */
const PERIODS = ['year', 'month', 'day'] as const;
type Period = (typeof PERIODS)[number];

/**
 * Number of people registered in each whole period, and if that is disclosed: at least a few, within a disclosed
 * period. If the parts left out of a period are few people together, so is the smallest other one: neither a part nor
 * the difference between the others and the whole is about few. Years are read whole, so that the span changes nothing.
 */
function countPeriods(period: Period, years: Sql): Sql {
  const cells = sql`
    select source, mda, date_trunc(${period}, day)::date as first, sum(people) as people
    from registration where ${years} group by all`;
  const longer = PERIODS[PERIODS.indexOf(period) - 1];
  if (!longer) return sql`select *, people >= ${FEWEST_PEOPLE} as disclosed from (${cells})`;
  const ranked = sql`
    select *, date_trunc(${longer}, first)::date as within,
      sum(case when people < ${FEWEST_PEOPLE} then people else 0 end) over whole as few,
      row_number() over (partition by source, mda, within, people < ${FEWEST_PEOPLE} order by people, first) as place
    from (${cells}) window whole as (partition by source, mda, within)`;
  return sql`
    select c.source, c.mda, c.first, c.people,
      w.disclosed and c.people >= ${FEWEST_PEOPLE} and not (c.place = 1 and c.few > 0 and c.few < ${FEWEST_PEOPLE}) as disclosed
    from (${ranked}) c join (${countPeriods(longer, years)}) w
      on w.source = c.source and w.mda is not distinct from c.mda and w.first = c.within`;
}

/** People registered: by the identity authority, with a first consent for an agency, or by hand. */
export const REGISTRATIONS: MeasureGroup = {
  description: `People registered in whole days, months or years (UTC), whichever is grouped by; else in months. Periods of fewer than ${FEWEST_PEOPLE} people of a source and agency are left out, and so is another from which they could be derived. The others count in steps of ${FEWEST_PEOPLE}: the number of each is rounded down.`,
  people: 'rounded',
  dimensions: ['source', 'agency', 'year', 'month', 'day'],
  nothing: null,
  measures: {
    registered: {
      type: 'Int',
      description: 'The number of people. Each counts once for an agency, with the first consent.',
      of: ({ registered }) => registered as Value,
    },
  },
  select: (question) => {
    const period = PERIODS.findLast((name) => question.by.includes(name)) ?? 'month';
    const years = question.spans.map(
      ({ from, to }) => sql`year(day) between ${from.getUTCFullYear()} and ${to.getUTCFullYear()}`,
    );
    const periods = inSpans(question, ({ from, to }, span) => {
      const begin = sql`first >= date_trunc(${period}, ${formatDay(from)}::date)::date`;
      return sql`select ${span}, *, first as on_day from periods where ${begin} and first <= ${formatDay(to)}::date`;
    });
    return selectGroups(question, sql`with periods as (${countPeriods(period, joined(years, ' or '))}) ${periods}`, [
      sql`sum(f.people - f.people % ${FEWEST_PEOPLE}) filter (where f.disclosed) as registered`,
      sql`bool_or(f.disclosed) as disclosed`,
    ]);
  },
};
