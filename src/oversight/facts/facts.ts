import type { Fact } from '../../platform/analytics/fact.ts';
import { AGENCIES, SERVICES } from './catalogue.ts';
import { PAYMENTS } from './payments.ts';

/** All that figures are computed from. */
export const FACTS: readonly Fact[] = [AGENCIES, SERVICES, PAYMENTS];
