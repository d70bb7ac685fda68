import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { varianceLifecycle } from '../../../src/counter/shifts/lifecycle.ts';
import { makeAccount } from '../../harness/people/accounts.ts';
import { closeShift, closeWith, collectInShift, expectMistake, openShift } from '../../harness/people/counter.ts';
import { createAssessedFor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const decide = (who: Pick<StaffActor, 'post'>, shift: string, action: string, body: object = { note: 'Seen' }) =>
  who.post(`/v1/work/shifts/${shift}:${action}`, body);

describe('the review of a variance', () => {
  it('200: is listed for supervisors, and approved, rejected or escalated with a note', async () => {
    const supervisor = await makeStaff(rail, 'supervisor');
    const { shift, clerk } = await closeWith(rail, -700);
    const queue = `/v1/work/shifts?clerk=${encodeURIComponent(clerk.email)}`;
    expect((await supervisor.ask(`${queue}&variance_status=Pending`)).data).toMatchObject([
      { name: shift, variance: -700 },
    ]);
    expect((await decide(supervisor, shift, 'escalate', { note: 'Above me' })).data).toMatchObject({
      variance_status: 'Escalated',
      variance_note: 'Above me',
      variance_decided_by: supervisor.email,
    });
    const admin = await makeStaff(rail, 'admin');
    expect((await decide(admin, shift, 'approve', {})).data).toMatchObject({
      variance_status: 'Approved',
      variance_note: 'Above me',
      variance_decided_by: admin.email,
    });
    expect((await supervisor.ask(`${queue}&variance_status=Pending`)).data).toEqual([]);
    const entries = (await admin.ask(`/v1/ops/audit?subject=${shift}`)).data;
    expect(entries).toMatchObject([
      {
        actor: admin.email,
        action: 'variance.approve',
        before: { variance_status: 'Escalated' },
        after: { variance_status: 'Approved' },
      },
      { actor: supervisor.email, action: 'variance.escalate', reason: 'Above me' },
    ]);
  });

  for (const [action, { from }] of Object.entries(varianceLifecycle)) {
    it.each(['Pending', 'Approved', 'Rejected', 'Escalated', null])(`${action} of one that is %s`, async (state) => {
      const supervisor = await makeStaff(rail, 'supervisor');
      const { shift } = await closeWith(rail, state === null ? 0 : 500);
      if (state !== null)
        await rail.rows(
          sql`update counter_shift set variance_status = ${state}::variance_status where name = ${shift}`,
        );
      const allowed = (from as readonly (string | null)[]).includes(state);
      expect((await decide(supervisor, shift, action)).status).toBe(allowed ? 200 : 422);
    });
  }

  it('403: of a shift of one’s own, admins included; the database holds it too', async () => {
    const admin = await makeStaff(rail, 'admin', 'clerk', 'supervisor');
    const { shift } = await closeWith(rail, 500, admin);
    for (const action of Object.keys(varianceLifecycle))
      expect(await decide(admin, shift, action)).toMatchObject({ status: 403, code: 'forbidden' });
    await expect(
      rail.rows(sql`update counter_shift set variance_decided_by = clerk where name = ${shift}`),
    ).rejects.toThrow(/four_eyes/);
  });

  it('422: without a note, where one is needed; 404: no such shift', async () => {
    const supervisor = await makeStaff(rail, 'supervisor');
    const { shift } = await closeWith(rail, 500);
    for (const action of ['reject', 'escalate']) expectMistake(await decide(supervisor, shift, action, {}), 'note');
    expect((await decide(supervisor, 'SHIFT-2020-01-01-001', 'approve')).status).toBe(404);
    const open = await openShift(await makeStaff(rail, 'clerk'));
    expect((await decide(supervisor, open, 'approve')).status).toBe(422);
  });

  it('is decided once, by one of ten at a time', async () => {
    const { shift } = await closeWith(rail, 500);
    const supervisors = [await makeStaff(rail, 'supervisor'), await makeStaff(rail, 'supervisor')];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => decide(supervisors[i % 2]!, shift, i % 3 ? 'approve' : 'reject')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  });

  it('may be done by a key that operators granted supervision, its own successors included, and by no other', async () => {
    const { plaintext, name } = await rail.keyGranted({ supervises: ['URA'] }, 'assessments.write');
    const { plaintext: ungranted } = await rail.key('assessments.write');
    const { shift } = await closeWith(rail, 500);
    const path = `/v1/supervisor/shifts/${shift}:approve`;
    const { key: standard } = await makeAccount(rail);
    expect(await rail.ask(path, { key: standard, body: {} })).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await rail.ask(path, { key: ungranted, body: {} })).toMatchObject({ status: 403, code: 'forbidden' });
    const successor = (await rail.ask(`/v1/me/keys/${name}:rotate`, { key: plaintext, body: {} })).data.plaintext;
    expect((await rail.ask('/v1/supervisor/dashboard', { key: successor })).status).toBe(200);
    const further = (
      await rail.ask('/v1/me/keys', { key: successor, body: { label: 'x', scopes: ['assessments.write'] } })
    ).data.plaintext;
    expect((await rail.ask(path, { key: further, body: {} })).status).toBe(403);
    expect((await rail.ask(path, { key: successor, body: {} })).data.variance_status).toBe('Approved');
  });
});

