import { raw, sql } from '../../../../platform/database/sql.ts';
import { PAID_DISCLOSED } from '../../../facts/disclosed.ts';
import { IN_STEPS } from '../../../common/small-cells.ts';
import type { Measure, MeasureGroup, Value } from '../measure-group.ts';
import { AGENCIES, MONTHS, SERVICES, isByService, selectPeople } from './people.ts';

const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

const within = (name: keyof typeof PERCENTILES, part: string): Measure => ({
  type: 'Float',
  nullable: true,
  description: `The time in seconds from assessment to payment within which ${part} of payments were made.`,
  of: (columns) => columns[name] as Value,
});

/** All percentiles at once, to a thousandth: rounded from the 15 digits that a number carries, so that halves are halves. */
const found = sql`quantile_cont(f.milliseconds / 1000, [${raw(Object.values(PERCENTILES).join(', '))}]) filter (where f.disclosed)`;

/** Time to payment. The people counted are those who paid. */
export const TO_PAYMENT: MeasureGroup = {
  description: `Time from assessment to payment, for assessments made in whole months (UTC). ${IN_STEPS}`,
  people: 'steps',
  dimensions: [...AGENCIES, ...SERVICES, ...MONTHS, 'channel', 'currency'],
  acrossCurrencies: true,
  nothing: null,
  isViewed: true,
  price: 2,
  measures: {
    paidAssessments: {
      type: 'Int',
      description: 'The number of paid assessments. By service, an assessment counts once for each of its services.',
      of: ({ payments }) => payments as Value,
    },
    p50: within('p50', 'half'),
    p90: within('p90', '90 %'),
    p99: within('p99', '99 %'),
  },
  select: (question) =>
    selectPeople(
      {
        facts: PAID_DISCLOSED,
        replaced: [
          sql`nullif(channel, '') as channel`,
          ...(isByService(question) ? [] : [sql`disclosed and leads as disclosed`]),
        ],
        depths: { channel: 2, service: 3, sector: 3, family: 3 },
      },
      question,
      [
        sql`count(*) filter (where f.disclosed) as payments`,
        ...Object.keys(PERCENTILES).map(
          (name, place) =>
            sql`printf('%.15g', (${found})[${raw(String(place + 1))}])::decimal(18, 3)::double as ${raw(name)}`,
        ),
      ],
    ),
};
