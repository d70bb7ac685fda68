import { sql } from '../../../../platform/database/sql.ts';
import { type Decimal, toMinorUnit, zero } from '../../../../kernel/money.ts';
import { formatDay } from '../../../../kernel/time.ts';
import type { Columns, MeasureGroup } from '../measure-group.ts';
import { inSpans, paymentsOf, selectGroups } from '../question.ts';
import { AGENCIES, MONTHS } from './people.ts';

/** Decimals of a share. */
const PRECISION = 6;

/** Every target is above zero: that is where there is none. */
function targetOf(columns: Columns, currency: string | null): Decimal | null {
  const target = columns['target'] as Decimal;
  return target.isZero() || currency === null ? null : toMinorUnit(target, currency);
}

/** Targets of agencies. */
export const TARGETS: MeasureGroup = {
  description:
    'Revenue targets. The target of a fiscal year is spread evenly over its days, so that each span has a part of it. Days to come count too.',
  people: 'none',
  dimensions: [...AGENCIES, 'currency', ...MONTHS, 'week', 'day'],
  nothing: { target: zero, net: zero },
  measures: {
    target: {
      type: 'Decimal',
      nullable: true,
      description: 'Amount that agencies with a target are to collect on these days; null if none of them has one.',
      of: targetOf,
    },
    targetShare: {
      type: 'Float',
      nullable: true,
      description: 'Their net revenue as a share of it; more than 1 once it is exceeded.',
      of: (columns, currency) => {
        const target = targetOf(columns, currency);
        // A small target of a day can be less than the minor unit.
        if (target === null || target.isZero()) return null;
        return (columns['net'] as Decimal).dividedBy(target).toDecimalPlaces(PRECISION).toNumber();
      },
    },
    aheadOfTarget: {
      type: 'Decimal',
      nullable: true,
      description: 'Amount collected in excess of the target; negative if less.',
      of: (columns, currency) => {
        const target = targetOf(columns, currency);
        return target && (columns['net'] as Decimal).minus(target);
      },
    },
  },
  select: (question) => {
    const targets = inSpans(
      question,
      ({ from, to }, span) => sql`
      select ${span}, mda, currency, a_day as target, 0 as amount,
        unnest(generate_series(greatest(first_day, ${formatDay(from)}::date), least(last_day, ${formatDay(to)}::date), interval 1 day))::date as on_day
      from target`,
    );
    const facts = sql`${targets}
      union all
      select f.span, f.mda, f.currency, null, f.amount, f.on_day from (${paymentsOf(question)}) f
      semi join target t on t.mda = f.mda and t.currency = f.currency and f.on_day between t.first_day and t.last_day`;
    return selectGroups(question, facts, [sql`coalesce(sum(f.target), 0) as target`, sql`sum(f.amount) as net`]);
  },
};
