import { builder } from '../../graphql/builder.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** Bands of ages in whole days, each with its last day; the last has none. */
const BANDS = {
  days_0_7: { last: 7, description: 'Up to 7 days.' },
  days_8_30: { last: 30, description: '8 to 30 days.' },
  days_31_90: { last: 90, description: '31 to 90 days.' },
  days_91_365: { last: 365, description: '91 to 365 days.' },
  days_over_365: { last: null, description: 'More than 365 days.' },
} as const;

export type AgeBand = keyof typeof BANDS;

/** The bands from the youngest to the oldest. */
export const AGE_BANDS = Object.keys(BANDS) as AgeBand[];

export const AgeBandEnum = builder.enumType('AgeBand', {
  description: 'Age of something, in whole days of 24 hours.',
  values: Object.fromEntries(Object.entries(BANDS).map(([band, { description }]) => [band, { description }])) as Record<
    AgeBand,
    { description: string }
  >,
});

/** The moment at which something passes from the band of so many days to the next one: later ones have not. */
const endOf = (last: number, now: Date) => new Date(now.getTime() - (last + 1) * DAY_MS);

/** The band that the age of a moment lies in, as SQL. */
export function ageBandOf(moment: Sql, now: Date): Sql {
  const { days_0_7: week, days_8_30: month, days_31_90: quarter, days_91_365: year } = BANDS;
  const isWithin = (last: number) => sql`${moment} > ${endOf(last, now)}::timestamptz`;
  return sql`case when ${isWithin(week.last)} then 'days_0_7' when ${isWithin(month.last)} then 'days_8_30'
    when ${isWithin(quarter.last)} then 'days_31_90' when ${isWithin(year.last)} then 'days_91_365'
    else 'days_over_365' end`;
}
