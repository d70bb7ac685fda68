import { type Sql, sql } from '../../platform/database/sql.ts';

/** Enters, once an assessment is paid, each agency in it that has a system of its own and is to be told: a step of that change. */
export function entered(assessment: string, at: Date): Sql {
  return sql`
    insert into propagation (name, assessment, mda, status, next_attempt_at, created_at, updated_at)
    select ${assessment}::text || '.' || m.name, ${assessment}, m.name, 'pending', ${at}, ${at}, ${at}
    from changed, mda m where m.interaction_mode = 'B'
      and exists (select from assessment_line l where l.assessment = ${assessment} and l.mda = m.name)`;
}
