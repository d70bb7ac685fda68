import { sql } from '../../../../../platform/database/sql.ts';
import type { DimensionName } from '../../dimensions.ts';

/** Dimensions by which the services that one event pays are distinguished. */
export const SERVICES: readonly DimensionName[] = ['service', 'sector', 'family'];

/** True for a part `f` of a reversal: by its sign, which takes half as long as a comparison of texts. */
export const IS_REVERSAL = sql`(f.event_amount < 0)`;

/** Dimensions of payments and their parts. */
export const PAYMENT_DIMENSIONS: readonly DimensionName[] = [
  'agency',
  'sector',
  'family',
  'service',
  'channel',
  'country',
  'region',
  'district',
  'station',
  'counter',
  'integrator',
  'currency',
  'size',
  'kind',
  'proof',
  'year',
  'fiscal_year',
  'quarter',
  'month',
  'week',
  'day',
  'weekday',
  'hour',
];
