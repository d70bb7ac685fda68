import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** How long a sign-up may wait for its code before its address is free again. */
const PENDING_DAYS = 7;
const MAIL_DAYS = 30;

/** Forgets sign-ups that nobody verified, and mail of long ago; how many rows. */
export async function purgeAccounts({ db, now }: Rail): Promise<number> {
  const before = (days: number) => new Date(now().getTime() - days * 86_400_000);
  const signUps = await db.rows(sql`delete from integrator where status = 'PendingEmail' and created_at < ${before(PENDING_DAYS)} returning 1`);
  const mail = await db.rows(sql`delete from mail where created_at < ${before(MAIL_DAYS)} returning 1`);
  return signUps.length + mail.length;
}
