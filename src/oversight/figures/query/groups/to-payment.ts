import { raw, sql } from '../../../../platform/database/sql.ts';
import { secondsWithin } from '../../../root/groups.ts';
import { IN_STEPS } from '../../small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { AGENCIES, MONTHS, SERVICES, isByService, selectPeople } from './people.ts';

const within = (part: string) =>
  `The time in seconds from assessment to payment within which ${part} of payments were made.`;

const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/** How long it takes to be paid. The people counted are those who paid. */
export const TO_PAYMENT: MeasureGroup = {
  description: `How long it took from assessment to payment, of what was assessed in whole months (UTC). ${IN_STEPS}`,
  dimensions: [...AGENCIES, ...SERVICES, ...MONTHS, 'channel'],
  nothing: null,
  measures: {
    p50: { type: 'Float', nullable: true, description: within('half'), of: ({ p50 }) => p50 as Value },
    p90: { type: 'Float', nullable: true, description: within('90 %'), of: ({ p90 }) => p90 as Value },
    p99: { type: 'Float', nullable: true, description: within('99 %'), of: ({ p99 }) => p99 as Value },
  },
  select: (question) =>
    selectPeople(
      {
        table: 'assessed',
        where: sql`milliseconds is not null ${isByService(question) ? sql`` : sql`and leads`}`,
        apart: ['month'],
        tree: ['mda', 'channel', 'service'],
        depths: { channel: 2, service: 3, sector: 3, family: 3 },
      },
      question,
      secondsWithin(Object.values(PERCENTILES)).map(
        (found, place) => sql`${found} as ${raw(Object.keys(PERCENTILES)[place]!)}`,
      ),
    ),
};
