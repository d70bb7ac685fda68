import { raw, sql } from '../../../../platform/database/sql.ts';
import { type Decimal, zero } from '../../../../kernel/money.ts';
import { formatDay } from '../../../../kernel/time.ts';
import type { Measure, MeasureGroup, Value } from '../measure-group.ts';
import { inSpans, isWithin, selectGroups } from '../question.ts';

const amount = (name: string, description: string): Measure => ({
  type: 'Decimal',
  description,
  of: (columns) => columns[name] as Value,
});
const OUTCOMES = {
  matched: 'The number of rows confirmed here with the same amount.',
  missing_here: 'The number of paid rows not confirmed here.',
  missing_there: "The number of payments of the statements' periods that they lack.",
  amount_differs: 'The number of rows confirmed here with a different amount or currency.',
  duplicate: 'The number of rows that repeat an earlier row.',
} as const;
const count = (outcome: keyof typeof OUTCOMES): Measure => ({
  type: 'Int',
  description: OUTCOMES[outcome],
  of: (columns) => columns[outcome] as Value,
});

/** Amounts that providers say they settled. If a statement was compared several times, the last comparison counts. */
export const SETTLEMENTS: MeasureGroup = {
  description:
    'Amounts that providers say they settled, next to the recorded ones. Statements count whose period lies within the span of UTC days, each as it was reconciled last; statements that overlap count each.',
  people: 'none',
  dimensions: ['provider', 'currency'],
  nothing: {
    statements: 0,
    settled: zero,
    recorded: zero,
    ...Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, 0])),
  },
  measures: {
    statements: {
      type: 'Int',
      description: 'The number of statements whose period lies in the span.',
      of: ({ statements }) => statements as Value,
    },
    settled: amount('settled', 'The amount of the paid rows of these statements, each collection once.'),
    recorded: amount('recorded', 'The amount recorded as collected through the provider.'),
    difference: {
      type: 'Decimal',
      description: 'Settled less recorded; negative where payments are recorded that no statement of the span has.',
      of: ({ settled, recorded }) => (settled as Decimal).minus(recorded as Decimal),
    },
    matched: count('matched'),
    missingHere: count('missing_here'),
    missingThere: count('missing_there'),
    amountDiffers: count('amount_differs'),
    duplicate: count('duplicate'),
  },
  select: (question) => {
    const facts = inSpans(
      question,
      (days, span) => sql`
      select ${span}, provider, currency, run, outcome, count, settled, null as recorded
      from (from outcome qualify rank() over (partition by provider, statement order by created_at desc, run desc) = 1)
      where outcome is not null and from_at >= ${formatDay(days.from)}::date and to_at <= ${formatDay(days.to)}::date + 1
      union all
      select ${span}, provider, currency, null, null, 0, null, amount from payment
      where kind = 'payment' and ${isWithin(days, sql`day`)}`,
    );
    return selectGroups(question, facts, [
      sql`count(distinct f.run) as statements`,
      sql`coalesce(sum(f.settled) filter (where f.outcome in ('matched', 'missing_here', 'amount_differs')), 0) as settled`,
      sql`coalesce(sum(f.recorded), 0) as recorded`,
      ...Object.keys(OUTCOMES).map(
        (outcome) => sql`coalesce(sum(f.count) filter (where f.outcome = ${outcome}), 0) as ${raw(outcome)}`,
      ),
    ]);
  },
};
