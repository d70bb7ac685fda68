import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createConfirmed, makeActor } from '../../../harness/flow.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../../harness/people/staff.ts';
import { testRail } from '../../../harness/rail.ts';
import { sendForm } from '../../../site/forms/sending.ts';

const rail = testRail();
let actor: Actor;
let finance: StaffActor;

beforeAll(async () => {
  actor = await makeActor(rail);
  finance = await makeStaff(rail, 'finance_officer');
});

const open = async (address: string, { cookie } = finance) =>
  (await fetch(rail.origin + address, { headers: { cookie, accept: 'text/html' } })).text();
const send = (path: string, form: Record<string, string>) => sendForm(rail, path, finance.cookie, form);

describe('a refund in the console', () => {
  it('is requested on the page of its payment, listed, and entered as paid', async () => {
    const { intent } = await createConfirmed(rail, actor);
    expect(await open(`/console/payments/${intent}`)).toContain('Request a refund');
    const asked = await send(`/console/payments/${intent}/refund`, {
      amount: '5000',
      reasonCode: 'overpaid',
      note: '',
      method: 'transfer',
    });
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      `/console/payments/${intent}?done=refundRequested`,
    ]);
    const payment = await open(`/console/payments/${intent}`);
    const [, name] = /href="\/console\/refunds\/(RFD-[\d-]+)"/.exec(payment)!;
    expect(await open('/console/refunds?status=Approved')).toContain(name!);
    const page = await open(`/console/refunds/${name}`);
    expect(page).toContain('To be paid');
    expect(page).toContain('Enter the payment');
    const today = rail.rail.now().toISOString().slice(0, 10);
    const proof = { reference: 'FT26325XK01', day: today, documentHash: '' };
    const proved = await send(`/console/refunds/${name}/prove`, proof);
    expect([proved.status, proved.headers.get('location')]).toEqual([
      303,
      `/console/refunds/${name}?done=refundProven`,
    ]);
    const done = await open(`/console/refunds/${name}`);
    expect(done).toContain('FT26325XK01');
    expect(done).not.toContain('Enter the payment');
  });

  it('says in the form what is wrong, and changes nothing', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const form = { amount: '99999999', reasonCode: 'other', note: '', method: 'transfer' };
    const answer = await send(`/console/payments/${intent}/refund`, form);
    expect(answer.status).toBe(422);
    expect(await open(`/console/payments/${intent}`)).not.toContain('/console/refunds/RFD-');
  });

  it('is offered to nobody who may not request it', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const manager = await makeStaff(rail, 'system_manager');
    expect(await open(`/console/payments/${intent}`, manager)).not.toContain('Request a refund');
  });
});

describe('the refunds of an agency', () => {
  it('are listed in its room with its own shares, by status and reason, and those of others are not', async () => {
    const { intent } = await createConfirmed(rail, actor);
    const form = { amount: '58500', reasonCode: 'court_order', note: '', method: 'transfer' };
    await send(`/console/payments/${intent}/refund`, form);
    const [ura, ursb, kcca] = await Promise.all(
      ['URA', 'URSB', 'KCCA'].map((agency) => makeStaffOf(rail, [agency], 'finance_officer')),
    );
    const path = '/agency/refunds?reasonCode=court_order&status=Approved';
    const said = async (who: StaffActor) => (await open(path, who)).replaceAll('\u00a0', ' ');
    expect(await said(ura!)).toMatch(/RFD-[^]*>UGX 45,000</);
    expect(await said(ursb!)).toMatch(/RFD-[^]*>UGX 13,500</);
    expect(await said(kcca!)).not.toContain('RFD-');
    expect(await open('/agency/refunds?reasonCode=duplicate', ura)).not.toContain('RFD-');
    expect(await open('/agency', ura)).toContain('href="/agency/refunds"');
  });
});
