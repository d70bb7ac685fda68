import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Account, makeAccount } from '../../harness/people/accounts.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const patch = ({ key }: Account, body: object) => rail.ask('/v1/me', { method: 'PATCH', key, body });

async function auditOf({ integrator }: Account) {
  const admin = await makeStaff(rail, 'admin');
  const rows = (await admin.ask(`/v1/ops/audit?subject=${integrator}`)).data as Record<string, unknown>[];
  return rows.map(({ action, actor, before, after }) => ({ action, actor, before, after }));
}

/** Texts of the letters about changes that were sent to the owner. */
async function lettersTo({ integrator }: Account): Promise<string[]> {
  const rows = await rail.rows<{ id: string; sealed: Buffer }>(
    sql`select id, sealed from mail where integrator = ${integrator} and kind = 'profile_changed' order by created_at`,
  );
  return rows.map(({ id, sealed }) => rail.rail.vault.open('mail', id, sealed)!);
}

describe('what the owner of an account changes', () => {
  it('is audited with before and after, and the owner is written to', async () => {
    const account = await makeAccount(rail);
    await patch(account, { webhook_endpoint: 'https://one.example.com/hook', contact_phone: '+256772000123' });
    await patch(account, { webhook_endpoint: 'https://two.example.com/hook', display_name: 'Two' });
    const [second, first] = await auditOf(account);
    expect(first).toEqual({
      action: 'integrator.update',
      actor: account.integrator,
      before: { webhook_endpoint: null, contact_phone: null },
      after: { webhook_endpoint: 'https://one.example.com/hook', contact_phone: '…123' },
    });
    expect(second).toMatchObject({
      before: { webhook_endpoint: 'https://one.example.com/hook' },
      after: { webhook_endpoint: 'https://two.example.com/hook', display_name: 'Two' },
    });
    const [one, two] = await lettersTo(account);
    expect(one).toContain('https://one.example.com/hook');
    expect(one).toMatch(/with the key KEY-/);
    expect(two).toContain('The display name is Two now');
  });

  it('tells where payers may be sent back to', async () => {
    const account = await makeAccount(rail);
    await patch(account, { return_hosts: ['shop.example.com', 'pay.example.com'] });
    expect((await auditOf(account))[0]).toMatchObject({
      before: { return_hosts: [] },
      after: { return_hosts: ['shop.example.com', 'pay.example.com'] },
    });
    expect((await lettersTo(account))[0]).toContain(
      'The list of return hosts is shop.example.com, pay.example.com now, and was none.',
    );
  });

  it('tells of a replaced secret, and shows it nowhere', async () => {
    const account = await makeAccount(rail);
    await patch(account, { webhook_endpoint: 'https://one.example.com/hook' });
    const { data } = await rail.ask('/v1/me/webhook-secret:rotate', { method: 'POST', key: account.key });
    const audit = await auditOf(account);
    expect(audit[0]).toEqual({
      action: 'integrator.rotate_secret',
      actor: account.integrator,
      before: null,
      after: null,
    });
    const letters = await lettersTo(account);
    expect(letters.at(-1)).toContain('The secret that its webhooks are signed with was replaced.');
    expect(JSON.stringify([audit, letters])).not.toContain(data.secret);
  });

  it('leaves no row and no letter where nothing changed, or what is changed leads nowhere', async () => {
    const account = await makeAccount(rail);
    await patch(account, { anticipated_volume_monthly: 500 });
    await patch(account, { anticipated_volume_monthly: 500 });
    expect(await auditOf(account)).toHaveLength(1);
    expect(await lettersTo(account)).toEqual([]);
    expect((await patch(account, { webhook_endpoint: 'not an address' })).status).toBe(422);
    expect(await auditOf(account)).toHaveLength(1);
  });

  it('is kept whole where two change it at once', async () => {
    const account = await makeAccount(rail);
    const names = Array.from({ length: 8 }, (_, number) => `Name ${number}`);
    await Promise.all(names.map((display_name) => patch(account, { display_name })));
    const rows = (await auditOf(account)).toReversed();
    expect(rows).toHaveLength(names.length);
    const after = rows.map((row) => (row.after as { display_name: string }).display_name);
    const before = rows.map((row) => (row.before as { display_name: string }).display_name);
    expect(before.slice(1)).toEqual(after.slice(0, -1));
  });
});
