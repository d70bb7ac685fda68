import { describe, expect, it } from 'vitest';
import { deactivateStaff } from '../../src/identity/members/leave.ts';
import { updateStaff } from '../../src/identity/members/update.ts';
import { commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { mailedChanges, mailedToken, makeStaff, type StaffActor } from '../harness/people/staff.ts';
import { type Answer, testRail } from '../harness/rail.ts';
import { tally } from '../harness/chaos/tally.ts';

const rail = testRail();

const verdictOf = (answer: Answer) => [answer.status, answer.code, answer.json.error?.details?.[0]?.code];
const patch = (by: StaffActor, email: string, body: object) =>
  by.ask(`/v1/ops/staff/${email}`, { method: 'PATCH', body });
const decide = (by: StaffActor, name: string, verb: 'approve' | 'refuse') =>
  by.post(`/v1/ops/admin-grants/${name}:${verb}`, verb === 'refuse' ? { reason: 'Not needed' } : {});
const pending = async (by: StaffActor, staff: string) =>
  (await by.ask('/v1/ops/admin-grants?status=Pending')).data.find((one: { staff: string }) => one.staff === staff);
const isAdmin = async (who: StaffActor) => (await who.ask('/v1/work/whoami')).data.is_admin;

describe('making somebody an admin', () => {
  it('takes two: one admin asks, another approves, and it holds from the next request on', async () => {
    const [asker, other, clerk] = [
      await makeStaff(rail, 'admin'),
      await makeStaff(rail, 'admin'),
      await makeStaff(rail, 'clerk'),
    ];
    const asked = await patch(asker, clerk.email, { roles: ['clerk', 'admin'], reason: 'New head of office' });
    expect(asked.data).toMatchObject({ roles: ['clerk'], admin_pending: true });
    expect(await isAdmin(clerk)).toBe(false);
    const grant = await pending(other, clerk.email);
    expect(grant).toMatchObject({ status: 'Pending', asked_by: asker.email, asked_reason: 'New head of office' });
    expect(verdictOf(await decide(asker, grant.name, 'approve'))).toEqual([403, 'forbidden', 'grant_by_asker']);
    const approvals = await Promise.all([1, 2].map(() => decide(other, grant.name, 'approve')));
    expect(tally(approvals.map(({ status }) => status))).toEqual({ 200: 1, 422: 1 });
    expect(await isAdmin(clerk)).toBe(true);
    expect(verdictOf(await decide(other, grant.name, 'approve'))).toEqual([422, 'validation_failed', 'grant_decided']);
    const rows = await rail.rows<{ action: string; actor: string }>(
      sql`select action, actor from operator_audit where subject = ${clerk.email} and actor like '%@%' order by id`,
    );
    expect(rows).toEqual([
      { action: 'staff.update', actor: asker.email },
      { action: 'staff.approve_roles', actor: other.email },
    ]);
    expect(await mailedChanges(rail, clerk.email)).toEqual(['You are an admin of the rail now.']);
  });

  it('can be refused, by the asker too, and asked for again; other roles take it back', async () => {
    const [asker, clerk] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'clerk')];
    const ask = () => patch(asker, clerk.email, { roles: ['clerk', 'admin'] });
    await ask();
    await ask();
    const { name } = await pending(asker, clerk.email);
    expect((await decide(asker, name, 'refuse')).data).toMatchObject({
      status: 'Refused',
      decided_by: asker.email,
      decided_reason: 'Not needed',
    });
    expect(verdictOf(await decide(asker, name, 'refuse'))[2]).toBe('grant_decided');
    await ask();
    expect((await patch(asker, clerk.email, { roles: ['supervisor'] })).data.admin_pending).toBe(false);
    expect(await pending(asker, clerk.email)).toBeUndefined();
  });

  it('by an invitation, or by reactivating an admin, takes two as well', async () => {
    const [asker, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const email = `invited-${asker.email}`;
    const invited = await asker.post('/v1/ops/staff', { email, name: 'To be admin', roles: ['admin'] });
    expect(invited.data).toMatchObject({ roles: [], admin_pending: true, status: 'Invited' });
    const { name } = await pending(other, email);
    expect((await decide(other, name, 'approve')).data).toMatchObject({ status: 'Approved', staff: email });
    const token = await mailedToken(rail, email, 'invitation');
    const body = { token, password: 'four unrelated words sail' };
    expect((await rail.ask('/v1/work/invitations:accept', { body })).status).toBe(200);
    expect((await other.post(`/v1/ops/staff/${email}:deactivate`, { reason: 'Away' })).data.roles).toEqual(['admin']);
    const back = await other.post(`/v1/ops/staff/${email}:reactivate`, { reason: 'Back' });
    expect(back.data).toMatchObject({ roles: [], admin_pending: true, status: 'Active' });
  });

  it('401, 403 for whoever is no admin, 404; 422 for somebody who has left', async () => {
    const [asker, other, manager, clerk] = [
      await makeStaff(rail, 'admin'),
      await makeStaff(rail, 'admin'),
      await makeStaff(rail, 'system_manager'),
      await makeStaff(rail, 'clerk'),
    ];
    await patch(asker, clerk.email, { roles: ['clerk', 'admin'] });
    const { name } = await pending(other, clerk.email);
    expect((await rail.ask(`/v1/ops/admin-grants/${name}:approve`, { body: {} })).status).toBe(401);
    expect((await decide(manager, name, 'approve')).status).toBe(403);
    expect((await decide(manager, name, 'refuse')).status).toBe(403);
    expect((await decide(other, 'GRANT-2020-000001', 'approve')).status).toBe(404);
    expect((await decide(other, 'nothing', 'approve')).status).not.toBe(500);
    await asker.post(`/v1/ops/staff/${clerk.email}:deactivate`, { reason: 'Left' });
    expect(verdictOf(await decide(other, name, 'approve'))[0]).toBe(422);
  });
});

describe('the last admin', () => {
  const alone = testRail();

  it('stays: 422 to take away the role, and one of two who deactivate each other at the same time', async () => {
    const [one, two] = [await makeStaff(alone, 'admin'), await makeStaff(alone, 'admin')];
    const manager = await makeStaff(alone, 'system_manager');
    const gone = await Promise.all([
      one.post(`/v1/ops/staff/${two.email}:deactivate`, { reason: 'Me or them' }),
      two.post(`/v1/ops/staff/${one.email}:deactivate`, { reason: 'Me or them' }),
    ]);
    expect(gone.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await alone.count(sql`select 1 from staff where active and 'admin' = any(roles)`)).toBe(1);
    const [last] = await alone.rows<{ email: string }>(
      sql`select email from staff where active and 'admin' = any(roles)`,
    );
    expect((await manager.post(`/v1/ops/staff/${last!.email}:deactivate`, { reason: 'No' })).status).toBe(403);
    const machine = callOf(alone.rail, commandLine, 'a command');
    const id = last!.email;
    await expect(deactivateStaff(machine, { id, reason: 'All go' })).rejects.toThrow(/last active admin/);
    await expect(updateStaff(machine, { id, roles: ['clerk'] })).rejects.toThrow(/last active admin/);
  });
});
