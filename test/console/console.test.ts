import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { type Account, makeAccount, signIn } from '../harness/people/accounts.ts';
import { TWO_LINES_TOTAL, createConfirmed, draft, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

async function setting(): Promise<{ admin: StaffActor; account: Account }> {
  return { admin: await makeStaff(rail, 'system_manager', { added: true }), account: await makeAccount(rail) };
}

const audited = async (admin: StaffActor, subject: string) =>
  (await admin.ask(`/v1/ops/audit?subject=${subject}`)).data;

describe('/v1/ops/integrators', () => {
  it('lists with search and filters, and gets one; 404', async () => {
    const { admin, account } = await setting();
    const codes = async (query: string) =>
      (await admin.ask(`/v1/ops/integrators?${query}`)).data.map(({ code }: { code: string }) => code);
    expect(await codes(`q=${account.email.slice(0, 20).toUpperCase()}`)).toEqual([account.integrator]);
    expect(await codes(`q=${account.integrator.toLowerCase()}&status=Active&tier=sandbox`)).toEqual([
      account.integrator,
    ]);
    expect(await codes(`q=${account.integrator}&status=Suspended`)).toEqual([]);
    expect(await codes('q=%25')).toEqual([]);
    expect(await codes("q='")).toEqual([]);
    await rail.rows(
      sql`update integrator set organisation = 'Caisse d’Épargne Zoé' where code = ${account.integrator}`,
    );
    for (const q of ["d'epargne", 'D’ÉPARGNE', 'zoe\u0301'])
      expect(await codes(`q=${q}`), q).toEqual([account.integrator]);
    const first = await admin.ask('/v1/ops/integrators?limit=1');
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '');
    if (next) expect((await admin.ask(next[1]!)).data[0].code).not.toBe(first.data[0].code);
    expect((await admin.ask(`/v1/ops/integrators/${account.integrator}`)).data).toMatchObject({
      code: account.integrator,
      contact_name: 'Jo Doe',
      notes: null,
    });
    expect((await admin.ask('/v1/ops/integrators/NOBODY-ABCDEF')).status).toBe(404);
    expect((await admin.ask('/v1/ops/integrators?status=Gone')).status).toBe(422);
  });

  it('changes tier and notes, and nothing else; with an audit entry', async () => {
    const { admin, account } = await setting();
    const patch = (body: object) => admin.ask(`/v1/ops/integrators/${account.integrator}`, { method: 'PATCH', body });
    expect((await patch({ tier: 'live', notes: 'Signed', reason: 'Contract' })).data).toMatchObject({
      tier: 'live',
      notes: 'Signed',
    });
    expect((await patch({ notes: null })).data).toMatchObject({ tier: 'live', notes: null });
    await patch({});
    for (const body of [
      { status: 'Suspended' },
      { contact_email: 'x@example.com' },
      { tier: 'gold' },
      { notes: 'x'.repeat(4_001) },
    ])
      expect((await patch(body)).status).toBe(422);
    expect(await audited(admin, account.integrator)).toMatchObject([
      {
        action: 'integrator.amend',
        before: { tier: 'live', notes: 'Signed' },
        after: { tier: 'live', notes: null },
        reason: null,
      },
      {
        actor: admin.email,
        action: 'integrator.amend',
        before: { tier: 'sandbox', notes: null },
        after: { tier: 'live', notes: 'Signed' },
        reason: 'Contract',
      },
    ]);
  });

  it('suspends and reactivates; keys and sessions answer 401 in between', async () => {
    const { admin, account } = await setting();
    const cookie = await signIn(rail, account);
    const statuses = async () => [
      (await rail.ask('/v1/me', { key: account.key })).status,
      (await rail.ask('/v1/me', { headers: { cookie } })).status,
    ];
    const move = (action: string, body: object = { reason: 'Abuse' }) =>
      admin.post(`/v1/ops/integrators/${account.integrator}:${action}`, body);
    expect((await move('suspend', {})).status).toBe(422);
    expect((await move('reactivate')).status).toBe(422);
    expect((await move('suspend')).data).toMatchObject({ status: 'Suspended', suspended_reason: 'Abuse' });
    expect(await statuses()).toEqual([401, 401]);
    expect((await move('suspend')).status).toBe(422);
    expect((await move('reactivate', { reason: 'Explained' })).data).toMatchObject({
      status: 'Active',
      suspended_reason: null,
    });
    expect(await statuses()).toEqual([200, 200]);
    expect(
      (await audited(admin, account.integrator)).map(({ action, reason }: { action: string; reason: string }) => [
        action,
        reason,
      ]),
    ).toEqual([
      ['integrator.reactivate', 'Explained'],
      ['integrator.suspend', 'Abuse'],
    ]);
  });
});

