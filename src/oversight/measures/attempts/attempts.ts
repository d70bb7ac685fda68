import type { Call } from '../../../platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import {
  type GroupsQuestion,
  MONTH,
  type PeopleFigures,
  monthWithin,
  ofStatus,
  readPeopleGroups,
} from '../../root/groups.ts';

export type AttemptsGrouping = 'channel' | 'agency' | 'month';
export type AttemptsOrder = 'key' | 'attempts' | 'failed' | 'expired' | 'successRate';

/** Why an attempt came to nothing, as `failure_cause` of the database makes it of what a provider said. */
const FAILURE_CAUSES = [
  'insufficient_funds',
  'limit_reached',
  'wrong_pin',
  'declined',
  'timed_out',
  'unknown_account',
  'not_permitted',
  'provider_error',
  'other',
  'expired',
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** How attempts to pay went; null where too few people tried. */
export interface AttemptsRow {
  readonly channel?: Channel;
  readonly agency?: string | null;
  readonly month?: string;
  readonly attempts: number | null;
  readonly confirmed: number | null;
  readonly failed: number | null;
  readonly expired: number | null;
  readonly open: number | null;
  readonly successRate: number | null;
  /** How many came to nothing for each cause, in the order of `FAILURE_CAUSES`. */
  readonly causes: readonly number[] | null;
}

const count = (condition: Sql) => sql`count(*) filter (where f.told and ${condition})::int`;
const countOf = (status: string) => ofStatus(status, sql`count(*)`);
const byCause = joined(
  FAILURE_CAUSES.map((cause) => sql`count(*) filter (where f.told_deepest and f.cause = ${raw(`'${cause}'`)})::int`),
);

const figures = (within: Sql): PeopleFigures<AttemptsGrouping, AttemptsOrder> => ({
  apart: ['month', 'status'],
  // Channels are told of with all agencies together, as `statistics` does; causes are of an agency's alone.
  tree: ['channel', 'mda', 'cause'],
  deepest: true,
  facts: sql`select month, channel, mda, person, status, cause from attempt where ${within}`,
  dimensions: {
    channel: { key: sql`f.channel` },
    agency: { key: sql`nullif(f.mda, '')` },
    month: MONTH,
  },
  depths: { agency: 2 },
  always: [],
  measures: sql`nullif(${count(sql`true`)}, 0) as attempts, ${countOf('Confirmed')} as confirmed,
    ${countOf('Failed')} as failed, ${countOf('Expired')} as expired, ${countOf('Sent')} as open,
    round(${countOf('Confirmed')} * 1e6 / nullif(${countOf('Confirmed')} + ${countOf('Failed')} + ${countOf('Expired')}, 0)) / 1e6
      as "successRate",
    case when bool_or(f.told) then array[${byCause}] end as causes`,
  orders: {
    key: null,
    attempts: sql`attempts desc nulls last`,
    failed: sql`failed desc nulls last`,
    expired: sql`expired desc nulls last`,
    successRate: sql`"successRate" nulls last`,
  },
});

/** How attempts to pay went that began in the months of a span, in groups. */
export function readAttempts(
  call: Call,
  span: Span,
  question: GroupsQuestion<AttemptsGrouping, AttemptsOrder>,
): Promise<Page<AttemptsRow>> {
  return readPeopleGroups(call, figures(monthWithin(call, span, sql`month`)), question);
}

/** The causes that there were, the most frequent first. */
export function listCauses({ causes }: AttemptsRow): { cause: FailureCause; attempts: number }[] | null {
  if (!causes) return null;
  return FAILURE_CAUSES.map((cause, index) => ({ cause, attempts: causes[index]! }))
    .filter(({ attempts }) => attempts > 0)
    .toSorted((a, b) => b.attempts - a.attempts);
}
