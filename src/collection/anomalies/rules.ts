import type { Config } from '../../platform/config/config.ts';
import { ANOMALIES, ANOMALY_KINDS, type AnomalyKind, type Severity } from './kinds.ts';
import { thresholdsOf } from './thresholds.ts';

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
export function listRules(config: Config): Rule[] {
  const thresholds: Partial<Record<AnomalyKind, Rule['thresholds']>> = thresholdsOf(config);
  return ANOMALY_KINDS.map((kind) => ({ ...ANOMALIES[kind], kind, thresholds: thresholds[kind] ?? null }));
}