describe('/v1/ops/keys', () => {
  it('issues with any scopes, lists, and revokes', async () => {
    const { admin, account } = await setting();
    const issue = (body: object) =>
      admin.post('/v1/ops/keys', {
        integrator: account.integrator,
        label: 'Audit',
        scopes: ['oversight.read'],
        ...body,
      });
    const { data } = await issue({});
    expect(data).toMatchObject({
      plaintext: expect.stringMatching(/^rail_/),
      key: { scopes: ['oversight.read'], integrator: account.integrator, issued_by: admin.email },
    });
    for (const body of [{ integrator: 'NOBODY-ABCDEF' }, { scopes: ['root'] }, { scopes: [] }, { label: '' }])
      expect((await issue(body)).status).toBe(422);
    const listed = (await admin.ask(`/v1/ops/keys?integrator=${account.integrator}`)).data;
    expect(listed.map(({ name, issued_by }: { name: string; issued_by: string | null }) => [name, issued_by])).toEqual([
      [data.key.name, admin.email],
      [account.keyName, null],
    ]);
    expect((await admin.ask(`/v1/ops/keys?integrator=${account.integrator}&status=revoked`)).data).toEqual([]);
    const revoked = await admin.post(`/v1/ops/keys/${account.keyName}:revoke`, { reason: 'Leaked' });
    expect(revoked.data).toMatchObject({ status: 'revoked', revoked_reason: 'Leaked' });
    expect((await rail.ask('/v1/me', { key: account.key })).status).toBe(401);
    expect((await admin.post('/v1/ops/keys/KEY-2020-000001:revoke', { reason: 'x' })).status).toBe(404);
    expect(await audited(admin, account.keyName)).toMatchObject([
      {
        name: expect.stringMatching(/^AUDIT-\d{4}-\d\d-\d{6,}$/),
        action: 'key.revoke',
        before: { status: 'active' },
        after: { status: 'revoked' },
        reason: 'Leaked',
      },
    ]);
    expect(JSON.stringify(await audited(admin, data.key.name))).not.toContain(data.plaintext);
  });
});

describe('/v1/ops/sessions', () => {
  it("lists and ends integrators' sessions too", async () => {
    const { admin, account } = await setting();
    const cookie = await signIn(rail, account);
    const [listed] = (await admin.ask(`/v1/ops/sessions?owner=${account.integrator}`)).data;
    expect(listed.name).toMatch(/^SESSION-[0-9a-f-]{36}$/);
    expect(listed).toMatchObject({ kind: 'integrator', owner: account.integrator, ended_at: null });
    const end = () => admin.post(`/v1/ops/sessions/${listed.name}:end`, { reason: 'Stolen' });
    expect((await end()).data.ended_at).toEqual(expect.any(String));
    expect((await rail.ask('/v1/me', { headers: { cookie } })).status).toBe(401);
    expect((await end()).status).toBe(200);
    expect(await audited(admin, listed.name)).toHaveLength(1);
    expect((await admin.ask(`/v1/ops/sessions?owner=${account.integrator}`)).data).toEqual([]);
    expect((await admin.ask(`/v1/ops/sessions?owner=${account.integrator}&ended=true`)).data).toHaveLength(1);
    expect((await admin.post('/v1/ops/sessions/nonsense:end', { reason: 'x' })).status).toBe(404);
  });
});

