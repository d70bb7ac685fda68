import { whereSupervised } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { type Shift, listOpen, listReviews } from '../shifts/find.ts';

/** What one clerk collected at one agency today, in one currency. */
export interface Taking {
  readonly mda: string;
  readonly clerk: string;
  readonly currency: string;
  readonly cash: Decimal;
  readonly nonCash: Decimal;
  readonly collections: number;
}

/** An assessment of a shift that was cancelled today. */
export interface Cancellation {
  readonly assessment: string;
  readonly shift: string;
  readonly mda: string;
  readonly clerk: string;
  readonly currency: string;
  readonly amount: Decimal;
  readonly reason: string | null;
  readonly cancelledAt: Date;
}

/** What a supervisor looks at: the agencies that they supervise. Today is the UTC day. */
export interface Dashboard {
  readonly asOf: Date;
  readonly openShifts: Shift[];
  readonly pendingVariances: Shift[];
  readonly takings: Taking[];
  readonly cancellations: Cancellation[];
}

const MOST_ROWS = 200;

export async function readSupervisorDashboard(call: Call): Promise<Dashboard> {
  const asOf = call.now();
  const today = sql`date_trunc('day', ${asOf}::timestamptz at time zone 'utc') at time zone 'utc'`;
  const supervised = whereSupervised(call.viewer, sql`s.mda`);
  const page = { start: 0, limit: MOST_ROWS };
  // Its lists are parts of one answer: none of them links to a next page.
  const part: Call = { ...call };
  const [openShifts, pendingVariances, takings, cancellations] = await Promise.all([
    listOpen(part, page),
    listReviews(part, { varianceStatus: 'Pending' }, page),
    call.db.rows<Taking>(sql`
      select s.mda, s.clerk, e.currency, coalesce(sum(e.amount) filter (where e.channel = 'cash'), 0) as cash,
        coalesce(sum(e.amount) filter (where e.channel <> 'cash'), 0) as "nonCash",
          count(distinct e.intent) filter (where e.kind = 'payment') as collections
      from payment_event e join assessment a on a.name = e.assessment join counter_shift s on s.name = a.shift
      where e.created_at >= ${today} and ${supervised} group by s.mda, s.clerk, e.currency order by s.mda, s.clerk,
        e.currency`),
    call.db.rows<Cancellation>(sql`
      select a.name as assessment, s.name as shift, s.mda, s.clerk, a.currency, a.total_amount as amount,
        a.cancel_reason as reason, a.cancelled_at as "cancelledAt"
      from assessment a join counter_shift s on s.name = a.shift
      where a.cancelled_at >= ${today} and ${supervised} order by a.cancelled_at desc, a.name desc limit ${MOST_ROWS}`),
  ]);
  return { asOf, openShifts, pendingVariances, takings, cancellations };
}
