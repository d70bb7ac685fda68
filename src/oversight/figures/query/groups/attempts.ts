import { sql } from '../../../../platform/database/sql.ts';
import { ATTEMPTS_DISCLOSED } from '../../../facts/disclosed.ts';
import { IN_STEPS } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { dimensionsIn } from '../question.ts';
import { AGENCIES, MONTHS, ofStatus, selectPeople } from './people.ts';

const countOf = (status: string) => ofStatus(status, sql`sum(f.attempts)`);

/** Outcomes of attempts to pay. The people counted are those who tried. */
export const ATTEMPTS: MeasureGroup = {
  description: `Outcomes of attempts to pay that began in whole months (UTC). ${IN_STEPS}`,
  people: 'steps',
  dimensions: ['channel', 'cause', ...AGENCIES, ...MONTHS],
  nothing: null,
  isViewed: true,
  price: 3,
  measures: {
    attempts: { type: 'Int', description: 'The number of attempts.', of: ({ attempts }) => attempts as Value },
    confirmed: {
      type: 'Int',
      nullable: true,
      description: 'The number of attempts that were paid.',
      of: ({ confirmed }) => confirmed as Value,
    },
    failed: {
      type: 'Int',
      nullable: true,
      description: 'The number of attempts that failed.',
      of: ({ failed }) => failed as Value,
    },
    expired: {
      type: 'Int',
      nullable: true,
      description: 'The number of attempts that expired unpaid.',
      of: ({ expired }) => expired as Value,
    },
    open: {
      type: 'Int',
      nullable: true,
      description: 'The number of attempts that await payment.',
      of: ({ open }) => open as Value,
    },
    successRate: {
      type: 'Float',
      nullable: true,
      description:
        'The share of paid attempts among those that are final, 0 to 1; null if there are none, or one of them is not disclosed.',
      of: (columns) => {
        const { confirmed, failed, expired } = columns as Readonly<Record<string, number | null>>;
        if (confirmed == null || failed == null || expired == null) return null;
        const final = confirmed + failed + expired;
        return final === 0 ? null : Math.round((confirmed / final) * 1e6) / 1e6;
      },
    },
  },
  select: (question) =>
    selectPeople(
      {
        facts: ATTEMPTS_DISCLOSED,
        byStatus: ['confirmed', 'failed', 'expired', 'open'],
        // The cause of some is disclosed later than that they failed: by cause they are left out, however many they are.
        replaced: [
          sql`nullif(mda, '') as mda`,
          sql`nullif(cause, '') as cause`,
          ...(dimensionsIn(question).includes('cause')
            ? [sql`disclosed and (status <> 'Failed' or cause <> '') as disclosed`]
            : []),
        ],
        depths: { agency: 2, country: 2, region: 2, district: 2, cause: 3 },
      },
      question,
      [
        sql`coalesce(sum(f.attempts) filter (where f.disclosed), 0)::int as attempts`,
        sql`${countOf('Confirmed')} as confirmed`,
        sql`${countOf('Failed')} as failed`,
        sql`${countOf('Expired')} as expired`,
        sql`${countOf('Sent')} as open`,
      ],
    ),
};
