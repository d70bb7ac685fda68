import { isMorning, localDay } from '../../collection/catalogue/clock.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';

/** True if a view `v` is due to its recipient `m`: its day, week or month, and the morning, has begun since their last. */
export function isDue(call: Pick<Call, 'now'>): Sql {
  return sql`date_trunc(v.every, ${localDay(call)}::timestamp)::date > m.sent_on and ${isMorning(call)}`;
}
