import { whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type PageArgs, ifGiven, newestFirst, readPage } from '../../platform/change/page.ts';
import { columnsOf, fromJson, jsonOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Assessment as Record, AssessmentLine } from '../../generated/prisma/client.ts';
import type { AssessmentStatus } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';

export type Assessment = Record & { readonly lines: AssessmentLine[] };

const columns = columnsOf('Assessment');

/** The lines of `r` as one JSON value. */
const lines = sql`(
  select jsonb_agg(${jsonOf('AssessmentLine', 'l')} order by l.idx) from assessment_line l
  where l.assessment = r.name) as lines`;

export interface AssessmentFilter {
  readonly citizen?: string | null | undefined;
  readonly status?: AssessmentStatus | null | undefined;
  readonly shift?: string | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

/** The caller's assessments, newest first, without their lines. */
export function listAssessments(call: Call, filter: AssessmentFilter, page: PageArgs): Promise<Record[]> {
  return readPage(
    call,
    {
      select: sql`select ${columns} from assessment r`,
      table: 'assessment',
      ...newestFirst,
      where: [whereVisible(call.viewer)],
      filters: [
        ifGiven(filter.citizen, (citizen) => sql`r.citizen = ${citizen}`),
        ifGiven(filter.status, (status) => sql`r.status = ${status}::assessment_status`),
        ifGiven(filter.shift, (shift) => sql`r.shift = ${shift}`),
        ifGiven(filter.fromDate, (day) => sql`r.created_at >= ${day}`),
        // A day includes its end.
        ifGiven(filter.toDate, (day) => sql`r.created_at < ${day}::timestamptz + interval '1 day'`),
      ],
    },
    page,
  );
}

/** One of the caller's assessments with its lines, or null. */
export async function findAssessment(call: Call, name: string): Promise<Assessment | null> {
  if (!isDocname('assessment', name)) return null;
  const row = await call.db.row<Record & { lines: object[] }>(sql`
    select ${columns}, ${lines} from assessment r where r.name = ${name} and ${whereVisible(call.viewer)}`);
  return row && { ...row, lines: row.lines.map((line) => fromJson('AssessmentLine', line)) };
}

export async function getAssessment(call: Call, name: string): Promise<Assessment> {
  const assessment = await findAssessment(call, name);
  if (!assessment) throw new Refusal('not_found', 'The assessment does not exist');
  return assessment;
}
