import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { approveAlone } from '../../src/collection/approvals/break-glass.ts';
import { expireApprovals } from '../../src/collection/approvals/expire.ts';
import { APPROVAL_KINDS } from '../../src/collection/approvals/kinds.ts';
import type { Role } from '../../src/platform/access/needs.ts';
import { actAsSystem, commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { sizeOf } from '../harness/chaos/size.ts';
import { tally } from '../harness/chaos/tally.ts';
import { createAssessedFor } from '../harness/flow.ts';
import { LIVE } from '../harness/live.ts';
import { askForToken, makeAgency, makePair, signAssertion } from '../harness/people/agency.ts';
import { closeWith, collectInShift, openShift } from '../harness/people/counter.ts';
import { makeTrialAccount } from '../harness/people/going-live.ts';
import { RELATIONS } from '../harness/people/relations.ts';
import { addStaff } from '../../src/identity/members/add.ts';
import { inviteStaff } from '../../src/identity/members/invite.ts';
import { deactivateStaff, reactivateStaff } from '../../src/identity/members/leave.ts';
import { updateStaff } from '../../src/identity/members/update.ts';
import { type StaffActor, enterStaff, mailedChanges, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { type Answer, testRail } from '../harness/rail.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-approvals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PAYBILL = {
  form: 'mpesa_c2b',
  name: 'paybill',
  country: 'KE',
  currencies: ['KES'],
  channels: ['ussd'],
  url: 'https://127.0.0.1:9',
  short_code: '600984',
  consumer_key: 'a-key',
  consumer_secret: 'a-secret',
};
writeFileSync(join(folder, 'connections.json'), JSON.stringify({ billers: [PAYBILL] }));
const rail = testRail({ ...LIVE, SMTP_URL: 'smtp://127.0.0.1:9', CONNECTIONS: join(folder, 'connections.json') });

const someone = () => `${randomUUID()}@agency.example`;
const verdictOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];
const expectOk = (answer: Answer) => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
};
const approve = (by: StaffActor, name: string) => by.post(`/v1/ops/approvals/${name}:approve`);
const refuse = (by: StaffActor, name: string) => by.post(`/v1/ops/approvals/${name}:refuse`, { reason: 'Not needed' });
const patch = (by: StaffActor, email: string, body: object) =>
  by.ask(`/v1/ops/staff/${email}`, { method: 'PATCH', body });
const rolesOf = async (by: StaffActor, email: string): Promise<Role[]> =>
  expectOk(await by.ask(`/v1/ops/staff/${email}`)).roles;

const isLive = (integrator: string) =>
  rail.count(sql`select 1 from integrator where code = ${integrator} and tier = 'live'`).then((found) => found === 1);

/** A request that waits for approval, and a check of its effect. */
interface Asked {
  readonly name: string;
  holds(): Promise<boolean>;
}

interface Grant {
  readonly name: string;
  readonly kind: keyof typeof APPROVAL_KINDS;
  ask(by: StaffActor): Promise<Asked>;
}

const TAKE_TWO: readonly Role[] = ['clerk', 'supervisor', 'finance_officer', 'system_manager', 'admin'];

/** The approval that a subject waits for. */
const waitingFor = async (by: StaffActor, wanted: string) =>
  expectOk(await by.ask('/v1/ops/approvals?status=Pending&limit=200')).find(
    ({ subject }: { subject: string }) => subject === wanted,
  );

/** The approval that waits for an address. */
const askedFor = async (by: StaffActor, url: string) =>
  expectOk(await by.ask('/v1/ops/approvals?kind=endpoint&status=Pending&limit=200')).find(
    ({ proposal }: { proposal: { url: string } }) => proposal.url === url,
  );

const ENDPOINTS = '/v1/ops/webhook-endpoints';
let endpoints = 0;

/** Ten endpoints of operators have a place; tests before this one took some. */
beforeEach(async () => {
  await rail.rows(sql`
    update webhook_endpoint set place = null, url = null where integrator = 'COUNTERS-OFFICE' and place > 0`);
});

/** An endpoint of operators as two have approved it. */
async function makeEndpoint(): Promise<string> {
  const name = `EP-2020-${String(++endpoints).padStart(6, '0')}`;
  await rail.rows(sql`
    with account as (
      insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status, email_verified,
        scopes, created_at, updated_at)
      values ('COUNTERS-OFFICE', 'Operators', 'no address', 'Operators', 'live', 'free', 'Active', true, '{}', now(), now())
      on conflict (code) do nothing)
    insert into webhook_endpoint (name, integrator, place, label, url, types, agencies, secret, secret_at, created_at, updated_at)
    select ${name}, 'COUNTERS-OFFICE', min(place), 'Ours', 'https://example.com/ours', '{payment_intent.*}', '{URA}', 'sealed',
      now(), now(), now()
    from generate_series(1, 9) place where place not in (
      select e.place from webhook_endpoint e where e.integrator = 'COUNTERS-OFFICE' and e.place is not null)`);
  return name;
}

/** Grants to a key that need two people. */
const OF_KEYS: Readonly<Record<string, object>> = {
  counters: { counters: ['URA'] },
  supervises: { supervises: ['*'] },
  'payments.split': { scopes: ['catalogue.read', 'payments.initiate', 'payments.split'] },
  manages_account: { manages_account: true },
};

