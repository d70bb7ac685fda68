import type { MaterializedView } from '../../platform/analytics/fact.ts';
import { sql } from '../../platform/database/sql.ts';
import { tellDown } from '../root/few.ts';

/** How attempts went, in the finest parts in which they may be disclosed. */
export const ATTEMPTS_TOLD: MaterializedView = {
  name: 'attempt_told',
  of: 'attempt',
  select: (facts) => sql`
    with ${tellDown({ apart: ['month', 'status'], tree: ['channel', 'mda', 'cause'] }, facts)}
    select month, status, channel, mda, cause, told, count(*)::int as attempts from facts_told group by all`,
};

/** What was assessed, in the same way. */
export const ASSESSED_TOLD: MaterializedView = {
  name: 'assessed_told',
  of: 'assessed',
  select: (facts) => sql`
    with ${tellDown({ apart: ['month', 'currency', 'status'], tree: ['mda', 'service'] }, facts)}
    select month, currency, status, mda, service, told,
      count(*)::int as lines, (count(*) filter (where leads))::int as assessments, sum(amount) as amount
    from facts_told group by all`,
};

/** How long each took that is paid; whether it leads changes nothing about who is in which part. */
export const PAID_TOLD: MaterializedView = {
  name: 'paid_told',
  of: 'assessed',
  select: (facts) => sql`
    with ${tellDown({ apart: ['month', 'currency'], tree: ['mda', 'channel', 'service'] }, sql`select * from (${facts}) where milliseconds is not null`)}
    select month, currency, mda, channel, service, leads, milliseconds, told from facts_told`,
};
