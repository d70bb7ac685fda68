import { whereSupervised } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { type Listing, type Page, type PageArgs, readPage, readPageOf } from '../../platform/reading/page.ts';
import type { Decimal } from '../../kernel/money.ts';
import { whereSeen } from '../shifts/find.ts';

/** An assessment of a shift that was cancelled, as the supervisors of the shift see it. */
export interface Cancellation {
  /** The docname of the assessment. */
  readonly name: string;
  readonly shift: string;
  readonly mda: string;
  readonly clerk: string;
  /** The integrator whose key opened the shift; null where staff did. */
  readonly integrator: string | null;
  readonly currency: string;
  readonly amount: Decimal;
  readonly reason: string | null;
  readonly cancelledAt: Date;
}

const cancellations = sql`(
  select a.name, a.shift, s.mda, s.clerk, s.integrator, a.currency, a.total_amount, a.cancel_reason, a.cancelled_at
  from assessment a join counter_shift s on s.name = a.shift
  where a.cancelled_at is not null and not exists (select from assessment b where b.replaces = a.name))`;

function listing(where: Sql): Listing {
  return {
    select: sql`
      select r.name, r.shift, r.mda, r.clerk, r.integrator, r.currency, r.total_amount as amount,
        r.cancel_reason as reason, r.cancelled_at as "cancelledAt"
      from ${cancellations} r`,
    table: cancellations.text,
    order: ['cancelled_at', 'name'],
    direction: 'desc',
    where: [where],
  };
}

/** Cancellations since a moment at the agencies that the caller supervises, newest first. */
export function listCancellationsSince(call: Call, moment: Sql, page: PageArgs): Promise<Page<Cancellation>> {
  const supervised = whereSupervised(call.viewer, sql`r.mda`);
  return readPage(call, listing(sql`r.cancelled_at >= ${moment} and ${supervised}`), page);
}

/** Cancellations of a shift that the caller may see, newest first. */
export function listCancellationsOf(call: Call, shift: string, page: PageArgs): Promise<Page<Cancellation>> {
  return readPageOf(call, listing(whereSeen(call)), sql`r.shift`, shift, page);
}
