import { sql } from '../../platform/database/sql.ts';
import { propagationLifecycle } from './lifecycle.ts';

/** True if its agency may know of a notice `p`: it answered so, or a try may have reached it. */
export const mayBeKnown = sql`(p.status = ${propagationLifecycle.succeed.to} or p.maybe_told)`;

/** True if a notice `p` has nothing left to report: its agency does not know of the payment, and `a` was cancelled. */
export const isObsolete = sql`(p.kind = 'payment' and a.status = 'Cancelled' and not ${mayBeKnown})`;
