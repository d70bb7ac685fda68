import type { Fact } from '../../platform/analytics/fact.ts';
import { ANOMALIES } from './anomalies.ts';
import { AGENCIES, SERVICES } from './catalogue.ts';
import { DELIVERIES, PROPAGATIONS } from './notices.ts';
import { OUTCOMES } from './outcomes.ts';
import { PAYMENTS } from './payments.ts';
import { REGISTRATIONS } from './registrations.ts';
import { SHIFTS } from './shifts.ts';

/** All that figures are computed from. */
export const FACTS: readonly Fact[] = [
  AGENCIES,
  SERVICES,
  PAYMENTS,
  SHIFTS,
  ANOMALIES,
  REGISTRATIONS,
  DELIVERIES,
  PROPAGATIONS,
  OUTCOMES,
];
