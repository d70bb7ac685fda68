import { refuseDependent } from '../../../platform/access/independence.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../../platform/reading/page.ts';
import type { AdminGrantStatus } from '../../../generated/prisma/enums.ts';
import { Refusal, forbidBecause, refuseBecause } from '../../../kernel/refusal.ts';
import { requireText } from '../../../kernel/text/free-text.ts';
import { getStaff } from '../find.ts';
import { notifyOfChange } from '../notify.ts';
import { refuseOwnAccount } from './authority.ts';

/** That somebody be made an admin, which one operator asks for and another decides. */
export type AdminGrant = Stored<'AdminGrant'>;

const columns = columnsOf('AdminGrant');

/** What was asked for, newest first. */
export function listAdminGrants(
  call: Call,
  { status }: { readonly status?: AdminGrantStatus | null | undefined },
  page: PageArgs,
): Promise<Page<AdminGrant>> {
  return readPage(
    call,
    {
      select: sql`select ${columns} from admin_grant r`,
      table: 'admin_grant',
      ...newestFirst,
      where: [],
      filters: [ifGiven(status, (one) => sql`r.status = ${one}::admin_grant_status`)],
    },
    page,
  );
}

export const adminGrantLoader = loadByName<AdminGrant>(({ db }, names) =>
  db.rows(sql`select ${columns} from admin_grant r where r.name = any(${names})`),
);

export async function getAdminGrant({ db }: Call, name: string): Promise<AdminGrant> {
  const row = await db.row<AdminGrant>(sql`select ${columns} from admin_grant r where r.name = ${name}`);
  if (!row) throw new Refusal('not_found', 'The request does not exist');
  return row;
}

/** The step that asks for the member of staff to be made an admin whose `email` a step yields; once is enough. */
export async function askForAdmin(call: Call, changed: Step, reason: string | null): Promise<Step> {
  const at = call.now();
  const name = await call.docnames.next('grant', at);
  return step('asked')`
    insert into admin_grant (name, staff, status, asked_by, asked_reason, created_at, updated_at)
    select ${name}, c.email, 'Pending', ${call.viewer.actor}, ${reason}, ${at}::timestamptz, ${at}::timestamptz
    from ${changed} c
    on conflict (staff) where status = 'Pending' do nothing`;
}

/** The step that refuses what is still undecided of the member of staff whose `email` a step yields. */
export function withdrawAdminGrants({ viewer, now }: Call, changed: Step, reason: string): Step {
  return step('withdrawn')`
    update admin_grant g set status = 'Refused', decided_by = ${viewer.actor}, decided_at = ${now()},
      decided_reason = ${reason}, updated_at = ${now()}
    from ${changed} c where g.staff = c.email and g.status = 'Pending'`;
}

/** Makes somebody an admin, as another admin has asked. */
export async function approveAdminGrant(call: Call, { id }: { readonly id: string }): Promise<AdminGrant> {
  const grant = await getPending(call, id);
  const { staff } = grant;
  if (grant.askedBy === call.viewer.actor)
    throw forbidBecause('grant_by_asker', 'Making somebody an admin takes two people: another admin has to approve it');
  refuseOwnAccount(call.viewer, staff);
  await refuseDependent(call, [grant.askedBy, staff]);
  const { status, roles } = await getStaff(call, staff);
  if (status === 'Deactivated') throw refuseBecause('staff_not_active', `${staff} is deactivated`, 'email');
  const changed = guard`
    update admin_grant g set status = 'Approved', decided_by = ${call.viewer.actor}, decided_at = ${call.now()},
      updated_at = ${call.now()}
    where g.name = ${id} and g.status = 'Pending' and g.asked_by <> ${call.viewer.actor} returning g.staff as email`;
  const raised = step('raised')`
    update staff u set roles = array_append(u.roles, 'admin'), updated_at = ${call.now()}
    from ${changed} c where u.email = c.email and not 'admin' = any(u.roles)`;
  const operated = {
    action: 'staff.approve_admin',
    subject: staff,
    before: { roles, asked_by: grant.askedBy },
    after: { roles: [...new Set([...roles, 'admin'])] },
    reason: grant.askedReason,
  };
  const steps = [raised, notifyOfChange(call, changed, 'admin')];
  if (!(await commit(call, { subject: id, guard: changed, steps, operated }))) throw refuseDecided(id);
  return getAdminGrant(call, id);
}

/** Refuses it; whoever asked may take it back so. */
export async function refuseAdminGrant(
  call: Call,
  input: { readonly id: string; readonly reason: string },
): Promise<AdminGrant> {
  const reason = requireText('reason', input.reason, 280);
  const { staff, askedBy } = await getPending(call, input.id);
  const changed = guard`
    update admin_grant set status = 'Refused', decided_by = ${call.viewer.actor}, decided_at = ${call.now()},
      decided_reason = ${reason}, updated_at = ${call.now()}
    where name = ${input.id} and status = 'Pending' returning name`;
  const operated = {
    action: 'staff.refuse_admin',
    subject: staff,
    before: { asked_by: askedBy },
    after: null,
    reason,
  };
  if (!(await commit(call, { subject: input.id, guard: changed, operated }))) throw refuseDecided(input.id);
  return getAdminGrant(call, input.id);
}

async function getPending(call: Call, name: string): Promise<AdminGrant> {
  const grant = await getAdminGrant(call, name);
  if (grant.status !== 'Pending') throw refuseDecided(name);
  return grant;
}

function refuseDecided(name: string): Refusal {
  return refuseBecause('grant_decided', `${name} has been decided already`);
}
