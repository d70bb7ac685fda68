import type { Call } from '../../platform/call/call.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { PageMail } from '../../generated/prisma/client.ts';

/** The pages whose figures the caller gets by mail, by their addresses. */
export function listPageMails({ db, viewer }: Call): Promise<PageMail[]> {
  return db.rows(sql`
    select ${columnsOf('PageMail')} from page_mail r where r.staff = ${viewer.actor} order by r.address`);
}

/** One of the caller's; null where they do not get that page. */
export function findPageMail({ db, viewer }: Call, address: string): Promise<PageMail | null> {
  return db.row(sql`
    select ${columnsOf('PageMail')} from page_mail r where r.staff = ${viewer.actor} and r.address = ${address}`);
}