/** Every grant that takes two people on a live rail. */
const GRANTS: readonly Grant[] = [
  {
    name: 'going live, as requested',
    kind: 'live',
    ask: async (by) => {
      const { integrator, key } = await makeTrialAccount(rail);
      const body = { agencies: ['URA'], channels: ['cash'] };
      const { name: request } = expectOk(await rail.ask('/v1/me:request-live', { key, body }));
      const { status, pending_approval: approval } = expectOk(
        await by.post(`/v1/ops/live-requests/${request}:approve`),
      );
      expect(status).toBe('Pending');
      return { name: approval.name, holds: () => isLive(integrator) };
    },
  },
  {
    name: 'a fee at once, beyond a tenth',
    kind: 'fee',
    ask: async (by) => {
      const fees = () =>
        rail.rows<{ name: string; fee: number }>(
          sql`select name, fee_amount::float8 as fee from service where name is not null order by name limit 1`,
        );
      const [{ name, fee } = { name: '', fee: 0 }] = await fees();
      const body = { fee_amount: 2 * fee, reason: 'The budget' };
      const asked = expectOk(await by.ask(`/v1/ops/services/${name}`, { method: 'PATCH', body }));
      return { name: asked.pending_approval.name, holds: async () => (await fees())[0]!.fee === 2 * fee };
    },
  },
  {
    name: 'a reversal',
    kind: 'reversal',
    ask: async (by) => {
      const clerk = await makeStaff(rail, 'clerk');
      const { assessment, amount } = await collectInShift(rail, clerk, await openShift(clerk));
      const asked = expectOk(await by.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Taken twice' }));
      const { name, proposal } = asked.pending_approval;
      expect(proposal).toEqual({ amount: String(amount), currency: 'UGX' });
      const statusOf = async () => expectOk(await by.ask(`/v1/assessments/${assessment}`)).status as string;
      expect([asked.status, await statusOf()]).toEqual(['Paid', 'Paid']);
      return { name, holds: async () => (await statusOf()) === 'Cancelled' };
    },
  },
  {
    name: 'a replacement by instalments',
    kind: 'replacement',
    ask: async (by) => {
      const { assessment } = await createAssessedFor(rail, await makeStaff(rail, 'supervisor'), 'URA-PAYE');
      const instalments = { count: 2, first_due_on: '2030-01-31', every: 'month' };
      const body = { reason: 'Agreed', instalments };
      const asked = expectOk(await by.post(`/v1/assessments/${assessment}:replace`, body));
      const { name, proposal } = asked.pending_approval;
      expect([asked.status, proposal.new_amount, proposal.last_due_on]).toEqual(['Assessed', '450000', '2030-02-28']);
      const born = () => rail.count(sql`select 1 from assessment where replaces = ${assessment}`);
      return { name, holds: async () => (await born()) === 2 };
    },
  },
  {
    name: 'a refund',
    kind: 'refund',
    ask: async (by) => {
      const clerk = await makeStaff(rail, 'clerk');
      const { intent } = await collectInShift(rail, clerk, await openShift(clerk));
      const refund = { intent, amount: 5, reason_code: 'overpaid' };
      const { name: subject } = expectOk(await by.post('/v1/refunds', refund));
      const statusOf = async () => expectOk(await by.ask(`/v1/refunds/${subject}`)).status as string;
      expect(await statusOf()).toBe('Requested');
      const { name } = await waitingFor(by, subject);
      return { name, holds: async () => (await statusOf()) === 'Approved' };
    },
  },
  {
    name: 'a refund to another payee, which somebody approved already',
    kind: 'refund_payee',
    ask: async (by) => {
      const clerk = await makeStaff(rail, 'clerk');
      const { intent } = await collectInShift(rail, clerk, await openShift(clerk));
      const another = { intent, amount: 5, reason_code: 'overpaid', payee_hint: 'The heirs', note: 'The payer died' };
      const { name: subject } = expectOk(await (await makeStaff(rail, 'finance_officer')).post('/v1/refunds', another));
      expectOk(await by.post(`/v1/ops/approvals/${(await waitingFor(by, subject)).name}:approve`));
      const { name } = await waitingFor(by, subject);
      const statusOf = async () => expectOk(await by.ask(`/v1/refunds/${subject}`)).status as string;
      return { name, holds: async () => (await statusOf()) === 'Approved' };
    },
  },
  {
    name: 'money that paid nothing',
    kind: 'money',
    ask: async (by) => {
      const [money] = await rail.rows<{ name: string }>(sql`
        insert into money_received (name, provider, txn_id, kind, amount, currency, channel, received_at, created_at)
        select 'MON-2020-01-' || lpad((count(*) + 1)::text, 6, '0'), 'bank', gen_random_uuid(), 'unknown_reference', 5, 'UGX', 'bank', now(), now()
        from money_received returning name`);
      const closing = { as: 'transferred', amount: 5, reason: 'Sent back' };
      expectOk(await by.post(`/v1/ops/money-received/${money!.name}:close`, closing));
      const { name } = await waitingFor(by, money!.name);
      return { name, holds: async () => expectOk(await by.ask(`/v1/ops/money-received/${money!.name}`)).open === 0 };
    },
  },
  {
    name: 'an exemption',
    kind: 'exemption',
    ask: async (by) => {
      const [{ name: citizen } = { name: '' }] = await rail.rows<{ name: string }>(sql`
        insert into citizen (name, nin, full_name, search_text, verified, created_at, updated_at)
        values ('CITIZEN-2099-000001', 'CMEXEMPT', 'Ann Exempt', 'ann exempt', false, now(), now())
        on conflict (name) do update set updated_at = now() returning name`);
      const body = {
        citizen,
        percent: 12.5,
        ground: 'refugee',
        document_hash: 'ab'.repeat(32),
        valid_from: '2026-01-01',
        valid_to: '2026-12-31',
      };
      const { name, subject } = expectOk(await by.post('/v1/agency/URA/exemptions', body));
      const rowOf = () =>
        rail.rows(sql`select percent::text, uses_left, status from exemption where name = ${subject}`);
      return {
        name,
        holds: async () => {
          const rows = await rowOf();
          if (rows.length > 0) expect(rows).toEqual([{ percent: '12.5000', uses_left: null, status: 'Approved' }]);
          return rows.length === 1;
        },
      };
    },
  },
  {
    name: 'a payment that M-Pesa can no longer be asked about',
    kind: 'claim',
    ask: async (by) => {
      const txn = randomUUID().replaceAll('-', '');
      await rail.rows(sql`
        insert into payment_claim (provider, txn_id, paid_at, received_at)
        values ('paybill', ${txn}, now() - interval '4 days', now() - interval '4 days')`);
      const lines = [
        'Receipt No.,Paid In,Transaction Status,Completion Time,A/C No.',
        `${txn},5,Completed,2026-11-01 10:00:00,X`,
      ];
      const options = { body: `${lines.join('\n')}\n`, headers: { 'content-type': 'text/csv' } };
      expectOk(await by.ask('/v1/ops/reconciliation/statements?provider=paybill', options));
      await rail.rows(sql`update payment_claim set ask_at = null where txn_id = ${txn}`);
      const [asked] = expectOk(await by.ask('/v1/ops/approvals?kind=claim&status=Pending&limit=200')).filter(
        ({ subject }: { subject: string }) => subject === `paybill:${txn}`,
      );
      const holds = () => rail.count(sql`select from payment_claim where txn_id = ${txn} and ask_at is not null`);
      return { name: asked.name, holds: async () => (await holds()) === 1 };
    },
  },
  {
    name: 'a live tier',
    kind: 'live',
    ask: async (by) => {
      const { integrator } = await makeTrialAccount(rail);
      const path = `/v1/ops/integrators/${integrator}`;
      const amended = expectOk(await by.ask(path, { method: 'PATCH', body: { tier: 'live', notes: 'Trusted' } }));
      expect([amended.tier, amended.notes]).toEqual(['sandbox', 'Trusted']);
      return { name: amended.pending_approval.name, holds: () => isLive(integrator) };
    },
  },
  ...Object.entries(OF_KEYS).map(([name, given]): Grant => ({
    name: `a key with ${name}`,
    kind: 'key',
    ask: async (by) => {
      const { integrator } = await rail.key('catalogue.read');
      const asked = { integrator, label: 'Asked for', scopes: ['catalogue.read'], ...given };
      const { key, plaintext } = expectOk(await by.post('/v1/ops/keys', asked));
      expect([key.status, key.pending_approval.proposal.integrator]).toEqual(['waiting', integrator]);
      const holds = async () => (await rail.ask('/v1/me', { key: plaintext })).status === 200;
      return { name: key.pending_approval.name, holds };
    },
  })),
  {
    name: 'a key of an agency',
    kind: 'agency_key',
    ask: async (by) => {
      const pair = await makePair();
      const body = { mda: 'URA', label: 'Asked for', scopes: ['assessments.read'], public_key: pair.jwk };
      const { name, status, thumbprint } = expectOk(await by.post('/v1/ops/agency-keys', body));
      expect(status).toBe('waiting');
      const { name: approval, proposal } = await waitingFor(by, name);
      expect(proposal).toMatchObject({ agency: 'URA', scopes: ['assessments.read'], thumbprint });
      return {
        name: approval,
        holds: async () => (await askForToken(rail, await signAssertion(rail, 'URA', pair))).status === 200,
      };
    },
  },
  {
    name: 'the replacement of a key of an agency',
    kind: 'agency_key',
    ask: async (by) => {
      const { key } = await makeAgency(rail, 'URA');
      const pair = await makePair();
      const body = { public_key: pair.jwk, grace_hours: 2 };
      const rolled = expectOk(await by.post(`/v1/ops/agency-keys/${key}:roll`, body));
      expect([rolled.key.status, rolled.previous.status]).toEqual(['waiting', 'active']);
      const statusOf = () => rail.rows<{ status: string }>(sql`select status from agency_key where name = ${key}`);
      return {
        name: (await waitingFor(by, rolled.key.name)).name,
        holds: async () => {
          const works = (await askForToken(rail, await signAssertion(rail, 'URA', pair))).status === 200;
          expect(await statusOf()).toEqual([{ status: works ? 'rolling' : 'active' }]);
          return works;
        },
      };
    },
  },
  {
    name: 'more cash at an agency',
    kind: 'cash',
    ask: async (by) => {
      await rail.rows(sql`update mda set cash_limit = 1000, shift_cash_limit = null where name = 'NIRA'`);
      const body = { cash_limit: 9e12, district: 'Kampala' };
      const amended = expectOk(await by.ask('/v1/ops/mdas/NIRA', { method: 'PATCH', body }));
      expect([amended.cash_limit, amended.district]).toEqual([1000, 'Kampala']);
      const holds = () => rail.count(sql`select from mda where name = 'NIRA' and cash_limit = ${9e12}`);
      return { name: (await waitingFor(by, 'NIRA')).name, holds: async () => (await holds()) === 1 };
    },
  },
  {
    name: 'another address of the default endpoint',
    kind: 'endpoint',
    ask: async (by) => {
      const path = '/v1/ops/default-endpoint';
      const former = expectOk(await by.ask(path)).url;
      const url = `https://example.com/${randomUUID()}`;
      expect(expectOk(await by.ask(path, { method: 'PUT', body: { url } })).url).toBe(former);
      const { name, proposal } = await askedFor(by, url);
      expect(proposal).toEqual({ url, types: ['*'], agencies: ['*'], label: 'default' });
      return { name, holds: async () => expectOk(await by.ask(path)).url === url };
    },
  },
  {
    name: 'another endpoint of operators',
    kind: 'endpoint',
    ask: async (by) => {
      const url = `https://example.com/${randomUUID()}`;
      const body = { url, types: ['payment_intent.*'], agencies: ['URA'] };
      const { name: endpoint, status } = expectOk(await by.post(ENDPOINTS, body));
      expect(status).toBe('none');
      const { name, subject, proposal } = await askedFor(by, url);
      expect([subject, proposal]).toEqual([endpoint, { ...body, label: 'example.com' }]);
      const isThere = async () => (await by.ask(`${ENDPOINTS}/${endpoint}`)).status === 200;
      return {
        name,
        holds: async () => {
          const there = await isThere();
          // One at most of those that are tried has a place.
          if (there) expectOk(await by.ask(`${ENDPOINTS}/${endpoint}`, { method: 'DELETE' }));
          return there;
        },
      };
    },
  },
  ...Object.entries({ url: 'https://example.com/elsewhere', types: [], agencies: ['URA', 'KCCA'] }).map(
    ([member, wider]): Grant => ({
      name: `other ${member} of an endpoint of operators`,
      kind: 'endpoint',
      ask: async (by) => {
        const path = `${ENDPOINTS}/${await makeEndpoint()}`;
        const amended = expectOk(await by.ask(path, { method: 'PATCH', body: { [member]: wider } }));
        expect(amended[member]).not.toEqual(wider);
        const { name } = await waitingFor(by, amended.name);
        const holds = async () => {
          const given = JSON.stringify(expectOk(await by.ask(path))[member]) === JSON.stringify(wider);
          if (given) expectOk(await by.ask(path, { method: 'DELETE' }));
          return given;
        };
        return { name, holds };
      },
    }),
  ),
  ...Object.entries({
    pricing_tier: 'premium',
    allowed_agencies: ['*'],
    allowed_channels: ['mtn_momo', 'cash'],
    limit_per_minute: 100_000,
  }).map(([member, wider]): Grant => ({
    name: `${member} of a live account`,
    kind: 'live',
    ask: async (by) => {
      const { integrator } = await makeTrialAccount(rail);
      await rail.rows(sql`
          update integrator set tier = 'live', allowed_agencies = '{URA,KCCA}', allowed_channels = '{mtn_momo}',
            limit_per_minute = 100 where code = ${integrator}`);
      const path = `/v1/ops/integrators/${integrator}`;
      const body = { [member]: wider, notes: 'Bigger' };
      const before = expectOk(await by.ask(path));
      const amended = expectOk(await by.ask(path, { method: 'PATCH', body }));
      expect([amended[member], amended.notes]).toEqual([before[member], 'Bigger']);
      const holds = async () => String(expectOk(await by.ask(path))[member]) === String(wider);
      return { name: amended.pending_approval.name, holds };
    },
  })),
  {
    name: 'more agencies for a supervisor',
    kind: 'roles',
    ask: async (by) => {
      const { email } = await makeStaffOf(rail, ['URA'], 'supervisor');
      const path = `/v1/ops/staff/${email}`;
      const { agencies, pending_approval: asked } = expectOk(await patch(by, email, { agencies: [] }));
      expect([agencies, asked.proposal]).toEqual([['URA'], { roles: ['supervisor'], agencies: ['*'] }]);
      return { name: asked.name, holds: async () => expectOk(await by.ask(path)).agencies.length === 0 };
    },
  },
  ...TAKE_TWO.map((role): Grant => ({
    name: `an invitation as ${role}`,
    kind: 'roles',
    ask: async (by) => {
      const email = someone();
      const invited = expectOk(await by.post('/v1/ops/staff', { email, name: 'Invited', roles: ['oversight', role] }));
      expect(invited.roles).toEqual(['oversight']);
      expect(invited.pending_approval.proposal).toEqual({ roles: [role], agencies: ['*'] });
      return { name: invited.pending_approval.name, holds: async () => (await rolesOf(by, email)).includes(role) };
    },
  })),
  ...TAKE_TWO.map((role): Grant => ({
    name: `the role ${role}`,
    kind: 'roles',
    ask: async (by) => {
      const { email } = await makeStaff(rail, 'auditor');
      const changed = expectOk(await patch(by, email, { roles: ['auditor', role], reason: 'Promoted' }));
      expect(changed.roles).toEqual(['auditor']);
      return { name: changed.pending_approval.name, holds: async () => (await rolesOf(by, email)).includes(role) };
    },
  })),
  ...TAKE_TWO.map((role): Grant => ({
    name: `the reactivation of a ${role}`,
    kind: 'roles',
    ask: async (by) => {
      const { email } = await enterStaff(rail, someone(), ['auditor', role]);
      expectOk(await by.post(`/v1/ops/staff/${email}:deactivate`, { reason: 'Away' }));
      const back = expectOk(await by.post(`/v1/ops/staff/${email}:reactivate`, { reason: 'Back' }));
      expect(back.roles).toEqual(['auditor']);
      return { name: back.pending_approval.name, holds: async () => (await rolesOf(by, email)).includes(role) };
    },
  })),
];

/** Grants tried by each kind of approver: one of each kind, all of them in the long run. */
const TRIED = sizeOf({
  fast: [...Map.groupBy(GRANTS, ({ kind }) => kind).values()].map(([grant]) => grant!),
  long: GRANTS,
});

describe('on a live rail', () => {
  it('every kind of approval is tried', () => {
    expect([...new Set(GRANTS.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(APPROVAL_KINDS).toSorted());
  });

  describe.each(RELATIONS)('somebody who is $name', (relation) => {
    it(`${relation.independent ? 'approves' : 'does not approve'} what the other asked for`, async () => {
      const [asker, approver] = await relation.make(rail, 'admin');
      for (const grant of TRIED) {
        const { name, holds } = await grant.ask(asker);
        expect([grant.name, await holds()]).toEqual([grant.name, false]);
        const verdict = verdictOf(await approve(approver, name));
        const own = asker.email === approver.email ? 'approval_by_asker' : 'not_independent';
        expect([grant.name, ...verdict]).toEqual([
          grant.name,
          ...(relation.independent ? [200, undefined] : [403, own]),
        ]);
        expect([grant.name, await holds()]).toEqual([grant.name, relation.independent]);
        if (!relation.independent) expectOk(await refuse(asker, name));
      }
    });
  });
});

describe('a finance officer', () => {
  it('sees what is asked for of their agencies, and decides on none of it; nobody sees what is about people', async () => {
    const admin = await makeStaff(rail, 'admin');
    const [service] = await rail.rows<{ name: string; fee: number }>(
      sql`select name, fee_amount::float8 as fee from service where code = 'URA-TCC'`,
    );
    const body = { fee_amount: service!.fee * 2, reason: 'The budget' };
    expectOk(await admin.ask(`/v1/ops/services/${service!.name}`, { method: 'PATCH', body }));
    const email = someone();
    expectOk(await admin.post('/v1/ops/staff', { email, name: 'New', roles: ['supervisor'], agencies: ['URA'] }));
    const seen = async (by: StaffActor) =>
      (expectOk(await by.ask('/v1/ops/approvals?limit=200')) as { name: string; kind: string; subject: string }[])
        .filter(({ subject }) => [service!.name, email].includes(subject))
        .map(({ kind }) => kind);
    expect((await seen(admin)).toSorted()).toEqual(['fee', 'roles']);
    for (const agencies of [['URA'], []])
      expect(await seen(await makeStaffOf(rail, agencies, 'finance_officer'))).toEqual(['fee']);
    const officer = await makeStaffOf(rail, ['KCCA'], 'finance_officer');
    expect(await seen(officer)).toEqual([]);
    const { data } = await admin.ask('/v1/ops/approvals?kind=fee&status=Pending');
    expect((await approve(await makeStaff(rail, 'finance_officer'), data[0].name)).status).toBe(403);
    await refuse(admin, data[0].name);
  });
});

describe('one operator alone, with people of their own making', () => {
  const invite = async (by: StaffActor, ...roles: Role[]) => {
    const email = someone();
    return expectOk(await by.post('/v1/ops/staff', { email, name: 'Their own', roles }));
  };

  it('makes no clerk and supervisor who pass each other what is missing', async () => {
    const manager = await makeStaff(rail, 'system_manager');
    const clerk = await invite(manager, 'clerk', 'supervisor');
    const supervisor = await invite(manager, 'supervisor');
    expect([clerk.roles, supervisor.roles]).toEqual([[], []]);
    // Not even where somebody else has given them the roles.
    const [one, other] = [
      await enterStaff(rail, clerk.email, ['clerk']),
      await enterStaff(rail, supervisor.email, ['supervisor']),
    ];
    const { shift } = await closeWith(rail, -500, one);
    const decided = await other.post(`/v1/supervisor/shifts/${shift}:approve`);
    expect(verdictOf(decided)).toEqual([403, 'not_independent']);
  });

  it('makes no key that takes cash', async () => {
    const manager = await makeStaff(rail, 'system_manager');
    const { integrator } = await rail.key('catalogue.read');
    const scopes = ['assessments.write', 'payments.initiate', 'payments.split'];
    const asked = { integrator, label: 'Till', scopes, counters: ['*'], supervises: ['*'] };
    const { plaintext: key } = expectOk(await manager.post('/v1/ops/keys', asked));
    expect((await rail.ask('/v1/counter-shifts', { key, body: { mda: 'URA' } })).status).toBe(401);
  });

  it('sends no money of an agency to another account', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { email, roles } = await invite(admin, 'system_manager');
    expect(roles).toEqual([]);
    const own = await enterStaff(rail, email, ['system_manager']);
    const account = { collection_account: '6660001112223', reason: 'Moved' };
    const { name } = expectOk(await admin.post('/v1/ops/mdas/URA:change-account', account));
    const approved = await own.post(`/v1/ops/account-changes/${name}:approve`);
    expect(verdictOf(approved)).toEqual([403, 'not_independent']);
  });
});

describe('what allows less', () => {
  it('takes one person, and withdraws what others wait for', async () => {
    const by = await makeStaff(rail, 'admin');
    const { email } = await makeStaffOf(rail, ['URA', 'KCCA'], 'supervisor');
    const { pending_approval: agencies } = expectOk(await patch(by, email, { agencies: ['*'] }));
    const fewer = expectOk(await patch(by, email, { agencies: ['URA'] }));
    expect([fewer.agencies, fewer.pending_approval]).toEqual([['URA'], null]);

    const { integrator } = await makeTrialAccount(rail);
    await rail.rows(sql`
      update integrator set tier = 'live', allowed_agencies = '{URA,KCCA}', allowed_channels = '{mtn_momo}'
      where code = ${integrator}`);
    const amend = async (body: object) =>
      expectOk(await by.ask(`/v1/ops/integrators/${integrator}`, { method: 'PATCH', body }));
    const { pending_approval: live } = await amend({ allowed_agencies: ['*'] });
    const bounded = await amend({ allowed_agencies: ['KCCA'] });
    expect([bounded.allowed_agencies, bounded.pending_approval]).toEqual([['KCCA'], null]);

    await rail.rows(sql`update mda set cash_limit = 1000 where name = 'NIRA'`);
    const limit = async (cash_limit: number | null) =>
      expectOk(await by.ask('/v1/ops/mdas/NIRA', { method: 'PATCH', body: { cash_limit } })).cash_limit;
    expect(await limit(null)).toBe(1000);
    const cash = await waitingFor(by, 'NIRA');
    expect(await limit(500)).toBe(500);

    const approver = await makeStaff(rail, 'admin');
    for (const { name } of [agencies, live, cash])
      expect(verdictOf(await approve(approver, name))).toEqual([422, 'approval_decided']);
  });

  it('of agencies is what is approved: those asked for, and none given meanwhile', async () => {
    const [by, approver] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const email = someone();
    const body = { email, name: 'Invited', roles: ['supervisor'], agencies: ['NIRA'] };
    const { pending_approval: first } = expectOk(await by.post('/v1/ops/staff', body));
    expect(first.proposal).toEqual({ roles: ['supervisor'], agencies: ['NIRA'] });
    expectOk(await patch(by, email, { agencies: ['URA', 'KCCA'] }));
    expect(verdictOf(await approve(approver, first.name))).toEqual([422, 'approval_decided']);
    expect(await rolesOf(by, email)).toEqual([]);
  });
});

describe('an endpoint of operators', () => {
  it('is taken away by one, which takes back what waits; so are fewer messages', async () => {
    const [by, approver] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const path = '/v1/ops/default-endpoint';
    const set = async (url: string | null) => expectOk(await by.ask(path, { method: 'PUT', body: { url } }));
    await set('https://example.com/first');
    const first = await askedFor(by, 'https://example.com/first');
    expect(await set(null)).toMatchObject({ url: null, status: 'none' });
    const endpoint = `${ENDPOINTS}/${await makeEndpoint()}`;
    const amend = (body: object) => by.ask(endpoint, { method: 'PATCH', body });
    await amend({ url: 'https://example.com/second' });
    const second = await askedFor(by, 'https://example.com/second');
    const narrowed = expectOk(await amend({ types: ['payment_intent.confirmed'], label: 'Fewer' }));
    expect([narrowed.types, narrowed.label]).toEqual([['payment_intent.confirmed'], 'Fewer']);
    await amend({ url: 'https://example.com/third' });
    const third = await askedFor(by, 'https://example.com/third');
    expectOk(await by.ask(endpoint, { method: 'DELETE' }));
    for (const { name } of [first, second, third])
      expect(verdictOf(await approve(approver, name))).toEqual([422, 'approval_decided']);
  });

  it('has no place once its request is refused', async () => {
    const by = await makeStaff(rail, 'admin');
    const url = `https://example.com/${randomUUID()}`;
    const { name, secret } = expectOk(await by.post(ENDPOINTS, { url }));
    expect(secret).toMatch(/^whsec_/);
    expectOk(await refuse(by, (await askedFor(by, url)).name));
    expect(await rail.rows(sql`select place, url from webhook_endpoint where name = ${name}`)).toEqual([
      { place: null, url: null },
    ]);
  });

  it('has its secret replaced by one, which raises an anomaly that all other admins are mailed', async () => {
    const [by, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const endpoint = await makeEndpoint();
    const rotations = { [endpoint]: `${ENDPOINTS}/${endpoint}`, 'COUNTERS-OFFICE': '/v1/ops/default-endpoint' };
    for (const [subject, path] of Object.entries(rotations)) {
      expectOk(await by.post(`${path}:rotate-secret`));
      const raised = sql`select from anomaly where kind = 'operated_alone' and evidence ->> 'about' = ${subject}`;
      expect([subject, await rail.count(raised)]).toEqual([subject, 1]);
    }
    const mails = sql`select from mail where kind = 'staff/alone' and staff = ${other.email}`;
    expect(await rail.count(mails)).toBe(2);
    expectOk(await by.ask(rotations[endpoint]!, { method: 'DELETE' }));
  });
});

describe('a key of an agency that waits', () => {
  it('is told to admins and the finance officers of the agency, and ends with its request', async () => {
    const by = await makeStaff(rail, 'admin');
    const finance = await makeStaffOf(rail, ['URA'], 'finance_officer');
    const body = { mda: 'URA', label: 'Asked for', scopes: ['assessments.read'], public_key: (await makePair()).jwk };
    const { name } = expectOk(await by.post('/v1/ops/agency-keys', body));
    const mails = sql`select from mail where kind = 'staff/agencies/key' and staff = ${finance.email}`;
    expect(await rail.count(mails)).toBe(1);
    expectOk(await refuse(by, (await waitingFor(by, name)).name));
    const [key] = await rail.rows(sql`select status::text from agency_key where name = ${name}`);
    expect(key).toEqual({ status: 'revoked' });
  });
});

describe('a key that waits', () => {
  const issue = async (by: StaffActor) => {
    const { integrator } = await rail.key('catalogue.read');
    return expectOk(
      await by.post('/v1/ops/keys', { integrator, label: 'Till', scopes: ['catalogue.read'], counters: ['*'] }),
    );
  };

  it('is revoked when it is refused or has expired, and never works; revoking it takes the request back', async () => {
    const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
    const refused = await issue(asker);
    expect((await refuse(other, refused.key.pending_approval.name)).status).toBe(200);
    expect((await rail.ask('/v1/me', { key: refused.plaintext })).status).toBe(401);
    const revoked = await issue(asker);
    expect((await asker.post(`/v1/ops/keys/${revoked.key.name}:rotate`)).status).not.toBe(200);
    const answer = await asker.post(`/v1/ops/keys/${revoked.key.name}:revoke`, { reason: 'A mistake' });
    expect(answer.data).toMatchObject({ status: 'revoked', pending_approval: null });
    const { name } = revoked.key.pending_approval;
    expect(verdictOf(await approve(other, name))).toEqual([422, 'approval_decided']);
    const rows = await rail.rows<{ status: string }>(
      sql`select status from api_key where name = any(${[refused.key.name, revoked.key.name]})`,
    );
    expect(rows).toEqual([{ status: 'revoked' }, { status: 'revoked' }]);
  });

  it('is not got by replacing one that works: 403 to operators, while whoever holds it may', async () => {
    const operator = await makeStaff(rail, 'admin');
    const { name, plaintext } = await rail.keyGranted({ counters: ['*'] }, 'catalogue.read');
    expect(verdictOf(await operator.post(`/v1/ops/keys/${name}:rotate`))).toEqual([403, 'key_takes_approval']);
    expect((await rail.ask(`/v1/me/keys/${name}:rotate`, { key: plaintext, body: {} })).status).toBe(200);
  });

  it('needs nobody else where it has none of these', async () => {
    const operator = await makeStaff(rail, 'admin');
    const { integrator } = await rail.key('catalogue.read');
    const plain = { integrator, label: 'Plain', scopes: ['catalogue.read', 'oversight.read'] };
    const { key, plaintext } = expectOk(await operator.post('/v1/ops/keys', plain));
    expect(key).toMatchObject({ status: 'active', pending_approval: null });
    expect((await rail.ask('/v1/me', { key: plaintext })).status).toBe(200);
  });
});

describe('a request for approval', () => {
  const clerk: readonly Role[] = ['clerk', 'supervisor'];
  const ask = async (by: StaffActor) => {
    const { email } = await makeStaff(rail, 'clerk');
    const { pending_approval: approval } = expectOk(await patch(by, email, { roles: clerk }));
    return { email, name: approval.name as string };
  };

  it('is approved once, by one of many who try at the same time, and audited with both people', async () => {
    const [asker, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
    const { email, name } = await ask(asker);
    const answers = await Promise.all(Array.from({ length: 10 }, () => approve(other, name)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 9 });
    expect(answers.find(({ status }) => status === 200)!.data).toMatchObject({
      name,
      kind: 'roles',
      subject: email,
      proposal: { roles: ['supervisor'] },
      status: 'Approved',
      asked_by: asker.email,
      decided_by: other.email,
    });
    const [row] = await rail.rows(
      sql`select actor, before, after from operator_audit where subject = ${email} and action = 'staff.approve_roles'`,
    );
    expect(row).toEqual({
      actor: other.email,
      before: { roles: ['clerk'], agencies: [], asked_by: asker.email },
      after: { roles: ['clerk', 'supervisor'], agencies: [], approval: name },
    });
  });

  it('is refused or taken back, and never both approved and refused', async () => {
    const [asker, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const taken = await ask(asker);
    expect((await refuse(asker, taken.name)).data).toMatchObject({ status: 'Refused', decided_by: asker.email });
    expect(verdictOf(await approve(other, taken.name))).toEqual([422, 'approval_decided']);
    for (let i = 0; i < 5; i++) {
      const { email, name } = await ask(asker);
      const [yes, no] = await Promise.all([approve(other, name), refuse(asker, name)]);
      expect([yes.status, no.status].toSorted((one, two) => one - two)).toEqual([200, 422]);
      expect(await rolesOf(other, email)).toEqual(yes.status === 200 ? clerk : ['clerk']);
    }
  });

  it('is replaced by another one about the same person, and kept where the same is asked again', async () => {
    const asker = await makeStaff(rail, 'admin');
    const { email, name } = await ask(asker);
    expect((await patch(asker, email, { roles: clerk })).data.pending_approval.name).toBe(name);
    const other = (await patch(asker, email, { roles: ['clerk', 'finance_officer'] })).data.pending_approval;
    expect(other.proposal).toEqual({ roles: ['finance_officer'], agencies: ['*'] });
    expect((await asker.ask(`/v1/ops/approvals/${name}`)).data.status).toBe('Refused');
    expect((await patch(asker, email, { roles: ['clerk'] })).data.pending_approval).toBeNull();
  });

  it('has people told of their roles once they have them', async () => {
    const [asker, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const { email } = await makeStaff(rail, 'clerk');
    const roles = ['supervisor', 'finance_officer', 'auditor', 'system_manager'];
    const { pending_approval: approval } = expectOk(await patch(asker, email, { roles }));
    expect(await mailedChanges(rail, email)).toEqual([]);
    expectOk(await approve(other, approval.name));
    expect(await mailedChanges(rail, email)).toEqual([
      'You are a supervisor, a system manager, and a finance officer of the rail now.',
    ]);
  });

  it('expires after 7 days, whether or not the job has run', async () => {
    const [asker, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const { email, name } = await ask(asker);
    rail.advance(7 * 24 + 1);
    const again = await enterStaff(rail, other.email, ['admin']);
    expect(verdictOf(await approve(again, name))).toEqual([422, 'approval_decided']);
    const job = callOf(rail.rail, actAsSystem('job:expire_approvals'), 'a job');
    expect(await expireApprovals(job)).toBeGreaterThan(0);
    expect(await expireApprovals(job)).toBe(0);
    expect((await again.ask(`/v1/ops/approvals/${name}`)).data).toMatchObject({
      status: 'Expired',
      decided_by: 'job:expire_approvals',
    });
    expect(await rolesOf(again, email)).toEqual(['clerk']);
  });

  it('can be asked for again once it is over, whether or not the job has run', async () => {
    const asker = await makeStaff(rail, 'admin');
    const [{ name: service } = { name: '' }] = await rail.rows<{ name: string }>(
      sql`select name from service where code = 'URA-TCC'`,
    );
    const askFee = (by: StaffActor) =>
      by.ask(`/v1/ops/services/${service}`, { method: 'PATCH', body: { fee_amount: 1_000_000 } });
    const [roles, fee] = [await ask(asker), expectOk(await askFee(asker)).pending_approval.name as string];
    rail.advance(7 * 24 + 1);
    const again = await enterStaff(rail, asker.email, ['admin']);
    const asked = [
      expectOk(await patch(again, roles.email, { roles: clerk })).pending_approval.name,
      expectOk(await askFee(again)).pending_approval.name,
    ];
    expect(asked).not.toContain(roles.name);
    expect(asked).not.toContain(fee);
    for (const name of [roles.name, fee])
      expect((await again.ask(`/v1/ops/approvals/${name}`)).data).toMatchObject({
        status: 'Expired',
        decided_by: 'job:expire_approvals',
      });
  });

  it('is reported where somebody at the machine does it alone: roles and keys, each raised and mailed to all admins', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { email: changed } = await makeStaff(rail, 'clerk');
    const { email: back } = await makeStaff(rail, 'supervisor');
    const machine = () => callOf(rail.rail, commandLine, randomUUID());
    const [added, invited, harmless] = [someone(), someone(), someone()];
    await addStaff(rail.rail, { email: added, name: 'Added', roles: ['finance_officer'] });
    await addStaff(rail.rail, { email: harmless, name: 'Harmless', roles: ['auditor'] });
    await inviteStaff(machine(), { email: invited, name: 'Invited', roles: ['admin'] });
    await updateStaff(machine(), { id: changed, roles: ['clerk', 'supervisor'] });
    await updateStaff(machine(), { id: changed, name: 'Renamed' });
    await deactivateStaff(machine(), { id: back, reason: 'Left' });
    await reactivateStaff(machine(), { id: back, reason: 'Came back' });
    const { name: key } = await rail.keyGranted({ counters: ['URA'] }, 'assessments.write');
    const subjects = [added, invited, harmless, changed, back, key];
    const found = await rail.rows<{ what: string }>(sql`
      select (evidence ->> 'action') || ' ' || (evidence ->> 'about') as what from anomaly
      where kind = 'operated_alone' and evidence ->> 'about' = any(${subjects}) order by name`);
    expect(found.map(({ what }) => what)).toEqual([
      `staff.add ${added}`,
      `staff.invite ${invited}`,
      `staff.update ${changed}`,
      `staff.reactivate ${back}`,
      `key.issue ${key}`,
    ]);
    const mails = await rail.rows<{ id: string; sealed: Buffer }>(
      sql`select id, sealed from mail where kind = 'staff/alone' and staff = ${admin.email}`,
    );
    const texts = mails.map(({ id, sealed }) => rail.rail.vault.open('mail', id, sealed)).join('\n');
    for (const { what } of found) expect(texts).toContain(what.replace(' ', ' of '));
  });

  it('is put away by nobody who was given something alone at the machine', async () => {
    const made = await enterStaff(rail, someone(), ['admin'], { added: true });
    const [found] = await rail.rows<{ name: string }>(sql`
      select name from anomaly where kind = 'operated_alone' and evidence ->> 'about' = ${made.email}`);
    const resolve = (by: StaffActor) => by.post(`/v1/ops/anomalies/${found!.name}:resolve`, { note: 'Fine' });
    expect(verdictOf(await resolve(made))).toEqual([403, 'not_independent']);
    expect(verdictOf(await resolve(await makeStaff(rail, 'admin')))).toEqual([200, undefined]);
  });

  it('is approved by nobody else at the machine, for a reason, which raises an anomaly and is told to all admins', async () => {
    const asker = await makeStaff(rail, 'admin');
    const { email, name } = await ask(asker);
    const machine = callOf(rail.rail, commandLine, 'a command');
    await expect(approveAlone(machine, { id: name, reason: ' ' })).rejects.toThrow(/reason/);
    const earlier = await rail.rows<{ id: string }>(sql`select id from mail where kind = 'staff/alone'`);
    const done = await approveAlone(machine, { id: name, reason: 'The only admin' });
    expect(done).toMatchObject({ status: 'Approved', decidedBy: 'command line', decidedReason: 'The only admin' });
    expect(await rolesOf(asker, email)).toEqual(clerk);
    await expect(approveAlone(machine, { id: name, reason: 'Again' })).rejects.toThrow(/already/);
    const [found] = (await asker.ask('/v1/ops/anomalies?kind=approved_alone')).data;
    expect(found).toMatchObject({ severity: 'high', subject: name });
    const mails = await rail.rows<{ staff: string }>(sql`
      select staff from mail where kind = 'staff/alone' and id <> all(${earlier.map(({ id }) => id)}::uuid[])`);
    const admins = await rail.rows<{ email: string }>(
      sql`select email from staff where active and 'admin' = any(roles) order by email`,
    );
    expect(mails.map(({ staff }) => staff).toSorted()).toEqual(admins.map((one) => one.email));
  });

  it.each(GRANTS.filter(({ kind }) => kind !== 'roles'))('at the machine: $name', async (grant) => {
    const { name, holds } = await grant.ask(await makeStaff(rail, 'admin'));
    await approveAlone(callOf(rail.rail, commandLine, 'a command'), { id: name, reason: 'Nobody else' });
    expect(await holds()).toBe(true);
    expect(await rail.count(sql`select 1 from anomaly where kind = 'approved_alone' and subject = ${name}`)).toBe(1);
  });

  it('401, 403 to whoever may not decide on it, 404', async () => {
    const [asker, overseer] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'oversight')];
    const supervisor = await makeStaff(rail, 'supervisor');
    const { name } = await ask(asker);
    expect((await rail.ask(`/v1/ops/approvals/${name}:approve`, { body: {} })).status).toBe(401);
    expect((await approve(overseer, name)).status).toBe(403);
    expect((await overseer.ask(`/v1/ops/approvals/${name}`)).status).toBe(200);
    expect((await approve(supervisor, name)).status).toBe(404);
    expect((await supervisor.ask('/v1/ops/approvals?kind=roles')).data).toEqual([]);
    expect((await approve(asker, 'GRANT-2020-000001')).status).toBe(404);
    const { email } = await makeStaff(rail, 'clerk');
    const { pending_approval: admin } = expectOk(await patch(asker, email, { roles: ['admin'] }));
    expect(verdictOf(await approve(await makeStaff(rail, 'system_manager'), admin.name))).toEqual([403, 'admins_only']);
  });
});
