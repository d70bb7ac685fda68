import type { Fact } from '../../platform/analytics/fact.ts';
import { ASSESSED } from './assessed.ts';
import { ATTEMPTS } from './attempts.ts';
import { CANCELLATIONS } from './cancellations.ts';
import { AGENCIES, SERVICES } from './catalogue.ts';
import { PAYERS } from './payers.ts';
import { PAYMENTS } from './payments.ts';

/** All that figures are computed from. */
export const FACTS: readonly Fact[] = [AGENCIES, SERVICES, PAYMENTS, ASSESSED, ATTEMPTS, PAYERS, CANCELLATIONS];
