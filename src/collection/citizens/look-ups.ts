import { ALLOWANCES } from '../../platform/access/account.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { refuseBecause, refuseBeyondQuota } from '../../kernel/refusal.ts';
import { countCharacters } from '../../kernel/text/free-text.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';

/** Least length of a search for a name, number or phone, and most people it may be about. */
const LEAST_CHARACTERS = 4;
const MOST_MATCHES = 50;
/** The pricing tier whose look-ups an agency has. */
const TIER_OF_AGENCIES = 'standard';

/**
 * True if the caller may look people up, but not go through the registry: everybody on a live rail but its staff. A
 * sandbox's people are made up.
 */
export function isBounded({
  config,
  viewer,
}: {
  readonly config: Pick<Call['config'], 'mode'>;
  readonly viewer: Pick<Call['viewer'], 'kind'>;
}): boolean {
  return config.mode === 'live' && viewer.kind !== 'staff' && viewer.kind !== 'system';
}

/** Filters of a list of citizens. */
interface Asked {
  readonly q: string | undefined;
  readonly nin?: string | null | undefined;
  readonly phone?: string | null | undefined;
  /** The condition that `q` is, of a table `citizen r`. */
  readonly matching: Sql | null;
}

/** Refuses a list by which the caller would go through the registry. */
export async function refuseBrowsing(call: Call, { q, nin, phone, matching }: Asked): Promise<void> {
  if (!isBounded(call) || nin != null || phone != null) return;
  if (q === undefined || matching === null || countCharacters(q) < LEAST_CHARACTERS) {
    throw refuseBecause(
      'citizen_filter_required',
      `Give nin, phone, or a q of at least ${LEAST_CHARACTERS} characters`,
      'q',
    );
  }
  const found = await call.db.rows(sql`select from citizen r where ${matching} limit ${MOST_MATCHES + 1}`, 'each time');
  if (found.length > MOST_MATCHES)
    throw refuseBecause(
      'too_many_matches',
      `More than ${MOST_MATCHES} people match q; give more of it, or nin or phone`,
    );
}

/** The account or agency whose look-ups are counted; null for callers whose are not. */
function callerOf({ kind, actor, integrator, account }: Call['viewer']): string | null {
  if (kind === 'agency') return `agency:${actor}`;
  return account === null ? null : integrator;
}

/**
 * Counts people whom the caller looks up against the daily quota of its account or agency, on all processes together. Refuses
 * what goes beyond, and counts nothing of it.
 */
export async function countLookUps(call: Call, people: number): Promise<void> {
  const caller = callerOf(call.viewer);
  if (people === 0 || caller === null || !isBounded(call)) return;
  const now = call.now();
  const day = dayOf(now);
  const most = ALLOWANCES[call.viewer.account?.pricingTier ?? TIER_OF_AGENCIES].citizenLookUpsPerDay;
  const counted = await call.db.row(sql`
    insert into citizen_look_ups as l (caller, day, used)
    select ${caller}, ${formatDay(day)}::date, ${people}::int where ${people}::int <= ${most}::int
    on conflict (caller, day) do update set used = l.used + excluded.used
      where l.used + excluded.used <= ${most}::int
    returning 1`);
  if (counted) return;
  const row = await call.db.row<{ used: number }>(
    sql`select used from citizen_look_ups where caller = ${caller} and day = ${formatDay(day)}::date`,
  );
  const resetSeconds = Math.max(1, Math.ceil((day.getTime() + DAY_MS - now.getTime()) / 1_000));
  const remaining = most - (row?.used ?? 0);
  throw refuseBeyondQuota(
    `At most ${most} look-ups of citizens a UTC day, of which ${remaining} are left; try again in ${resetSeconds} s`,
    { name: 'citizen-look-ups', most, windowSeconds: DAY_MS / 1_000, remaining, resetSeconds },
  );
}

/** Deletes the counts of days that are over; how many. */
export async function purgeLookUps(purging: Purging): Promise<number> {
  return purgeRows(purging, 'citizen_look_ups', sql`day < ${formatDay(dayOf(purging.now()))}::date`);
}
