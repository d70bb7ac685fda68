import { ALLOWANCES, type Account } from '../../platform/access/account.ts';
import { type Grant, coversAll, isBeyond } from '../../platform/access/grants.ts';
import { Channel } from '../../generated/prisma/enums.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { shorten } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';

/** Rights and limits of an account. */
export type Bounds = Pick<Account, 'pricingTier' | 'allowedAgencies' | 'allowedChannels' | 'limitPerMinute'>;

/** The most that an account can be allowed to send. */
export const MOST_REQUESTS_A_MINUTE = 1_000_000;

/** Refuses where none is named of what an account is to go live with. */
export function requireSome(path: string, asked: readonly string[]): readonly string[] {
  if (asked.length === 0) throw refuseValue(path, say`must not be empty`);
  return asked;
}

/** Checks channels as a request for them, or an operator, names them: each by its name, or `*` alone for all. */
export function checkAllowedChannels(path: string, asked: readonly string[]): Grant {
  const channels = [...new Set(asked)];
  if (coversAll(channels)) {
    if (channels.length > 1) throw refuseValue(path, say`must be * alone, or names of channels`);
    return channels;
  }
  const unknown = channels.find((channel) => !Object.hasOwn(Channel, channel));
  if (unknown !== undefined) throw refuseValue(path, say`there is no channel ${shorten(unknown)}`);
  return channels;
}

/** A limit of requests a minute; null: as many as the pricing tier allows. */
export function checkLimit(path: string, limit: number | null | undefined): number | null {
  if (limit == null) return null;
  if (limit < 1 || limit > MOST_REQUESTS_A_MINUTE)
    throw refuseValue(path, say`must be from 1 to ${MOST_REQUESTS_A_MINUTE}`);
  return limit;
}

/** True if bounds allow more than others do; a limit of one's own replaces that of the pricing tier. */
export function widens(bounds: Bounds, former: Bounds): boolean {
  const { limitPerMinute: limit } = bounds;
  const tiers = Object.keys(ALLOWANCES);
  return (
    tiers.indexOf(bounds.pricingTier) > tiers.indexOf(former.pricingTier) ||
    isBeyond(bounds.allowedAgencies, former.allowedAgencies) ||
    isBeyond(bounds.allowedChannels, former.allowedChannels) ||
    (limit !== former.limitPerMinute &&
      (limit === null || former.limitPerMinute === null || limit > former.limitPerMinute))
  );
}

/** Decisions of operators on an account, for their audit. */
export function snapshotBounds({ pricingTier, allowedAgencies, allowedChannels, limitPerMinute }: Bounds) {
  return {
    pricing_tier: pricingTier,
    allowed_agencies: allowedAgencies,
    allowed_channels: allowedChannels,
    limit_per_minute: limitPerMinute,
  };
}
