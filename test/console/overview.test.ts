import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('GET /v1/ops/overview', () => {
  it('counts what needs a hand, each part by itself', async () => {
    const admin = await makeStaff(rail, 'admin');
    const read = async () => (await admin.ask('/v1/ops/overview')).data;
    expect(await read()).toEqual({
      open_anomalies: { high: 0, medium: 0, low: 0 },
      dead_propagations: 0,
      dead_deliveries: 0,
      unmatched_items: 0,
      pending_live_requests: 0,
      pending_account_changes: 0,
      pending_approvals: 0,
      lacking_approvers: null,
      // This list depends on the profiles that come with the rail.
      unavailable: expect.any(Array),
    });
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select 'ANOM-2026-11-90000' || n, 'late_collection', 'URA', '{URA}', case when n < 3 then 'high' else 'low' end,
        'Open', 'PI-X-' || n, '{}', now()
      from generate_series(1, 4) n`);
    await admin.post('/v1/ops/mdas/URA:change-account', { collection_account: 'UG-ACC-0001', reason: 'Moved' });
    await admin.post('/v1/ops/staff', { email: 'second@agency.example', name: 'Second', roles: ['admin'] });
    const statement =
      'External Transaction Id,Amount,Currency,Status,Id,Date\nPI-2020-01-000001,5,UGX,successful,T1,2026-01-01T00:00:00Z\n';
    for (let runs = 0; runs < 2; runs++)
      await admin.ask('/v1/ops/reconciliation/statements?provider=mtn_momo', {
        method: 'POST',
        body: statement,
        headers: { 'content-type': 'text/csv' },
      });
    expect(await read()).toMatchObject({
      // One of them is what the statement raised.
      open_anomalies: { high: 3, medium: 0 },
      unmatched_items: 1,
      pending_account_changes: 1,
      pending_approvals: 1,
    });
  });

  it('is for operators: 401, 403', async () => {
    expect((await rail.ask('/v1/ops/overview')).status).toBe(401);
    expect((await (await makeStaff(rail, 'clerk')).ask('/v1/ops/overview')).status).toBe(403);
  });
});
