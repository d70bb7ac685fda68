import type { Fact, MaterializedView } from '../../platform/analytics/fact.ts';
import { ANOMALIES } from './anomalies.ts';
import { ASSESSED, WAIVED } from './assessed.ts';
import { ATTEMPTS } from './attempts.ts';
import { CANCELLATIONS } from './cancellations.ts';
import { ACCOUNTS, AGENCIES, SERVICES } from './catalogue.ts';
import { DELIVERIES, PROPAGATIONS } from './notices.ts';
import { AGENCY_DAYS, BANK_LINES, OUTCOMES, WITHHELD } from './outcomes.ts';
import { PAYERS } from './payers.ts';
import { MONEY, PAYMENTS, RECEIPTS, REFUNDS } from './payments.ts';
import { REGISTRATIONS } from './registrations.ts';
import { SHIFTS } from './shifts.ts';
import { TARGETS } from './targets.ts';
import {
  ASSESSED_DISCLOSED,
  ATTEMPTS_DISCLOSED,
  PAID_DISCLOSED,
  DEBTS_DISCLOSED,
  PAYERS_COUNTED,
  SHIFTS_DISCLOSED,
} from './disclosed.ts';
import { STEPS, WAITING } from './waiting.ts';

/** All that figures are computed from. */
export const FACTS: readonly Fact[] = [
  AGENCIES,
  SERVICES,
  ACCOUNTS,
  TARGETS,
  PAYMENTS,
  ASSESSED,
  WAIVED,
  ATTEMPTS,
  PAYERS,
  CANCELLATIONS,
  SHIFTS,
  ANOMALIES,
  REGISTRATIONS,
  DELIVERIES,
  PROPAGATIONS,
  OUTCOMES,
  WITHHELD,
  BANK_LINES,
  AGENCY_DAYS,
  RECEIPTS,
  MONEY,
  REFUNDS,
  WAITING,
  STEPS,
];

/** Views of facts in the copy, for results that would take long to compute for each question. */
export const VIEWS: readonly MaterializedView[] = [
  ATTEMPTS_DISCLOSED,
  ASSESSED_DISCLOSED,
  PAID_DISCLOSED,
  DEBTS_DISCLOSED,
  PAYERS_COUNTED,
  SHIFTS_DISCLOSED,
];
