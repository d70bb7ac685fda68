import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Recounted, recount, startRecounting } from '../root/recount.ts';

/** Not counted but looked up: the reversals and cancellations of an assessment. */
const CANCELLATIONS: Recounted = {
  name: 'cancellations',
  lock: 7_283_012,
  tail: 'cancelled_tail',
  sums: 'cancelled',
  key: ['assessment'],
  count: sql`looked_up as (
      select l.* from keys k
      cross join lateral (select * from cancellation_live l where l.assessment = k.assessment offset 0) l
    ) select * from looked_up`,
};

/** Looks up what was reversed and cancelled of assessments that have changed. */
export const startStoringCancellations = (rail: Rail) => startRecounting(rail, CANCELLATIONS);

/** Looks it up once; how many changes were taken. */
export const storeCancellations = (rail: Pick<Rail, 'transaction'>) => recount(rail, CANCELLATIONS);
