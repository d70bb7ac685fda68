import { ANOMALIES, ANOMALY_KINDS, type AnomalyKind, type Severity } from '../../kernel/anomalies.ts';
import type { Thresholds } from '../../platform/config/thresholds.ts';

/** What a kind of anomaly means, and what to do about it. */
export interface Rule {
  readonly kind: AnomalyKind;
  readonly severity: Severity;
  readonly title: string;
  readonly meaning: string;
  readonly whatToDo: string;
  readonly thresholds: Readonly<Record<string, unknown>> | null;
}

/** The rules, with the thresholds that hold in this deployment. */
export function rulesOf(thresholds: Thresholds): Rule[] {
  return ANOMALY_KINDS.map((kind) => ({
    kind,
    ...ANOMALIES[kind],
    thresholds: Object.hasOwn(thresholds, kind) ? thresholds[kind as keyof Thresholds] : null,
  }));
}
