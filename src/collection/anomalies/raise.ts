import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { json } from '../../platform/database/sql.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { RAISED_BY } from './about-own.ts';
import { ANOMALIES, type AnomalyKind, RAISED_ONCE } from './kinds.ts';
import { anomalyLifecycle } from './lifecycle.ts';

/** Something that somebody should look at. */
export interface Finding {
  readonly kind: AnomalyKind;
  /** The document, or another subject: of a kind one anomaly is about it, however often it is found. */
  readonly subject: string;
  /** The agencies concerned, the one with the largest share first; empty where none is known. */
  readonly mdas: readonly string[];
  /** The finding: with other evidence than that of a resolved anomaly, it has happened again. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

const { from, to } = anomalyLifecycle.reopen;

/** By what evidence says where something was found or by whom, and not what: another run of a statement finds the same. */
const PLACES = ['run', 'line', RAISED_BY];

/**
 * The step of a change that raises anomalies with it, where something was found. What was found before stays as it is
 * while that is open; resolved, it is open again.
 */
export async function raiseAnomalies(call: Call, changed: Step, findings: readonly Finding[]): Promise<Step[]> {
  const [first] = findings;
  if (!first) return [];
  const at = call.now();
  const { kind, actor } = call.viewer;
  const names = await call.docnames.take('anomaly', findings.length, at);
  const rows = findings.map((finding, index) => ({
    ...finding,
    evidence: { ...finding.evidence, ...(kind === 'staff' && { [RAISED_BY]: actor }) },
    name: names[index],
    severity: ANOMALIES[finding.kind].severity,
    mda: finding.mdas[0] ?? null,
  }));
  return [
    // By its kind: a change that is approved alone raises an anomaly of its own, and that of the approval.
    step(`raised_${first.kind}`)`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select distinct on (f.kind, f.subject) f.name, f.kind, f.mda, f.mdas, f.severity, ${to}::anomaly_status, f.subject, f.evidence,
        ${at}::timestamptz
      from ${changed}, jsonb_to_recordset(${json(rows)}::jsonb)
        as f (name text, kind text, mda text, mdas text[], severity text, subject text, evidence jsonb)
      order by f.kind, f.subject
      on conflict (kind, subject) do update set status = excluded.status, mda = excluded.mda, mdas = excluded.mdas,
        severity = excluded.severity, evidence = excluded.evidence, raised_at = excluded.raised_at, resolved_at = null,
        resolved_by = null, resolution = null, updated_at = excluded.raised_at
      where anomaly.status = any(${from}::anomaly_status[]) and anomaly.kind <> all(${RAISED_ONCE})
        and anomaly.evidence - ${PLACES}::text[] <> excluded.evidence - ${PLACES}::text[]`,
  ];
}

/** The step that adds to the evidence of an anomaly that is open. */
export function addEvidence(
  { now }: Call,
  changed: Step,
  { name }: Anomaly,
  more: Readonly<Record<string, unknown>>,
): Step {
  return step('added')`
    update anomaly set evidence = evidence || ${json(more)}::jsonb, updated_at = ${now()}
    where name = ${name} and exists (select from ${changed})`;
}
