import type { Call } from '../../platform/call/call.ts';
import type { TraceEntry } from '../../platform/change/commit.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { transition } from '../../platform/change/transition.ts';
import { type Sql, empty, json, sql } from '../../platform/database/sql.ts';
import { say } from '../../kernel/text/said.ts';
import type { Assessment } from './find.ts';
import type { Labels } from './labels.ts';
import { assessmentLifecycle } from './lifecycle.ts';
import type { PricedLine } from './lines/pricing.ts';
import { trackAssessment } from './snapshot.ts';

/** What is known of an assessment when it is made. */
interface Made
  extends
    Pick<Assessment, 'name' | 'citizen' | 'currency' | 'totalAmount' | 'dueOn'>,
    Partial<Labels & Pick<Assessment, 'shift' | 'sourceMda' | 'sourceKey'>> {
  readonly lines: readonly PricedLine[];
  /** True if its amounts are fixed at once. */
  readonly assessed: boolean;
}

/** An assessment as its maker makes it at a moment. */
export function draftAssessment({ viewer }: Pick<Call, 'viewer'>, made: Made, at: Date): Assessment {
  const { lines, assessed, ...given } = made;
  return {
    shift: null,
    sourceMda: viewer.kind === 'agency' ? viewer.actor : null,
    sourceKey: null,
    reference: null,
    metadata: null,
    ...given,
    status: assessed ? assessmentLifecycle.assess.to : 'Draft',
    lineCount: lines.length,
    duePassedAt: null,
    replaces: null,
    integrator: viewer.integrator,
    cancelReason: null,
    revision: 1,
    assessedAt: assessed ? at : null,
    paidAt: null,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    lines: lines.map((line) => ({ assessment: made.name, ...line })),
  };
}

/**
 * The SQL that inserts assessments, each if a condition on its row `a` holds, with further relations; it yields their
 * names. One under a key of its agency that stands for another already is left out.
 */
export function insertAssessments(
  born: readonly Assessment[],
  { from = empty, where = sql`true` }: { readonly from?: Sql; readonly where?: Sql } = {},
): Sql {
  const rows = born.map((assessment) => {
    const { lines: _, ...row } = assessment;
    return row;
  });
  // In the order of the keys: who inserts some of the same at once waits, and none for one another.
  return sql`
    insert into assessment (name, citizen, status, currency, total_amount, line_count, due_on, replaces, source_key, shift,
      integrator, source_mda, reference, metadata, revision, assessed_at, created_at, updated_at)
    select a.name, a.citizen, a.status, a.currency, a."totalAmount", a."lineCount", a."dueOn", a.replaces, a."sourceKey",
      a.shift, a.integrator, a."sourceMda", a.reference, a.metadata, a.revision, a."assessedAt", a."createdAt", a."updatedAt"
    from jsonb_to_recordset(${json(rows)}::jsonb) as a (name text, citizen text,
      status assessment_status, currency text, "totalAmount" numeric, "lineCount" int, "dueOn" date, replaces text,
      "sourceKey" text, shift text, integrator text, "sourceMda" text, reference text, metadata jsonb, revision int,
      "assessedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz) ${from}
    where ${where} order by a."sourceKey"
    -- Its maker finds which assessment the key stands for.
    on conflict (source_mda, source_key) where source_key is not null do nothing
    returning name`;
}

/** The step that inserts the lines of assessments which another inserts, by their `name`. */
export function insertLines(inserted: Step, lines: Assessment['lines']): Step {
  return step('priced')`
    insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount, category, base_amount,
      stated_amount, period, waived, exemption)
    select l.assessment, l.idx, l.service, l."serviceName", l.mda, l.quantity, l.rate, l.amount, l.category, l."baseAmount",
      l."statedAmount", l.period, l.waived, l.exemption
    from ${inserted} a, jsonb_to_recordset(${json(lines)}::jsonb)
      as l (assessment text, idx int, service text, "serviceName" text, mda text, quantity int, rate numeric, amount numeric,
        category text, "baseAmount" numeric, "statedAmount" numeric, period text, waived numeric, exemption text)
    where l.assessment = a.name`;
}

/** The rows of the timeline of a new assessment: a Draft, and Assessed if it is so at once. */
export function traceBirth(
  assessment: Assessment,
  more: Readonly<Record<string, unknown>> = {},
): readonly TraceEntry[] {
  const { name, totalAmount, currency, assessedAt } = assessment;
  const detail = { total_amount: totalAmount, currency, ...more };
  const drafted: TraceEntry = {
    kind: 'assessment.update',
    assessment: name,
    doc: name,
    summary: say`Draft created`,
    detail: { to: 'Draft', ...detail },
  };
  if (assessedAt === null) return [drafted];
  return [drafted, transition(trackAssessment(assessment), assessmentLifecycle.assess, 'Draft', detail)];
}