describe('supervision by key', () => {
  it('is never picked up: a standard key does not get it by rotating a key that has it', async () => {
    const account = await makeAccount(rail);
    const granted = await issueKey(rail.rail, account, ['assessments.write'], 'Supervision', { supervises: ['*'] });
    const answer = await rail.ask(`/v1/me/keys/${granted.name}:rotate`, { key: account.key, body: {} });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await rail.ask('/v1/supervisor/dashboard', { key: account.key })).status).toBe(403);
  });

  it('is of the agencies that were granted: what is of others is not there', async () => {
    const { plaintext: key } = await rail.keyGranted({ supervises: ['KCCA'] }, 'assessments.write');
    const clerk = await makeStaff(rail, 'clerk');
    const { shift } = await closeWith(rail, 700, clerk);
    const [ofUra, ofKcca] = [await openShift(clerk), await openShift(clerk, { mda: 'KCCA' })];
    await collectInShift(rail, clerk, ofUra);
    const { assessment } = await createAssessedFor(rail, clerk, 'URA-TCC', { shift: ofUra });
    await clerk.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Changed their mind' });
    const { data, text } = await rail.ask('/v1/supervisor/dashboard', { key });
    expect(data.open_shifts.map(({ name }: { name: string }) => name)).toContain(ofKcca);
    expect(text).not.toContain('"URA"');
    for (const action of [...Object.keys(varianceLifecycle), 'cancel'])
      expect(
        (await rail.ask(`/v1/supervisor/shifts/${shift}:${action}`, { key, body: { note: 'x', reason: 'x' } })).status,
      ).toBe(404);
    // The list of reviews is for staff, on both surfaces.
    for (const query of ['{ shiftReviews { nodes { id } } }', `{ shiftReview(id: "${shift}") { id } }`])
      expect((await rail.ask('/graphql', { key, body: { query } })).json.errors).toMatchObject([
        { extensions: { code: 'unauthenticated' } },
      ]);
  });

  it('names who issued the key beside whose it is', async () => {
    const [admin, { integrator }] = [await makeStaff(rail, 'admin'), await makeAccount(rail)];
    const { shift } = await closeWith(rail, 500);
    const { plaintext: key, key: issued } = (await admin.post('/v1/ops/keys', supervising(integrator))).data;
    const { plaintext } = (await rail.ask(`/v1/me/keys/${issued.name}:rotate`, { key, body: {} })).data;
    const { data } = await rail.ask(`/v1/supervisor/shifts/${shift}:approve`, { key: plaintext, body: {} });
    expect(data.variance_decided_by).toBe(`${integrator} (key issued by ${admin.email})`);
  });

  it('403: of a shift of whoever issued the key, its successors included; the database holds it too', async () => {
    const [admin, { integrator }] = [await makeStaff(rail, 'admin'), await makeAccount(rail)];
    const { shift } = await closeWith(rail, 500, admin);
    const { plaintext: key, key: issued } = (await admin.post('/v1/ops/keys', supervising(integrator))).data;
    const { plaintext: successor } = (await rail.ask(`/v1/me/keys/${issued.name}:rotate`, { key, body: {} })).data;
    for (const one of [key, successor])
      expect(await rail.ask(`/v1/supervisor/shifts/${shift}:approve`, { key: one, body: {} })).toMatchObject({
        status: 403,
        code: 'forbidden',
      });
    await expect(
      rail.rows(sql`update counter_shift set variance_key_issued_by = clerk where name = ${shift}`),
    ).rejects.toThrow(/four_eyes/);
  });

  it('403: to whoever issued a key that the shift was worked with, themselves or by another key', async () => {
    const [admin, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const [counter, reviewer] = [await makeAccount(rail), await makeAccount(rail)];
    const { plaintext } = (
      await admin.post('/v1/ops/keys', { integrator: counter.integrator, label: 'Till', scopes: ['assessments.write'] })
    ).data;
    const till = { post: (path: string, body?: unknown) => rail.ask(path, { key: plaintext, body: body ?? {} }) };
    const shift = await openShift(till);
    await closeShift(till, shift, { cash_counted: 5, variance_reason: 'Found' });
    const { plaintext: key } = (await admin.post('/v1/ops/keys', supervising(reviewer.integrator))).data;
    expect(await decide(admin, shift, 'approve')).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await rail.ask(`/v1/supervisor/shifts/${shift}:approve`, { key, body: {} })).status).toBe(403);
    expect((await decide(other, shift, 'approve')).data.variance_decided_by).toBe(other.email);
  });

  const supervising = (integrator: string) => ({
    integrator,
    label: 'Supervision',
    scopes: ['assessments.write'],
    supervises: ['*'],
  });
});

