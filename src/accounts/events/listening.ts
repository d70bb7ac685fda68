import { type Database, type Sql, sql } from '../../platform/database/sql.ts';
import { DEFAULT_ENDPOINT } from './owner.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** Days for which messages can be fetched, and for which a caller counts as listening after a fetch. */
export const KEPT_DAYS = 90;

/** Accounts and agencies that listen: those with an endpoint, and those that fetch. */
export function listenersAt(at: Date): Sql {
  return sql`(
    select integrator, agency from webhook_endpoint where url is not null
    union select integrator, agency from event_reader where read_at > ${new Date(at.getTime() - KEPT_DAYS * DAY_MS)})`;
}

/** Audience of a message: its account, null for staff, and its agency. */
interface Heard {
  readonly integrator: string | null;
  readonly mda: string;
}

/** True if somebody listens to messages of an account and an agency. */
export async function findListening(
  db: Database,
  events: readonly Heard[],
  at: Date,
): Promise<(event: Heard) => boolean> {
  const codes = [...new Set(events.map(({ integrator }) => integrator ?? DEFAULT_ENDPOINT))];
  const agencies = [...new Set(events.map(({ mda }) => mda))];
  const rows = await db.rows<{ integrator: string | null; agency: string | null }>(sql`
    select l.integrator, l.agency from ${listenersAt(at)} l
    where l.integrator = any(${codes}) or l.agency = any(${agencies})`);
  const accounts = new Set(rows.map(({ integrator }) => integrator));
  const listening = new Set(rows.map(({ agency }) => agency));
  return ({ integrator, mda }) => accounts.has(integrator ?? DEFAULT_ENDPOINT) || listening.has(mda);
}
