import { whereSupervised } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { type Cancellation, listCancellationsSince } from './cancellations.ts';
import { type Shift, listOpen, listReviews } from '../shifts/find.ts';

/** Collections of one clerk at one agency today, in one currency. */
export interface Taking {
  readonly mda: string;
  readonly clerk: string;
  readonly currency: string;
  readonly cash: Decimal;
  readonly nonCash: Decimal;
  readonly collections: number;
}

/** A supervisor's view: the agencies that they supervise. Today is the UTC day. */
export interface Dashboard {
  readonly asOf: Date;
  readonly openShifts: readonly Shift[];
  readonly pendingVariances: readonly Shift[];
  readonly takings: Taking[];
  readonly cancellations: readonly Cancellation[];
}

const MOST_ROWS = 200;

export async function readSupervisorDashboard(call: Call): Promise<Dashboard> {
  const asOf = call.now();
  const today = sql`date_trunc('day', ${asOf}::timestamptz at time zone 'utc') at time zone 'utc'`;
  const supervised = whereSupervised(call.viewer, sql`s.mda`);
  const page = { first: MOST_ROWS };
  const [openShifts, pendingVariances, takings, cancellations] = await Promise.all([
    listOpen(call, page),
    listReviews(call, { varianceStatus: 'Pending' }, page),
    call.db.rows<Taking>(sql`
      select s.mda, s.clerk, e.currency, coalesce(sum(e.amount) filter (where e.channel = 'cash'), 0) as cash,
        coalesce(sum(e.amount) filter (where e.channel <> 'cash'), 0) as "nonCash",
          count(distinct e.intent) filter (where e.kind = 'payment') as collections
      from payment_event e join assessment a on a.name = e.assessment join counter_shift s on s.name = a.shift
      where e.created_at >= ${today} and e.refund is null and ${supervised} group by s.mda, s.clerk, e.currency order by s.mda, s.clerk,
        e.currency`),
    listCancellationsSince(call, today, page),
  ]);
  return {
    asOf,
    openShifts: openShifts.rows,
    pendingVariances: pendingVariances.rows,
    takings,
    cancellations: cancellations.rows,
  };
}
