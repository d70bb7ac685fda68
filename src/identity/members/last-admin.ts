import type { Call } from '../../platform/call/call.ts';
import { step } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { refuseBecause } from '../../kernel/refusal.ts';

/** The other admins who can log in. */
function otherAdmins(email: string): Sql {
  return sql`select email from staff where active and 'admin' = any(roles) and email <> ${email}`;
}

/**
 * The condition that an admin stays when one goes. It locks the others: of two who would go at the same time, the second
 * sees that the first has gone.
 */
export function anAdminStays(email: string): Sql {
  const staying = step('staying')`${otherAdmins(email)} order by email for update`;
  return sql`exists (select from ${staying})`;
}

/** Refuses that the last active admin goes. */
export async function refuseLastAdmin({ db }: Call, email: string): Promise<void> {
  if (!(await db.row(sql`${otherAdmins(email)} limit 1`)))
    throw refuseBecause('last_admin', 'This is the last active admin, who stays until there is another', 'email');
}
