import { describe, expect, it } from 'vitest';
import { applyAccountChanges } from '../../../src/collection/catalogue/accounts/apply.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { LIVE } from '../../harness/live.ts';
import { makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail(LIVE);

const applyDue = () => applyAccountChanges(callOf(rail.rail, actAsSystem('job'), 'test'));

async function accountOf(mda: string): Promise<string> {
  const [row] = await rail.rows<{ account: string }>(
    sql`select collection_account as account from mda where name = ${mda}`,
  );
  return row!.account;
}

/** A change of an agency's account that one operator asked for and another approved. */
async function approveChange(mda: string, account: string) {
  const [asker, approver] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
  const body = { collection_account: account, reason: 'Moved to another bank' };
  const asked = await asker.post(`/v1/ops/mdas/${mda}:change-account`, body);
  const path = `/v1/ops/account-changes/${asked.data.name}`;
  return { asker, approver, path, approved: await approver.post(`${path}:approve`) };
}

describe('the account of an agency on a live rail', () => {
  it('takes effect a day after approval, and not before', async () => {
    const before = await accountOf('URA');
    const { approved, path, approver, asker } = await approveChange('URA', 'NEW-ACCOUNT-0001');
    const at = new Date(approved.data.decided_at).getTime();
    expect(approved.data).toMatchObject({ status: 'Approved', applied_at: null });
    expect(new Date(approved.data.effective_at).getTime() - at).toBe(24 * 3_600_000);
    expect(await applyDue()).toBe(0);
    expect(await accountOf('URA')).toBe(before);
    // Nobody asks for another one meanwhile.
    const again = await asker.post('/v1/ops/mdas/URA:change-account', { collection_account: 'OTHER', reason: 'x' });
    expect(again.json.error.details[0].code).toBe('account_change_pending');
    rail.advance(24);
    expect(await applyDue()).toBe(1);
    expect(await applyDue()).toBe(0);
    expect(await accountOf('URA')).toBe('NEW-ACCOUNT-0001');
    rail.advance(-24);
    const late = await approver.post(`${path}:refuse`, { reason: 'Too late' });
    expect(late.json.error.details[0].code).toBe('account_change_decided');
  });

  it('can be stopped within that day', async () => {
    const before = await accountOf('KCCA');
    const { path, asker } = await approveChange('KCCA', 'NEW-ACCOUNT-0002');
    const other = await makeStaff(rail, 'admin');
    const refused = await other.post(`${path}:refuse`, { reason: 'The agency knows nothing of it' });
    expect(refused.data).toMatchObject({ status: 'Refused', effective_at: null, decided_by: other.email });
    rail.advance(25);
    expect(await applyDue()).toBe(0);
    rail.advance(-25);
    expect(await accountOf('KCCA')).toBe(before);
    const next = await asker.post('/v1/ops/mdas/KCCA:change-account', { collection_account: 'OTHER', reason: 'x' });
    expect(next.status).toBe(200);
  });

  it('is announced to all admins and to the finance officers of the agency, and flagged', async () => {
    const officer = await makeStaffOf(rail, ['URSB'], 'finance_officer');
    const elsewhere = await makeStaffOf(rail, ['KCCA'], 'finance_officer');
    const { asker, approver, approved } = await approveChange('URSB', 'NEW-ACCOUNT-0003');
    const letters = await rail.rows<{ id: string; staff: string; sealed: Buffer }>(
      sql`select id, staff, sealed from mail where kind = 'staff/account_changed' and created_at >= ${new Date(approved.data.decided_at)}`,
    );
    const texts = new Map(letters.map(({ id, staff, sealed }) => [staff, rail.rail.vault.open('mail', id, sealed)]));
    expect([...texts.keys()]).toEqual(expect.arrayContaining([asker.email, officer.email]));
    expect([...texts.keys()]).not.toContain(elsewhere.email);
    expect(texts.get(officer.email)).toContain(`${approver.email} approved the collection account of URSB`);
    expect(texts.get(officer.email)).toContain('ending in 0003');
    expect([...texts.values()].join()).not.toContain('NEW-ACCOUNT');
    const [found] = (await asker.ask('/v1/ops/anomalies?kind=account_changed')).data;
    expect(found).toMatchObject({ severity: 'high', mda: 'URSB', evidence: { to_last4: '0003' } });
  });
});
