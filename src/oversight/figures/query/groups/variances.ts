import { sql } from '../../../../platform/database/sql.ts';
import { zero } from '../../../../kernel/money.ts';
import { FEWEST_PEOPLE } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { inSpans, selectGroups } from '../question.ts';
import { AGENCIES, MONTHS, monthsOf } from './people.ts';
import { DEPTHS, isByCounter } from './shifts.ts';

/** Differences between cash counted and cash expected: the material ones, each an anomaly, are disclosed for every counter. */
export const VARIANCES: MeasureGroup = {
  description:
    'Differences between cash counted and cash expected, in whole months (UTC). The audit trail of operators names the clerks of the shifts.',
  people: 'steps',
  dimensions: [...AGENCIES, 'counter', ...MONTHS, 'currency'],
  isViewed: true,
  nothing: { variances: 0, material: 0, unresolved: 0, shortage: zero, surplus: zero },
  measures: {
    variances: {
      type: 'Int',
      description: `The number of variances: of all, where at least ${FEWEST_PEOPLE} clerks worked in a month; else of the material ones.`,
      of: ({ variances }) => variances as Value,
    },
    material: {
      type: 'Int',
      description: 'The number of material variances: those beyond the tolerance, raised as `cash_variance`.',
      of: ({ material }) => material as Value,
    },
    unresolved: {
      type: 'Int',
      description: 'Number of those anomalies that are open.',
      of: ({ unresolved }) => unresolved as Value,
    },
    materialShortage: {
      type: 'Decimal',
      description: 'The cash missing in material variances.',
      of: ({ shortage }) => shortage as Value,
    },
    materialSurplus: {
      type: 'Decimal',
      description: 'The cash in excess in material variances.',
      of: ({ surplus }) => surplus as Value,
    },
  },
  select: (question) => {
    const depth = isByCounter(question) ? DEPTHS.counter : 1;
    const months = inSpans(
      question,
      (days, span) => sql`select ${span}, *, month as on_day from found where ${monthsOf(days)}`,
    );
    const material = sql`sum(f.variance) filter (where f.status is not null and`;
    return sql`
      with found as (
        select s.mda, s.counter, s.currency, date_trunc('month', a.day)::date as month, s.variance, a.status
        from anomaly a join shift s on s.document = a.shift where a.leads
        union all
        select mda, counter, currency, month, variance, null from shift_disclosed
        where disclosed >= ${depth} and not later and variance <> 0
      )
      ${selectGroups(question, months, [
        sql`greatest(count(f.status), count(*) filter (where f.status is null)) as variances`,
        sql`count(f.status) as material`,
        sql`count(*) filter (where f.status = 'Open') as unresolved`,
        sql`coalesce(-${material} f.variance < 0), 0) as shortage`,
        sql`coalesce(${material} f.variance > 0), 0) as surplus`,
        // For few clerks it counts the material ones alone, of which each is an anomaly.
        sql`true as disclosed`,
      ])}`;
  },
};
