import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { ServiceNotice } from '../../generated/prisma/client.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { momentOf } from '../../kernel/time.ts';

export type NoticeSeverity = 'info' | 'warning' | 'critical';

export interface NoticeInput {
  readonly title: string;
  readonly body: string;
  readonly severity: NoticeSeverity;
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
}

const columns = columnsOf('ServiceNotice');

/** The notices that are not over, newest first. */
export function listNotices(call: Call, page: PageArgs): Promise<Page<ServiceNotice>> {
  return readPage(
    call,
    {
      select: sql`select ${columns} from service_notice r`,
      table: 'service_notice',
      ...newestFirst,
      where: [whereNotOver(call)],
    },
    page,
  );
}

/** The notices that are not over, by docname. */
export const noticeLoader = loadByName<ServiceNotice>((call, names) =>
  call.db.rows(sql`select ${columns} from service_notice r where r.name = any(${names}) and ${whereNotOver(call)}`),
);

function whereNotOver({ now }: Call): Sql {
  return sql`(r.ends_at is null or r.ends_at > ${now()})`;
}

export async function getNotice({ db }: Call, name: string): Promise<ServiceNotice> {
  const row = await db.row<ServiceNotice>(sql`select ${columns} from service_notice r where r.name = ${name}`);
  if (!row) throw new Refusal('not_found', 'The notice does not exist');
  return row;
}

/** Tells users of the service something, from now or a later moment on. */
export async function publishNotice(call: Call, input: NoticeInput): Promise<ServiceNotice> {
  const title = requireText('title', input.title, 200);
  const body = requireText('body', input.body, 4_000);
  const at = call.now();
  const startsAt = input.startsAt ?? at;
  const endsAt = input.endsAt ? momentOf(input.endsAt) : null;
  if (endsAt !== null && endsAt <= startsAt) throw refuseValue('endsAt', 'must be later than startsAt');
  const name = await call.docnames.next('notice', at);
  const { severity } = input;
  const changed = guard`
    insert into service_notice (name, title, body, severity, starts_at, ends_at, created_by, created_at)
    values (${name}, ${title}, ${body}, ${severity}, ${startsAt}, ${endsAt}, ${call.viewer.actor}, ${at})
    returning name`;
  const operated = {
    action: 'notice.publish',
    subject: name,
    before: null,
    after: { title, severity, starts_at: startsAt, ends_at: endsAt },
    reason: null,
  };
  await commit(call, { subject: name, guard: changed, operated });
  return getNotice(call, name);
}