describe('/v1/ops/anomalies', () => {
  it('lists by state, kind and agency, and resolves once with a note', async () => {
    const { admin } = await setting();
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select 'ANOM-2026-11-9000' || n, 'late_collection', 'URA', '{URA}', 'medium', 'Open', 'PI-X-' || n,
        '{"amount": 5}', now() - n * interval '1 minute' from generate_series(10, 12) n`);
    const list = async (query: string) => (await admin.ask(`/v1/ops/anomalies?${query}`)).data;
    expect(await list('kind=late_collection&mda=URA&status=Open')).toMatchObject([
      { name: 'ANOM-2026-11-900010', evidence: { amount: 5 } },
      {},
      {},
    ]);
    expect(await list('kind=late_collection&limit=1&after=ANOM-2026-11-900010')).toMatchObject([
      { name: 'ANOM-2026-11-900011' },
    ]);
    const resolve = (body: object) => admin.post('/v1/ops/anomalies/ANOM-2026-11-900010:resolve', body);
    expect((await resolve({})).status).toBe(422);
    expect((await resolve({ note: 'Refunded' })).data).toMatchObject({
      status: 'Resolved',
      resolved_by: admin.email,
      resolution: 'Refunded',
    });
    expect((await resolve({ note: 'Again' })).status).toBe(422);
    expect(await list('kind=late_collection&status=Open')).toHaveLength(2);
    expect((await admin.post('/v1/ops/anomalies/ANOM-2020-01-000001:resolve', { note: 'x' })).status).toBe(404);
  });
});

describe('service notices', () => {
  it('are published by operators, and read by everyone until they are over', async () => {
    const { admin } = await setting();
    const publish = (body: object) =>
      admin.post('/v1/ops/notices', { title: 'Maintenance', body: 'On Sunday.', ...body });
    const { data } = await publish({ severity: 'warning', ends_at: '2099-01-01T00:00:00Z' });
    expect(data).toMatchObject({
      name: expect.stringMatching(/^NOTICE-\d{4}-\d{3,}$/),
      severity: 'warning',
      ends_at: '2099-01-01T00:00:00.000Z',
    });
    await publish({ title: 'Over', starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' });
    expect((await rail.ask('/v1/notices')).data.map(({ title }: { title: string }) => title)).toEqual(['Maintenance']);
    for (const body of [{ title: '' }, { severity: 'loud' }, { ends_at: '2020-01-01T00:00:00Z' }])
      expect((await publish(body)).status).toBe(422);
  });
});

describe('the operator audit', () => {
  it('has whatever supervisors cancel, with what was reversed and why, and not what integrators cancel of their own', async () => {
    const { admin } = await setting();
    const [supervisor, integrator] = [await makeStaff(rail, 'supervisor'), await makeActor(rail)];
    const paid = await createConfirmed(rail, integrator);
    const draftAlone = await draft(rail, integrator);
    await supervisor.post(`/v1/assessments/${paid.assessment}:cancel`, { reason: 'Paid twice' });
    await integrator.post(`/v1/assessments/${draftAlone}:cancel`, { reason: 'Not needed' });
    const events = sql`select 1 from payment_event where assessment = ${paid.assessment} and kind = 'reversal'`;
    expect(await audited(admin, paid.assessment)).toMatchObject([
      {
        actor: supervisor.email,
        action: 'assessment.cancel',
        before: { status: 'Paid', amount: TWO_LINES_TOTAL, currency: 'UGX' },
        after: { status: 'Cancelled', reversals: await rail.count(events) },
        reason: 'Paid twice',
      },
    ]);
    expect((await admin.ask('/v1/ops/audit?action=assessment.cancel')).data).toHaveLength(1);
    expect(await audited(admin, draftAlone)).toEqual([]);
  });

  it('cannot be rewritten, and carries the request; staff are listed', async () => {
    const { admin, account } = await setting();
    const { headers } = await admin.post(`/v1/ops/integrators/${account.integrator}:suspend`, { reason: 'x' });
    expect(await audited(admin, account.integrator)).toMatchObject([{ request_id: headers.get('x-request-id') }]);
    for (const statement of [
      'update operator_audit set actor = 1',
      'delete from operator_audit',
      'truncate operator_audit',
    ]) {
      await expect(rail.query(statement)).rejects.toThrow(/append-only/);
    }
    const staff = (await admin.ask('/v1/ops/staff')).data;
    expect(staff[0]).toEqual({
      email: admin.email,
      full_name: 'A system_manager',
      roles: ['system_manager'],
      agencies: [],
      active: true,
      status: 'Active',
      has_second_factor: false,
      has_authenticator_app: false,
      break_glass: false,
      admin_pending: false,
      pending_approval: null,
      invited_at: null,
      deactivated_at: null,
      deactivated_reason: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { name } = await rail.key('oversight.read');
    expect(await audited(admin, admin.email)).toMatchObject([
      { actor: 'command line', action: 'staff.add', after: { roles: ['system_manager'] } },
    ]);
    expect(await audited(admin, name)).toMatchObject([
      { actor: 'command line', action: 'key.issue', after: { scopes: ['oversight.read'] } },
    ]);
  });
});
