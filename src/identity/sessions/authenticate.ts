import { needSecondFactor } from '../../platform/access/needs.ts';
import { hashSessionToken } from '../../platform/access/session-token.ts';
import { type Viewer, viewStaff } from '../../platform/access/viewer.ts';
import { statement, step } from '../../platform/change/step.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Database, sql } from '../../platform/database/sql.ts';

/** Minutes that a session of staff lasts without a request. */
const IDLE_MINUTES = 30;
/** Precision of the time at which a session was last used. */
const SEEN_EVERY_SECONDS = 30;

interface Row {
  readonly id: string;
  readonly email: string;
  readonly roles: string[];
  readonly agencies: string[];
  readonly secondFactor: boolean;
}

/** Look-up of a rail's sessions of staff. */
export function authenticateStaffOf(config: Pick<Config, 'mode'>) {
  return (db: Database, token: string, now: Date) => authenticateStaff(config, db, token, now);
}

/** Member of staff who is logged in by a session, which notes its use; null if it does not hold. */
async function authenticateStaff(
  config: Pick<Config, 'mode'>,
  db: Database,
  token: string,
  now: Date,
): Promise<Viewer | null> {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const found = step('found')`
    select s.id, s.second_factor, u.email, u.roles, u.agencies, s.last_seen_at
    from staff_session s join staff u on u.email = s.staff and u.generation = s.generation
    where s.hash = ${hashSessionToken(token)} and s.ended_at is null and s.expires_at > ${now} and u.active
      and s.last_seen_at > ${before(IDLE_MINUTES * 60)}`;
  const seen = step('seen')`
    update staff_session s set last_seen_at = ${now} from ${found} f where s.id = f.id
      and f.last_seen_at < ${before(SEEN_EVERY_SECONDS)}`;
  const row = await db.row<Row>(
    statement(sql`select id, email, roles, agencies, second_factor as "secondFactor" from ${found}`, [seen]),
  );
  return row && viewStaff({ ...row, mustEnrol: mustEnrol(config, row) });
}

/** True if a session may only enrol the second factor that its owner's roles require. */
export function mustEnrol(
  { mode }: Pick<Config, 'mode'>,
  { roles, secondFactor }: Pick<Row, 'roles' | 'secondFactor'>,
): boolean {
  return mode === 'live' && !secondFactor && needSecondFactor(roles);
}
