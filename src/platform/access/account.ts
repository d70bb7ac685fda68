import type { IntegratorTier, PricingTier } from '../../generated/prisma/enums.ts';
import { raw } from '../database/sql.ts';
import type { Grant } from './grants.ts';

/** Decisions of operators on an account, which bound all of its keys and sessions. */
export interface Account {
  readonly tier: IntegratorTier;
  readonly pricingTier: PricingTier;
  /** The channels by which it may collect, or `*` alone for all of them. */
  readonly allowedChannels: Grant;
  /** The agencies for which it may assess and collect. */
  readonly allowedAgencies: Grant;
  /** Requests a minute it may send; null: as many as its pricing tier allows. */
  readonly limitPerMinute: number | null;
}

/** An account among the columns of `integrator i`: read by every statement that finds the caller. */
export const accountColumns = raw(
  `i.tier, i.pricing_tier as "pricingTier", i.allowed_channels as "allowedChannels",
   i.allowed_agencies as "allowedAgencies", i.limit_per_minute as "limitPerMinute"`,
);

/** Limits of an account on things that are counted. */
interface Allowance {
  /** Requests a minute; null: as many as the rail is configured to take of a key. */
  readonly requestsPerMinute: number | null;
  /** Look-ups of citizens a UTC day, in live mode. */
  readonly citizenLookUpsPerDay: number;
}

/** Limits of each pricing tier. */
export const ALLOWANCES: Readonly<Record<PricingTier, Allowance>> = {
  free: { requestsPerMinute: null, citizenLookUpsPerDay: 1_000 },
  standard: { requestsPerMinute: 1_200, citizenLookUpsPerDay: 10_000 },
  premium: { requestsPerMinute: 6_000, citizenLookUpsPerDay: 100_000 },
};

/** Requests a minute an account may send: its own limit, or else that of its pricing tier, or of the rail. */
export function requestLimitOf(
  { limitPerMinute, pricingTier }: Pick<Account, 'limitPerMinute' | 'pricingTier'>,
  { perKey }: { readonly perKey: number },
): number {
  return limitPerMinute ?? ALLOWANCES[pricingTier].requestsPerMinute ?? perKey;
}
