import { sql } from '../../platform/database/sql.ts';
import { propagationLifecycle } from './lifecycle.ts';

/** Whether its agency may know of a notice `p`: it answered so, or a try may have reached it. */
export const mayBeKnown = sql`(p.status = ${propagationLifecycle.succeed.to} or p.maybe_told)`;

/** Whether a notice `p` has nothing left to report: of a payment that its agency surely does not know, of an assessment `a` that was cancelled. */
export const isObsolete = sql`(p.kind = 'payment' and a.status = 'Cancelled' and not ${mayBeKnown})`;
