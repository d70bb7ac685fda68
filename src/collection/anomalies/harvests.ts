import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Finding } from './raise.ts';
import { thresholdsOf } from './thresholds.ts';

export interface Day {
  /** The day as `2026-11-28`. */
  readonly day: string;
  readonly from: Date;
  /** Beginning of the next day: a day has 23 or 25 hours if the clock is changed. */
  readonly to: Date;
}

/**
 * Accounts of a live rail that looked up, or assessed, far more people on a day than they opened payments for. What
 * they see of their own assessments, of whichever day, is no look-up; whom they assess counts, as an assessment leads
 * to its citizen. The people of a sandbox are made up.
 */
export async function findHarvests({ db, config }: Call, { day, from, to }: Day): Promise<Finding[]> {
  if (config.mode !== 'live') return [];
  const thresholds = thresholdsOf(config).registry_harvest;
  const rows = await db.rows<{ integrator: string; citizens: number; assessments: number }>(sql`
    with seen as (
      select integrator, coalesce(citizen, id::text) as citizen from citizen_access
      where at >= ${from} and at < ${to} and integrator is not null and purpose <> 'assessment'
      union
      select integrator, citizen from assessment
      where created_at >= ${from} and created_at < ${to} and integrator is not null
    ), many as (
      select integrator, count(*)::int as citizens from seen group by 1 having count(*) >= ${thresholds.citizens}::int
    ), compared as (
      select m.integrator, m.citizens, (
        select count(*)::int from assessment a
        where a.integrator = m.integrator and a.created_at >= ${from} and a.created_at < ${to}
          and exists (select from payment_intent p where p.assessment = a.name)) as assessments
      from many m
    )
    select * from compared where citizens > ${thresholds.per_assessment}::int * assessments`);
  return rows.map(({ integrator, citizens, assessments }) => ({
    kind: 'registry_harvest',
    subject: `${integrator}:${day}`,
    mdas: [],
    evidence: { day, integrator, citizens, assessments, thresholds },
  }));
}
