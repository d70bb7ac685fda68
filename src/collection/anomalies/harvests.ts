import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import type { Finding } from './raise.ts';
import { thresholdsOf } from './thresholds.ts';

/**
 * Accounts of a live rail that looked up, or assessed, far more people on a day than they opened payments for. What
 * they see of their own assessments, of whichever day, is no look-up; whom they assess counts, as an assessment leads
 * to its citizen. The people of a sandbox are made up.
 */
export async function findHarvests({ db, config }: Call, day: Date): Promise<Finding[]> {
  if (config.mode !== 'live') return [];
  const thresholds = thresholdsOf(config).registry_harvest;
  const end = new Date(day.getTime() + DAY_MS);
  const rows = await db.rows<{ integrator: string; citizens: number; assessments: number }>(sql`
    with seen as (
      select integrator, coalesce(citizen, id::text) as citizen from citizen_access
      where at >= ${day} and at < ${end} and integrator is not null and purpose <> 'assessment'
      union
      select integrator, citizen from assessment
      where created_at >= ${day} and created_at < ${end} and integrator is not null
    ), many as (
      select integrator, count(*)::int as citizens from seen group by 1 having count(*) >= ${thresholds.citizens}::int
    ), compared as (
      select m.integrator, m.citizens, (
        select count(*)::int from assessment a
        where a.integrator = m.integrator and a.created_at >= ${day} and a.created_at < ${end}
          and exists (select from payment_intent p where p.assessment = a.name)) as assessments
      from many m
    )
    select * from compared where citizens > ${thresholds.per_assessment}::int * assessments`);
  return rows.map(({ integrator, citizens, assessments }) => ({
    kind: 'registry_harvest',
    subject: `${integrator}:${formatDay(day)}`,
    mdas: [],
    evidence: { day: formatDay(day), integrator, citizens, assessments, thresholds },
  }));
}
