import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { act } from '../../../src/site/answers/act.ts';
import { choicesOf } from '../../../src/site/languages/choices.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { makeAccount } from '../../harness/people/accounts.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

/** Enums whose values are chosen on pages, each with the family of its messages. */
const CHOSEN = [
  ['ApprovalStatus', 'approvalStatus'],
  ['ApprovalKind', 'approvalKind'],
  ['ApiKeyStatus', 'keyStatus'],
  ['Channel', 'channel'],
  ['CitizenAccessPurpose', 'accessPurpose'],
  ['IntegratorStatus', 'integratorStatus'],
  ['IntegratorTier', 'tier'],
  ['LiveRequestStatus', 'liveRequestStatus'],
  ['OpenSessionKind', 'sessionKind'],
  ['PricingTier', 'pricingTier'],
  ['Role', 'role'],
  ['Scope', 'scope'],
  ['StaffStatus', 'staffStatus'],
  ['WebhookDisabledReason', 'webhookDisabled'],
  ['WebhookStatus', 'webhookStatus'],
] as const;

describe('what a form fills in', () => {
  it('is known to its steps, and is never taken for what was answered, which alone leads elsewhere', async () => {
    const call = callOf(rail.rail, actAsSystem('test'), 'test');
    const step = { namedBy: null, fields: [], needs: [], run: async () => ({ signOut: { done: 'yes', url: null } }) };
    const action = { path: '/anywhere', steps: [step], clears: [] } as unknown as Parameters<typeof act>[0];
    const filled = { url: 'https://elsewhere.example/', location: 'https://elsewhere.example/', note: 'x' };
    const { known, answered } = await act(action, call, filled, null, 'en');
    expect(answered).toEqual({ done: 'yes', url: null });
    expect(known).toMatchObject({ note: 'x', done: 'yes', url: null });
  });
});

describe('what is chosen in a form', () => {
  it.each(CHOSEN)('has a message for each value of %s', (type, family) => {
    const texts = textsOf('en');
    const choices = choicesOf(schema, texts, type, family);
    expect(choices.filter(({ value }) => !texts.has(`${family}.${value}`))).toEqual([]);
    expect(choices.map(({ text }) => text)).toEqual(choices.map(({ text }) => text).toSorted());
  });

  it('is of an enum of the schema', () => {
    expect(() => choicesOf(schema, textsOf('en'), 'Integrator', 'tier')).toThrow('Integrator is no enum');
  });
});

describe('a form that names a page', () => {
  it.each(['/work', '/work/account', '/console', '/dashboard', '/dashboard/keys', `/work?${'a=&'.repeat(9_000)}`])(
    'of somebody else is refused as it would be without it: %.30s',
    async (page) => {
      for (const path of ['/signin/staff', '/signin/staff/code', '/work/invitation', '/signin/forgotten', '/signin']) {
        const send = (fields: Record<string, string>) =>
          fetch(rail.origin + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
        const [alone, named] = [await send({}), await send({ _page: page })];
        expect([path, named.status]).toEqual([path, alone.status]);
        expect(named.status).toBeLessThan(500);
      }
      expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
    },
  );
});

describe('a field that was left blank', () => {
  it('takes away what was there where its form says so, and leaves everything else as it is', async () => {
    const { integrator } = await makeAccount(rail);
    const { cookie, ask } = await makeStaff(rail, 'admin');
    const send = (fields: Record<string, string>) =>
      fetch(`${rail.origin}/console/integrators/${integrator}/amend`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(fields),
      });
    const read = async () => (await ask(`/v1/ops/integrators/${integrator}`)).data;
    expect((await send({ notes: 'Call first', limitPerMinute: '1200', pricingTier: 'premium' })).status).toBe(303);
    expect(await read()).toMatchObject({ notes: 'Call first', limit_per_minute: 1200, pricing_tier: 'premium' });
    await send({ notes: 'Call first', limitPerMinute: '', pricingTier: '' });
    expect(await read()).toMatchObject({ notes: 'Call first', limit_per_minute: null, pricing_tier: 'premium' });
    await send({ notes: '' });
    expect(await read()).toMatchObject({ notes: null, pricing_tier: 'premium' });
  });
});
