import { type Wall, whereWithin } from '../../platform/access/owned.ts';
import { type Viewer, findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, empty, sql } from '../../platform/database/sql.ts';
import { loadByName, loadTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import type { ApprovalStatus } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Approval, type ApprovalKind, type Kind, allKinds } from './kinds.ts';
import { say } from '../../kernel/text/said.ts';

const select = sql`select ${columnsOf('Approval')} from approval r`;

const OF_AGENCIES_ALONE: Wall = (agencies) => sql`(r.mdas <> '{}' and r.mdas <@ ${agencies})`;

type OneKind = Pick<Kind<unknown>, 'kind'>;

export interface ApprovalFilter {
  readonly kind?: ApprovalKind | null | undefined;
  readonly status?: ApprovalStatus | null | undefined;
}

/**
 * The condition under which a viewer sees a row: operators and the rail itself see all, finance officers what is about
 * agencies, others what they may decide or have asked for.
 */
function whereSeen(viewer: Viewer): Sql {
  if (viewer.kind === 'system' || findRefusal(viewer, 'operations.read') === null) return sql`true`;
  const decided = allKinds().filter(({ needs }) => findRefusal(viewer, needs) === null);
  const ofAgencies = viewer.roles.has('finance_officer') ? sql`or r.mdas <> '{}'` : empty;
  const own = sql`(r.kind = any(${decided.map(({ kind }) => kind)}::text[]) or r.asked_by = ${viewer.actor} ${ofAgencies})`;
  return sql`(${own} and ${whereWithin(viewer, OF_AGENCIES_ALONE)})`;
}

/** The approvals that the caller may see, newest first. */
export function listApprovals(
  call: Call,
  { kind, status }: ApprovalFilter,
  page: PageArgs,
  also: Sql | null = null,
): Promise<Page<Approval>> {
  return readPage(
    call,
    {
      select,
      table: 'approval',
      ...newestFirst,
      where: [whereSeen(call.viewer), also],
      filters: [
        ifGiven(kind, (one) => sql`r.kind = ${one}`),
        ifGiven(status, (one) => sql`r.status = ${one}::approval_status`),
      ],
    },
    page,
  );
}

/** The approvals that the caller may see, by docname. */
export const approvalLoader = loadByName<Approval>(({ db, viewer }, names) =>
  db.rows(sql`${select} where r.name = any(${names}) and ${whereSeen(viewer)}`),
);

export async function getApproval({ db, viewer }: Call, name: string): Promise<Approval> {
  const row = await db.row<Approval>(sql`${select} where r.name = ${name} and ${whereSeen(viewer)}`);
  if (!row) throw new Refusal('not_found', say`The request does not exist`);
  return row;
}

/** The approval of some kinds that a subject waits for, as far as the caller may see it; null where there is none. */
export function pendingApprovalOf(
  call: Call,
  kinds: OneKind | readonly OneKind[],
  subject: string,
): Promise<Approval | null> {
  const names = [kinds].flat().map(({ kind }) => kind);
  return loadTogether(call, `pending ${names.join()}`, subject, async (subjects) => {
    const rows = await call.db.rows<Approval>(sql`
      ${select} where r.kind = any(${names}) and r.subject = any(${subjects}) and r.status = 'Pending' and ${whereSeen(call.viewer)}
      order by r.created_at`);
    return new Map(rows.map((row) => [row.subject, row]));
  });
}