describe('POST /v1/work/shifts/{name}:cancel', () => {
  it('200: an Open shift without collections; 422: any other', async () => {
    const [clerk, supervisor] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')];
    const empty = await openShift(clerk);
    const cancel = (shift: string, body: object = { reason: 'Opened by mistake' }) =>
      supervisor.post(`/v1/work/shifts/${shift}:cancel`, body);
    expectMistake(await cancel(empty, {}), 'reason');
    expect((await cancel(empty)).data).toMatchObject({
      status: 'Cancelled',
      cancel_reason: 'Opened by mistake',
      closed_at: expect.any(String),
    });
    expect((await cancel(empty)).status).toBe(422);
    const busy = await openShift(clerk);
    await collectInShift(rail, clerk, busy);
    expect((await cancel(busy)).status).toBe(422);
    expect((await cancel('SHIFT-2020-01-01-001')).status).toBe(404);
  });
});

describe('GET /v1/supervisor/dashboard', () => {
  it('200: open shifts, variances that wait, and today’s collections and cancellations; over GraphQL too', async () => {
    const [clerk, supervisor] = [await makeStaff(rail, 'clerk', 'supervisor'), await makeStaff(rail, 'supervisor')];
    const { shift: waiting } = await closeWith(rail, 900, clerk);
    const open = await openShift(clerk);
    const cash = await collectInShift(rail, clerk, open);
    const mobile = await collectInShift(rail, clerk, open, 'mtn_momo');
    const { assessment, amount } = await createAssessedFor(rail, clerk, 'URA-TCC', { shift: open });
    await clerk.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Changed their mind' });
    const { data } = await supervisor.ask('/v1/supervisor/dashboard');
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
    expect(names(data.open_shifts)).toContain(open);
    expect(names(data.pending_variances)).toContain(waiting);
    const mine = <Row extends { clerk: string }>(rows: Row[]) => rows.filter((row) => row.clerk === clerk.email);
    expect(mine(data.takings)).toEqual([
      { mda: 'URA', clerk: clerk.email, currency: 'UGX', cash: cash.amount, non_cash: mobile.amount, collections: 2 },
    ]);
    expect(mine(data.cancellations)).toMatchObject([
      { assessment, shift: open, mda: 'URA', amount, reason: 'Changed their mind' },
    ]);
    const query = { query: '{ supervisorDashboard { openShifts { name: id } takings { clerkId cash } } }' };
    const answer = await supervisor.post('/graphql', query);
    expect(names(answer.json.data.supervisorDashboard.openShifts)).toContain(open);
  });
});

describe('a clerk at the counter', () => {
  it('lists the Active agencies, and registers people as the authority knows them or by hand', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const mdas = (await clerk.ask('/v1/work/mdas')).data;
    expect(mdas.length).toBeGreaterThan(5);
    expect(new Set(mdas.map(({ status }: { status: string }) => status))).toEqual(new Set(['Active']));
    expect(Object.keys(mdas[0])).toEqual(['name', 'mda_name', 'interaction_mode', 'country', 'mda_type', 'status']);
    const known = await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCD' });
    expect(known.data).toMatchObject({
      created: true,
      source: 'nira',
      citizen: { verified: true },
      consent_event: expect.stringMatching(/^CONSENT-/),
    });
    expect((await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCD' })).data).toMatchObject({
      created: false,
      source: 'local',
    });
    expect((await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCX' })).status).toBe(404);
    const byHand = { nin: 'CM88888888ABCX', full_name: 'Akello Grace', phone: '+256700000009' };
    expect((await clerk.post('/v1/work/citizens', byHand)).data).toMatchObject({
      created: true,
      source: 'local',
      consent_event: null,
      citizen: { full_name: 'Akello Grace', verified: false },
    });
    expect((await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCE', full_name: 'X' })).status).toBe(502);
    expect((await clerk.post('/v1/work/citizens', { nin: '1' })).status).toBe(422);
  });
});
