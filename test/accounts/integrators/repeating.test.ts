import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { someEmail } from '../../harness/people/accounts.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const keyed = (): { 'idempotency-key': string } => ({ 'idempotency-key': randomUUID() });
const form = (email = someEmail()) => ({
  full_name: 'Jo Doe',
  email,
  organisation: 'Test Office',
  tos_accepted_version: '2026-11',
});

function expectReplay(again: Answer, first: Answer): void {
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
    first.status,
    first.text,
    'true',
  ]);
}

async function signedUp(): Promise<{ integrator_id: string; otp: string }> {
  const { data } = await rail.ask('/v1/signup', { body: form() });
  return { integrator_id: data.integrator_id, otp: data.dev_otp };
}

describe('an Idempotency-Key without a credential', () => {
  it('gives a sign-up that is sent again the same answer, and mails one code', async () => {
    const [headers, body] = [keyed(), form()];
    const first = await rail.ask('/v1/signup', { body, headers });
    expect(first.status).toBe(200);
    expectReplay(await rail.ask('/v1/signup', { body, headers }), first);
    expect(await rail.count(sql`select 1 from mail where integrator = ${first.data.integrator_id}`)).toBe(1);
  });

  it('gives the same key again where the answer of verify was lost; what is kept of it is sealed', async () => {
    const [headers, body] = [keyed(), await signedUp()];
    const first = await rail.ask('/v1/signup/verify', { body, headers });
    expectReplay(await rail.ask('/v1/signup/verify', { body, headers }), first);
    expect((await rail.ask('/v1/me', { key: first.data.plaintext })).status).toBe(200);
    const rows = await rail.rows<{ row: string }>(
      sql`select i::text || encode(i.body, 'escape') as row from idempotency i`,
    );
    for (const { row } of rows)
      for (const secret of [first.data.plaintext.slice(13), body.integrator_id]) expect(row).not.toContain(secret);
    await rail.rows(sql`update idempotency set created_at = created_at - interval '24 hours'`);
    expect(await rail.ask('/v1/signup/verify', { body, headers })).toMatchObject({
      status: 409,
      code: 'otp_not_issued',
    });
  });

  it('works over GraphQL too', async () => {
    const [headers, { integrator_id, otp }] = [keyed(), await signedUp()];
    const query = 'mutation ($id: ID!, $otp: String!) { verifySignUp(integratorId: $id, otp: $otp) { plaintext } }';
    const ask = () => rail.ask('/graphql', { body: { query, variables: { id: integrator_id, otp } }, headers });
    const first = await ask();
    expect(first.json.data.verifySignUp.plaintext).toMatch(/^rail_sandbox_/);
    expectReplay(await ask(), first);
  });

  it('gives one key to ten at once that send the same', async () => {
    const [headers, body] = [keyed(), await signedUp()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rail.ask('/v1/signup/verify', { body, headers })),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { status, code } of answers)
      if (status !== 200) expect([status, code]).toEqual([409, 'idempotency_in_progress']);
    expectReplay(await rail.ask('/v1/signup/verify', { body, headers }), done[0]!);
  });

  it('gives a working key, and finishes a sign-up, where the process died between the commit and the answer', async () => {
    const [headers, body] = [keyed(), form()];
    const first = await rail.ask('/v1/signup', { body, headers });
    const crash = () =>
      rail.rows(
        sql`update idempotency set body = null, http_status = null, created_at = created_at - interval '1 minute' where key = ${headers['idempotency-key']}`,
      );
    await crash();
    const { integrator_id, dev_otp, ...rest } = (await rail.ask('/v1/signup', { body, headers })).data;
    expect([integrator_id, dev_otp, rest]).toMatchObject([
      first.data.integrator_id,
      undefined,
      { sends_remaining_today: 4 },
    ]);
    const entry = { integrator_id, otp: first.data.dev_otp };
    const lost = await rail.ask('/v1/signup/verify', { body: entry, headers });
    expect(lost).toMatchObject({ status: 200 });
    await rail.rows(
      sql`update idempotency set body = null, http_status = null, created_at = created_at - interval '1 minute'`,
    );
    const again = await rail.ask('/v1/signup/verify', { body: entry, headers });
    expect(again.data.key.name).toBe(lost.data.key.name);
    expect((await rail.ask('/v1/me', { key: again.data.plaintext })).status).toBe(200);
    expect((await rail.ask('/v1/me', { key: lost.data.plaintext })).status).toBe(401);
  });

  it('belongs to the address or account that the body names: another’s answer comes to nobody else', async () => {
    const headers = keyed();
    const [one, two] = [
      await rail.ask('/v1/signup', { body: form(), headers }),
      await rail.ask('/v1/signup', { body: form(), headers }),
    ];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.data.integrator_id).not.toBe(two.data.integrator_id);
    const mine = form();
    await rail.ask('/v1/signup', { body: mine, headers });
    const other = await rail.ask('/v1/signup', { body: { ...mine, full_name: 'Else' }, headers });
    expect(other).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  });

  it('keeps no wrong code: the right one is taken under the same key', async () => {
    const [headers, { integrator_id, otp }] = [keyed(), await signedUp()];
    const wrong = String((Number(otp) + 1) % 1_000_000).padStart(6, '0');
    for (let i = 0; i < 2; i++) {
      const answer = await rail.ask('/v1/signup/verify', { body: { integrator_id, otp: wrong }, headers });
      expect([answer.code, answer.headers.get('idempotent-replayed')]).toEqual(['invalid_otp', null]);
    }
    expect((await rail.ask('/v1/signup/verify', { body: { integrator_id, otp }, headers })).status).toBe(200);
  });

  it('works for another code and for a link', async () => {
    const { integrator_id } = await signedUp();
    await rail.rows(
      sql`update integrator set otp_sent_at = otp_sent_at - interval '61 seconds' where code = ${integrator_id}`,
    );
    for (const [path, body] of [
      ['/v1/signup/resend-otp', { integrator_id }],
      ['/v1/login/request', { email: someEmail() }],
    ] as const) {
      const headers = keyed();
      const first = await rail.ask(path, { body, headers });
      expect(first.status, path).toBe(200);
      expectReplay(await rail.ask(path, { body, headers }), first);
    }
  });

  it.each(['has space', 'x'.repeat(256), 'ü'])('422: %j, as with a credential', async (key) => {
    const headers = { 'idempotency-key': key };
    const asked = [
      ['/v1/signup', form()],
      ['/v1/signup/verify', { integrator_id: 'X', otp: '000000' }],
      ['/v1/work/login', { email: 'a@example.com', password: 'x' }],
    ] as const;
    for (const [path, body] of asked) {
      const answer = await rail.ask(path, { body, headers });
      expect([answer.status, answer.json.error.details?.[0].path], path).toEqual([422, 'Idempotency-Key']);
    }
  });
});
