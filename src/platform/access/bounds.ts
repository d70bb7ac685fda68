import { type Sql, sql } from '../database/sql.ts';
import { forbidBecause } from '../../kernel/refusal.ts';
import { type Grant, covers, coversAll } from './grants.ts';
import type { Viewer } from './viewer.ts';

/**
 * An account's allowances bound the assessments, intents and shifts that it begins. Staff and the rail itself act for
 * no account.
 */
type Bounded = Pick<Viewer, 'account'>;

/** Refuses an agency for which the caller's account may not assess and collect. */
export function refuseAgency({ account }: Bounded, mda: string, path: string): void {
  if (account === null || covers(account.allowedAgencies, mda)) return;
  throw forbidBecause(
    'agency_not_allowed',
    `Your account may not collect for ${mda}; ask for it with \`requestLive\``,
    path,
  );
}

/** Refuses a channel by which the caller's account may not collect. */
export function refuseChannel({ account }: Bounded, channel: string, path = 'channel'): void {
  if (account === null || covers(account.allowedChannels, channel)) return;
  throw forbidBecause(
    'channel_not_allowed',
    `Your account may not collect by ${channel}; ask for it with \`requestLive\``,
    path,
  );
}

/** The condition under which the caller's account may use the agency, or the channel, in a column. */
export function whereAllowed({ account }: Bounded, of: 'allowedAgencies' | 'allowedChannels', column: Sql): Sql {
  const allowed: Grant | undefined = account?.[of];
  return allowed === undefined || coversAll(allowed) ? sql`true` : sql`${column}::text = any(${[...allowed]})`;
}
