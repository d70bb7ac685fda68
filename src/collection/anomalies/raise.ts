import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { json } from '../../platform/database/sql.ts';
import { ANOMALIES, type AnomalyKind } from './kinds.ts';

/** Something that somebody should look at. */
export interface Finding {
  readonly kind: AnomalyKind;
  /** The document, or another subject: one subject is raised once a kind, however often it is found. */
  readonly subject: string;
  /** The agencies concerned, the one with the largest share first; empty where none is known. */
  readonly mdas: readonly string[];
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** The step of a change that raises anomalies with it, where something was found. */
export async function raiseAnomalies(call: Call, changed: Step, findings: readonly Finding[]): Promise<Step[]> {
  const [first] = findings;
  if (!first) return [];
  const at = call.now();
  const names = await call.docnames.take('anomaly', findings.length, at);
  const rows = findings.map((finding, index) => ({
    ...finding,
    name: names[index],
    severity: ANOMALIES[finding.kind].severity,
    mda: finding.mdas[0] ?? null,
  }));
  return [
    // By its kind: a change that is approved alone raises an anomaly of its own, and that of the approval.
    step(`raised_${first.kind}`)`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select f.name, f.kind, f.mda, f.mdas, f.severity, 'Open', f.subject, f.evidence, ${at}
      from ${changed}, jsonb_to_recordset(${json(rows)}::jsonb)
        as f (name text, kind text, mda text, mdas text[], severity text, subject text, evidence jsonb)
      on conflict (kind, subject) do nothing`,
  ];
}
