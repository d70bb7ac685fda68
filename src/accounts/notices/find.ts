import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import type { ServiceNotice } from '../../generated/prisma/client.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type NoticeStatus, statusOf } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

export type Notice = ServiceNotice;

const columns = columnsOf('ServiceNotice');
const noticeSelect = sql`select ${columns} from service_notice r`;

/** The notices that everybody sees, newest first: those that are neither over nor withdrawn; or those in effect alone. */
export function listNotices(
  call: Call,
  { inEffect }: { readonly inEffect?: boolean | null | undefined },
  page: PageArgs,
): Promise<Page<Notice>> {
  const wanted = inEffect === true ? whereIn(call, 'in_effect') : null;
  const where = [whereCurrent(call)];
  return readPage(
    call,
    { select: noticeSelect, table: 'service_notice', ...newestFirst, where, filters: [wanted] },
    page,
  );
}

/** All notices that there were, newest first. */
export function listAllNotices(
  call: Call,
  { status }: { readonly status?: NoticeStatus | null | undefined },
  page: PageArgs,
): Promise<Page<Notice>> {
  const filters = [ifGiven(status, (wanted) => whereIn(call, wanted))];
  return readPage(call, { select: noticeSelect, table: 'service_notice', ...newestFirst, where: [], filters }, page);
}

/** Notices by docname: those that everybody sees, and any for operators. */
export const noticeLoader = loadByName<Notice>((call, names) => {
  const visible = findRefusal(call.viewer, 'operations.read') === null ? sql`true` : whereCurrent(call);
  return call.db.rows(sql`${noticeSelect} where r.name = any(${names}) and ${visible}`);
});

/** A notice in any state. */
export async function getNotice({ db }: Pick<Call, 'db'>, name: string): Promise<Notice> {
  const row = await db.row<Notice>(sql`${noticeSelect} where r.name = ${name}`);
  if (!row) throw new Refusal('not_found', say`The notice does not exist`);
  return row;
}

/** Present state of a notice. */
export function readStatus({ now }: Call, notice: Notice): NoticeStatus {
  return statusOf(notice, now());
}

/** The condition of each status, as `statusOf` says it of a notice. */
function whereIn({ now }: Call, status: NoticeStatus): Sql {
  const at = now();
  const conditions: Readonly<Record<NoticeStatus, Sql>> = {
    withdrawn: sql`r.withdrawn_at is not null`,
    over: sql`r.withdrawn_at is null and r.ends_at <= ${at}`,
    scheduled: sql`r.withdrawn_at is null and r.starts_at > ${at}`,
    in_effect: sql`r.withdrawn_at is null and r.starts_at <= ${at} and (r.ends_at is null or r.ends_at > ${at})`,
  };
  return sql`(${conditions[status]})`;
}

function whereCurrent(call: Call): Sql {
  return sql`(${whereIn(call, 'scheduled')} or ${whereIn(call, 'in_effect')})`;
}
