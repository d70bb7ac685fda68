import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** The dead messages of one integrator. */
export interface DeadDeliveries {
  readonly integrator: string;
  readonly count: number;
  readonly oldest: Date;
}

/** All messages that are dead, by integrator, most first. */
export function countDead({ db }: Call): Promise<DeadDeliveries[]> {
  return db.rows<DeadDeliveries>(sql`
    select integrator, count(*)::int as count, min(created_at) as oldest from webhook_delivery where status = 'dead'
    group by integrator order by count(*) desc, integrator`);
}
