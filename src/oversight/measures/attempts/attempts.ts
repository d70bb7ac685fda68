import type { Call } from '../../../platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../../platform/database/sql.ts';
import type { Page } from '../../../platform/reading/page.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import type { Span } from '../../figures/span.ts';
import {
  type GroupsQuestion,
  type PeopleFigures,
  countTold,
  monthWithin,
  readPeopleGroups,
  sumTold,
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

const countOf = (condition: Sql) => countTold(sql`${sumTold('attempts', condition)}::int`);
const ended = sumTold('attempts', sql`f.status <> 'Sent'`);
const byCause = joined(
  FAILURE_CAUSES.map((cause) => sql`coalesce(${sumTold('attempts', sql`f.cause = ${raw(`'${cause}'`)}`)}, 0)`),
);

const figures = (within: Sql): PeopleFigures<AttemptsGrouping, AttemptsOrder> => ({
  apart: ['month'],
  // Channels are told of with all agencies together, as `statistics` does.
  tree: ['channel', 'mda'],
  people: ['trying_channel', 'trying_agency'],
  sums: sql`select * from oversight.attempt_sum where ${within}`,
  stored: sql`select * from oversight.attempt_stored`,
  waiting: sql`select * from oversight.attempt_waiting`,
  dimensions: {
    channel: { key: sql`f.channel` },
    agency: { key: sql`nullif(f.mda, '')` },
    month: { key: sql`to_char(f.month, 'YYYY-MM')` },
  },
  depths: { agency: 2 },
  // Of what became of something else, nothing is left but a row.
  present: sql`sum(f.attempts) > 0`,
  always: [],
  measures: sql`nullif(${sumTold('attempts')}, 0)::int as attempts,
    ${countOf(sql`f.status = 'Confirmed'`)} as confirmed, ${countOf(sql`f.status = 'Failed'`)} as failed,
    ${countOf(sql`f.status = 'Expired'`)} as expired, ${countOf(sql`f.status = 'Sent'`)} as open,
    round(coalesce(${sumTold('attempts', sql`f.status = 'Confirmed'`)}, 0) / nullif(${ended}, 0)::numeric, 6)::float8
      as "successRate",
    case when bool_or(f.told) then array[${byCause}]::int[] end as causes`,
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
