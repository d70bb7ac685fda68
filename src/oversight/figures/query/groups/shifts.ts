import { raw, sql } from '../../../../platform/database/sql.ts';
import { type Decimal, toMinorUnit } from '../../../../kernel/money.ts';
import { SHIFTS_DISCLOSED } from '../../../facts/disclosed.ts';
import { FEWEST_PEOPLE, IN_STEPS } from '../../../common/small-cells.ts';
import type { Columns, Measure, MeasureGroup, Value } from '../measure-group.ts';
import { type Reading, dimensionsIn } from '../question.ts';
import { AGENCIES, MONTHS, selectPeople } from './people.ts';

/** Depth of the parts that have to be disclosed for a counter. */
export const DEPTHS = { counter: 2 } as const;

export const isByCounter = (reading: Reading) => dimensionsIn(reading).includes('counter');

const measure = (type: Measure['type'], name: string, description: string): Measure => ({
  type,
  description,
  of: (columns) => columns[name] as Value,
});
const extreme = (name: string, description: string): Measure => ({
  ...measure(
    'Decimal',
    name,
    `${description}, over months in which at least ${FEWEST_PEOPLE} clerks of an agency had one; null by counter.`,
  ),
  nullable: true,
});

const sumsOf = (columns: Columns) => columns as Readonly<{ shifts: number; variance: Decimal; squared: Decimal }>;

/** Results of the tills of closed shifts. The people counted are the clerks. */
export const SHIFTS: MeasureGroup = {
  description: `Variances of the tills of shifts that were closed in whole months (UTC). ${IN_STEPS}`,
  people: 'steps',
  dimensions: [...AGENCIES, 'counter', ...MONTHS, 'currency'],
  nothing: null,
  isViewed: true,
  measures: {
    shifts: measure('Int', 'shifts', 'The number of closed shifts.'),
    withVariance: measure('Int', 'withVariance', 'The number of shifts with a variance.'),
    expectedCash: measure('Decimal', 'expected', 'The cash expected in the tills, by what was collected.'),
    variance: measure('Decimal', 'variance', 'The total variance; negative if cash was missing.'),
    meanVariance: {
      type: 'Decimal',
      description: 'The mean variance per shift.',
      of: (columns, currency) => {
        const { shifts, variance } = sumsOf(columns);
        return toMinorUnit(variance.div(shifts), currency!);
      },
    },
    standardDeviation: {
      type: 'Decimal',
      description: 'The standard deviation of variances.',
      of: (columns, currency) => {
        const { shifts, variance, squared } = sumsOf(columns);
        const deviation = squared.times(shifts).minus(variance.times(variance));
        return toMinorUnit(deviation.div(shifts * (shifts - 1)).sqrt(), currency!);
      },
    },
    largestShortage: extreme('shortage', 'The largest cash shortage'),
    largestSurplus: extreme('surplus', 'The largest cash surplus'),
    mostByOneClerk: measure(
      'Int',
      'byOneClerk',
      'Largest number of shifts with a variance that were of one and the same clerk.',
    ),
    pending: measure('Int', 'Pending', 'The number of variances awaiting a decision.'),
    approved: measure('Int', 'Approved', 'The number of approved variances.'),
    rejected: measure('Int', 'Rejected', 'The number of rejected variances.'),
    escalated: measure('Int', 'Escalated', 'The number of escalated variances.'),
  },
  select: (question) => {
    const largest = (amount: string, people: string) =>
      isByCounter(question)
        ? sql`null`
        : sql`max(${raw(amount)}) filter (where f.disclosed and ${raw(amount)} > 0 and ${raw(people)} >= ${FEWEST_PEOPLE})`;
    return selectPeople({ facts: SHIFTS_DISCLOSED, depths: DEPTHS }, question, [
      sql`count(*) filter (where f.disclosed) as shifts`,
      sql`count(*) filter (where f.disclosed and f.variance <> 0) as "withVariance"`,
      sql`coalesce(sum(f.expected_cash) filter (where f.disclosed), 0) as expected`,
      sql`coalesce(sum(f.variance) filter (where f.disclosed), 0) as variance`,
      sql`coalesce(sum(f.variance::decimal(38, 3) * f.variance) filter (where f.disclosed), 0) as squared`,
      sql`${largest('-f.variance', 'f.short')} as shortage`,
      sql`${largest('f.variance', 'f.over')} as surplus`,
      sql`coalesce(list_max(map_values(histogram(f.person) filter (where f.disclosed and f.variance <> 0))), 0) as "byOneClerk"`,
      ...['Pending', 'Approved', 'Rejected', 'Escalated'].map(
        (status) => sql`count(*) filter (where f.disclosed and f.variance_status = ${status}) as ${raw(`"${status}"`)}`,
      ),
    ]);
  },
};
