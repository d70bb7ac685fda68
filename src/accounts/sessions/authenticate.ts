import { type Account, accountColumns } from '../../platform/access/account.ts';
import { hashSessionToken } from '../../platform/access/session-token.ts';
import { type Viewer, viewSession } from '../../platform/access/viewer.ts';
import { type Database, sql } from '../../platform/database/sql.ts';

/** Account of a session; null if it does not hold. */
export async function authenticateAccount(db: Database, token: string, now: Date): Promise<Viewer | null> {
  const row = await db.row<Account & { id: string; integrator: string }>(sql`
    select s.id, s.integrator, ${accountColumns} from session s join integrator i on i.code = s.integrator
    where s.hash = ${hashSessionToken(token)} and s.ended_at is null and s.expires_at > ${now}
      and i.status = 'Active'`);
  return row && viewSession(row, row);
}
