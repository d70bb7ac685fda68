import { type Sql, sql } from '../../../../platform/database/sql.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { daysOf, selectGroups } from '../question.ts';

/** Progress of notifications that were queued on some days (UTC). */
function notifications(
  description: string,
  names: readonly [done: string, pending: string, dead: string],
  facts: Sql,
): MeasureGroup {
  const [done, pending, dead] = names;
  return {
    description,
    people: 'none',
    dimensions: ['year', 'quarter', 'month', 'week', 'day', 'weekday'],
    nothing: { done: 0, pending: 0, dead: 0 },
    measures: {
      [done]: { type: 'Int', description: 'The number that arrived.', of: (columns) => columns['done'] as Value },
      [pending]: {
        type: 'Int',
        description: 'The number that is still to be sent.',
        of: (columns) => columns['pending'] as Value,
      },
      [dead]: {
        type: 'Int',
        description: 'The number that is no longer retried.',
        of: (columns) => columns['dead'] as Value,
      },
    },
    select: (question) =>
      selectGroups(question, daysOf(facts, question), [
        sql`count(*) filter (where f.status in ('delivered', 'done')) as done`,
        sql`count(*) filter (where f.status = 'pending') as pending`,
        // A notice that an agency rejected counts as dead, like one that did not reach it.
        sql`count(*) filter (where f.status in ('dead', 'rejected')) as dead`,
      ]),
  };
}

export const WEBHOOKS = notifications(
  'Webhooks to integrators, by when they were queued (UTC).',
  ['delivered', 'pendingDeliveries', 'deadDeliveries'],
  sql`delivery`,
);

export const NOTICES = notifications(
  'Notices of payments to agencies, by when they were queued (UTC).',
  ['acceptedNotices', 'pendingNotices', 'deadNotices'],
  sql`(from propagation where kind = 'payment')`,
);
