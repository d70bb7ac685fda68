import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { formatDay } from '../../kernel/time.ts';

/** How many notifications of a kind there are, by how far they came. */
export interface NotificationCount {
  readonly kind: 'webhook' | 'propagation';
  readonly status: string;
  readonly count: number;
}

/** How far the notifications of some days (UTC) came, both included: of payments, and of all else to integrators. */
export function readNotificationCounts({ analytics }: Call, from: Date, to: Date): Promise<NotificationCount[]> {
  return analytics.rows<NotificationCount>(sql`
    select kind, status, count(*)::int as count from (
      select 'webhook' as kind, day, status from delivery
      union all
      -- What an agency rejected is as dead as what did not reach it.
      select 'propagation', day, case status when 'rejected' then 'dead' else status end
      from propagation where kind = 'payment'
    ) n
    where day between ${formatDay(from)}::date and ${formatDay(to)}::date group by kind, status`);
}
