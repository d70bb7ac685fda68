import type { Call } from '../../platform/call/call.ts';
import { type Part, commitEach } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { messagesOf } from '../../platform/change/transition.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { say } from '../../kernel/text/said.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Assessment, findAssessments, isPastDue } from './find.ts';
import { trackAssessment } from './snapshot.ts';

const BATCH = 200;

/**
 * Says of assessments, once, that their due day is over by the clock of their agency and they are not paid; how many. A
 * day that has passed is looked at once, also of what was paid or cancelled: `due_passed_at` says that it was.
 */
export async function announceOverdue(call: Call): Promise<number> {
  const at = call.now();
  const passed = await call.db.rows<{ name: string }>(sql`
    select r.name from assessment r where r.due_passed_at is null and r.status <> 'Draft' and ${isPastDue(at)}
    order by r.due_on limit ${BATCH}`);
  const assessments = [
    ...(
      await findAssessments(
        call,
        passed.map(({ name }) => name),
      )
    ).values(),
  ];
  const given = step('given')`
    select * from jsonb_to_recordset(${json(assessments.map(({ name, revision }) => ({ name, revision })))}::jsonb)
      as g (name text, revision int)`;
  // In one order, as everything is that could wait for another.
  const held = step('held')`
    select a.name, a.status = 'Assessed' as owed from assessment a join ${given} g on g.name = a.name and g.revision = a.revision
    where a.due_passed_at is null order by a.name for no key update of a`;
  const changed = guard`
    update assessment a set due_passed_at = ${at}, revision = a.revision + h.owed::int,
      updated_at = case when h.owed then ${at} else a.updated_at end
    from ${held} h where a.name = h.name returning a.name`;
  const parts = assessments.filter(({ status }) => status === 'Assessed').map((each) => partOf(each, at));
  const done = assessments.length > 0 ? await commitEach(call, changed, parts) : new Set<string>();
  const announced = parts.filter(({ name }) => done.has(name)).length;
  return passed.length === BATCH && done.size > 0 ? announced + (await announceOverdue(call)) : announced;
}

function partOf(before: Assessment, at: Date): Part {
  const after = { ...before, duePassedAt: at, revision: before.revision + 1, updatedAt: at };
  const { name, dueOn } = after;
  return {
    name,
    trace: [
      {
        kind: 'assessment.update',
        assessment: name,
        doc: name,
        summary: say`Overdue: it was to be paid by ${formatDay(dueOn!)}`,
        messages: messagesOf({ emits: 'assessment.overdue' }, trackAssessment(after)),
      },
    ],
  };
}
