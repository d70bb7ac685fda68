import { beforeAll, describe, expect, it } from 'vitest';
import { payDueRefunds } from '../../../../src/collection/payments/refunds/paying/provider.ts';
import { classifyLines } from '../../../../src/collection/reconciliation/payouts/classify.ts';
import { type Payout, findPayouts } from '../../../../src/collection/reconciliation/payouts/find.ts';
import { settlePayouts } from '../../../../src/collection/reconciliation/payouts/search.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { addDays } from '../../../../src/kernel/time.ts';
import { type Actor, createConfirmed, makeActor } from '../../../harness/flow.ts';
import { testRail } from '../../../harness/rail.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import { bankStatement, explained, moveTo, systemOf } from './world.ts';

const rail = testRail();
let actor: Actor;

/** What a payment of two lines brings each agency. */
const [URA, URSB] = [450_000, 135_000];
const [MONDAY, TUESDAY, THURSDAY] = [1, 2, 4];

const wordsOf = ({ mda, expected, received, state }: Payout) =>
  `${mda} ${expected.toFixed()} ${received?.toFixed() ?? 'shared'} ${state}`;
const payoutsOf = async (day: string, agencies: readonly string[] = ['URA', 'URSB']) =>
  (await findPayouts(systemOf(rail), { from: day, to: day, agencies })).map(wordsOf);

beforeAll(async () => {
  await rail.rows(sql`update country set holidays = '[]'`);
  actor = await makeActor(rail);
});

describe('a refund that a provider keeps back', () => {
  it('leaves less to arrive, and where more went back than was paid, a debit is the payout', async () => {
    const monday = moveTo(rail, MONDAY);
    const { intent } = await createConfirmed(rail, actor);
    const tuesday = moveTo(rail, TUESDAY);
    const officer = await makeStaff(rail, 'finance_officer');
    expect((await officer.post('/v1/refunds', { intent, reason_code: 'duplicate' })).status).toBe(200);
    await payDueRefunds(systemOf(rail));
    expect(await payoutsOf(tuesday)).toEqual(['URA 0 0 expected', 'URSB 0 0 expected']);
    const [payout] = await findPayouts(systemOf(rail), { from: tuesday, to: tuesday, agencies: ['URA'] });
    expect([payout!.refunded, payout!.difference].map(Number)).toEqual([URA, URA]);
    const wednesday = addDays(tuesday, 1);
    moveTo(rail, THURSDAY);
    const statement = await bankStatement(rail, 'URA', [
      { amount: URA, valueOn: tuesday },
      { amount: -URA, valueOn: wednesday },
    ]);
    await classifyLines(systemOf(rail), statement);
    expect(await explained(rail, statement)).toEqual([
      `payout sum mtn_momo ${monday} ${monday}`,
      `payout sum mtn_momo ${tuesday} ${tuesday}`,
    ]);
    expect(await payoutsOf(monday, ['URA'])).toEqual([`URA ${URA} ${URA} arrived`]);
    expect(await payoutsOf(tuesday, ['URA'])).toEqual([`URA 0 ${-URA} arrived`]);
  });
});

describe('an account that changed', () => {
  it('has what was paid before the change; what is paid later is expected at the new one', async () => {
    const monday = moveTo(rail, MONDAY);
    await createConfirmed(rail, actor);
    const [asks, approves] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
    const asked = await asks.post('/v1/ops/mdas/URA:change-account', {
      collection_account: '6660001112223',
      reason: 'Another bank',
    });
    const { name } = asked.data as { name: string };
    expect((await approves.post(`/v1/ops/account-changes/${name}:approve`)).status).toBe(200);
    const tuesday = moveTo(rail, TUESDAY);
    await createConfirmed(rail, actor);
    const wednesday = addDays(tuesday, 1);
    moveTo(rail, THURSDAY);
    const later = await bankStatement(rail, 'URA', [
      { amount: URA, valueOn: monday, text: 'To the old account' },
      { amount: URA, valueOn: wednesday },
    ]);
    await classifyLines(systemOf(rail), later);
    // The first of them is about a day that this account has nothing of.
    expect(await explained(rail, later)).toEqual(['unknown', `payout sum mtn_momo ${tuesday} ${tuesday}`]);
    expect(await payoutsOf(monday, ['URA'])).toEqual([`URA ${URA} 0 missing`]);
  });
});

describe('an account of two agencies', () => {
  it('has the payouts of both together, and each agency what it expects', async () => {
    await rail.rows(sql`
      update mda set collection_account = (select collection_account from mda where name = 'URA') where name = 'URSB'`);
    const monday = moveTo(rail, MONDAY);
    await createConfirmed(rail, actor);
    const tuesday = moveTo(rail, TUESDAY);
    for (let paid = 0; paid < 2; paid++) await createConfirmed(rail, actor);
    moveTo(rail, THURSDAY);
    const statement = await bankStatement(rail, 'URSB', [{ amount: URA + URSB, valueOn: tuesday }]);
    await classifyLines(systemOf(rail), statement);
    expect(await explained(rail, statement)).toEqual([`payout sum mtn_momo ${monday} ${monday}`]);
    expect(await payoutsOf(monday)).toEqual([`URA ${URA} shared arrived`, `URSB ${URSB} shared arrived`]);
    expect(await payoutsOf(tuesday)).toEqual([`URA ${2 * URA} shared missing`, `URSB ${2 * URSB} shared missing`]);
    await settlePayouts(systemOf(rail));
    const raised = await rail.rows(sql`
      select kind, mda from anomaly where subject like ${`%${tuesday}`} and status = 'Open' order by mda`);
    expect(raised).toEqual([
      { kind: 'payout_missing', mda: 'URA' },
      { kind: 'payout_missing', mda: 'URSB' },
    ]);
  });
});
