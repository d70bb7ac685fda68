import { sql } from '../../../../../platform/database/sql.ts';
import type { DimensionName } from '../../dimensions.ts';
import { PERIODS } from '../people.ts';

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
  ...PERIODS,
  'hour',
];
