import type { Config } from '../../platform/config/config.ts';
import { ANOMALIES, ANOMALY_KINDS, type AnomalyKind, type Severity } from './kinds.ts';
import { thresholdsOf } from './thresholds.ts';

/** Meaning of a kind of anomaly, and the action to take about it. */
export interface Rule {
  readonly kind: AnomalyKind;
  readonly severity: Severity;
  readonly title: string;
  readonly meaning: string;
  readonly whatToDo: string;
  readonly thresholds: Readonly<Record<string, unknown>> | null;
}

/** The rules, with the thresholds that hold in this deployment. */
export function listRules(config: Config): Rule[] {
  const thresholds: Partial<Record<AnomalyKind, Rule['thresholds']>> = thresholdsOf(config);
  return ANOMALY_KINDS.map((kind) => ({ ...ANOMALIES[kind], kind, thresholds: thresholds[kind] ?? null }));
}
