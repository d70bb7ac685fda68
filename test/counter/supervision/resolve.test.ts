import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { closeWith, expectMistake } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** A shift whose variance was raised as an anomaly. */
async function raised(clerk?: StaffActor): Promise<{ shift: string; anomaly: string }> {
  const { shift } = await closeWith(rail, -15_000, clerk);
  const [row] = await rail.rows<{ name: string }>(sql`select name from anomaly where subject = ${shift}`);
  return { shift, anomaly: row!.name };
}

const resolve = (who: StaffActor, anomaly: string, body: object) =>
  who.post(`/v1/ops/anomalies/${anomaly}:resolve`, body);
const shiftOf = async (shift: string) =>
  (await rail.rows(sql`select variance_status, variance_note from counter_shift where name = ${shift}`))[0];
const anomalyOf = async (anomaly: string) =>
  (await rail.rows(sql`select status, resolution from anomaly where name = ${anomaly}`))[0];
const actions = async (who: StaffActor, subject: string) =>
  (await who.ask(`/v1/ops/audit?subject=${subject}`)).data.map(({ action }: { action: string }) => action);

describe('an anomaly that is resolved with the variance that raised it', () => {
  it('200: both change in one request, each with its audit row, and once however often it is sent', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { shift, anomaly } = await raised();
    const body = { note: 'A till roll was found', variance: 'approve' };
    const key = { 'Idempotency-Key': `resolve-${anomaly}` };
    const first = await admin.post(`/v1/ops/anomalies/${anomaly}:resolve`, body, key);
    expect(first.data).toMatchObject({ name: anomaly, status: 'Resolved', resolution: 'A till roll was found' });
    expect(await shiftOf(shift)).toEqual({ variance_status: 'Approved', variance_note: 'A till roll was found' });
    expect(await actions(admin, shift)).toEqual(['variance.approve']);
    expect(await actions(admin, anomaly)).toEqual(['anomaly.resolve']);
    expect((await admin.post(`/v1/ops/anomalies/${anomaly}:resolve`, body, key)).data).toEqual(first.data);
    expect((await resolve(admin, anomaly, body)).status).toBe(422);
  });

  it('200: deciding the variance resolves its anomaly where that is asked for, and leaves it open elsewhere', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { shift, anomaly } = await raised();
    const body = { note: 'Not explained', resolve_anomaly: true };
    expect((await admin.post(`/v1/work/shifts/${shift}:reject`, body)).data.variance_status).toBe('Rejected');
    expect(await anomalyOf(anomaly)).toEqual({ status: 'Resolved', resolution: 'Not explained' });
    const left = await raised();
    await admin.post(`/v1/work/shifts/${left.shift}:approve`, {});
    expect(await anomalyOf(left.anomaly)).toEqual({ status: 'Open', resolution: null });
    // A variance that raised nothing has nothing to resolve.
    const { shift: small } = await closeWith(rail, -700);
    expect((await admin.post(`/v1/work/shifts/${small}:approve`, body)).status).toBe(200);
  });

  it('403: of one’s own shift, and to those who may do only one of both; nothing changes', async () => {
    const admin = await makeStaff(rail, 'admin', 'clerk');
    const own = await raised(admin);
    expect(await resolve(admin, own.anomaly, { note: 'Mine', variance: 'approve' })).toMatchObject({ status: 403 });
    const manager = await makeStaff(rail, 'system_manager');
    const supervisor = await makeStaff(rail, 'supervisor');
    const { shift, anomaly } = await raised();
    expect((await resolve(manager, anomaly, { note: 'x', variance: 'approve' })).status).toBe(403);
    const both = { note: 'x', resolve_anomaly: true };
    expect((await manager.post(`/v1/work/shifts/${shift}:approve`, both)).status).toBe(403);
    for (const one of [own, { shift, anomaly }]) {
      expect(await anomalyOf(one.anomaly)).toMatchObject({ status: 'Open' });
      expect(await shiftOf(one.shift)).toMatchObject({ variance_status: 'Pending' });
    }
    // Each alone, they may.
    expect((await supervisor.post(`/v1/work/shifts/${shift}:approve`, {})).status).toBe(200);
    expect((await resolve(manager, anomaly, { note: 'x' })).status).toBe(200);
  });

  it('200: a supervisor resolves the anomaly with the variance that they decide on', async () => {
    const supervisor = await makeStaff(rail, 'supervisor');
    const { shift, anomaly } = await raised();
    const body = { note: 'The bag was found', resolve_anomaly: true };
    expect((await supervisor.post(`/v1/work/shifts/${shift}:approve`, body)).status).toBe(200);
    expect(await anomalyOf(anomaly)).toEqual({ status: 'Resolved', resolution: 'The bag was found' });
    const own = await raised(supervisor);
    expect((await supervisor.post(`/v1/work/shifts/${own.shift}:approve`, body)).status).toBe(403);
    expect(await anomalyOf(own.anomaly)).toMatchObject({ status: 'Open' });
  });

  it('404, 422: of what there is not, of another kind, of what was decided or resolved before, and without a note', async () => {
    const admin = await makeStaff(rail, 'admin');
    const body = { note: 'x', variance: 'approve' };
    expect((await resolve(admin, 'ANOM-2020-01-000001', body)).status).toBe(404);
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      values ('ANOM-2026-11-900001', 'late_collection', 'URA', '{URA}', 'medium', 'Open', 'PI-X', '{}', now())`);
    const other = await resolve(admin, 'ANOM-2026-11-900001', body);
    expect(other.json.error.details).toMatchObject([{ path: 'variance', code: 'no_variance' }]);
    const { shift, anomaly } = await raised();
    expectMistake(await resolve(admin, anomaly, { variance: 'approve' }), 'note');
    expect((await resolve(admin, anomaly, { note: 'x', variance: 'escalate' })).status).toBe(422);
    expectMistake(await admin.post(`/v1/work/shifts/${shift}:approve`, { resolve_anomaly: true }), 'note');
    await admin.post(`/v1/work/shifts/${shift}:approve`, {});
    expect((await resolve(admin, anomaly, body)).json.error.details).toMatchObject([{ code: 'variance_decided' }]);
    expect(await anomalyOf(anomaly)).toMatchObject({ status: 'Open' });
    expect((await resolve(admin, anomaly, { note: 'Decided before' })).status).toBe(200);
  });

  it('is done once by many at a time, whichever way they go', async () => {
    const admins = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const { shift, anomaly } = await raised();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2
          ? resolve(admins[0]!, anomaly, { note: 'x', variance: 'approve' })
          : admins[1]!.post(`/v1/work/shifts/${shift}:reject`, { note: 'y', resolve_anomaly: true }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(7);
    expect(await actions(admins[0]!, shift)).toHaveLength(1);
    expect(await actions(admins[0]!, anomaly)).toHaveLength(1);
  });
});
