import { expect, it } from 'vitest';
import { PROVIDERS } from '../../../../src/adapters/payment/providers.ts';
import { classifyLines } from '../../../../src/collection/reconciliation/payouts/classify.ts';
import { findPayouts } from '../../../../src/collection/reconciliation/payouts/find.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { addDays } from '../../../../src/kernel/time.ts';
import { createConfirmed, makeActor } from '../../../harness/flow.ts';
import { testRail } from '../../../harness/rail.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import { bankStatement, explained, moveTo, systemOf } from './world.ts';

/** A provider that keeps its fees back, and whose statements say what a row is. */
const providers = PROVIDERS.map((provider) =>
  provider.name === 'mtn_momo'
    ? {
        ...provider,
        settles: { afterDays: 1, netOfFees: true },
        statement: {
          ...provider.statement,
          kinds: { column: 'Type', fee: ['fee'], payout: ['payout'], other: [] },
        },
      }
    : provider,
);
const rail = testRail({}, providers);

it('fees that a statement names are borne by the agencies of the payment, and its payout has its number', async () => {
  await rail.rows(sql`update country set holidays = '[]'`);
  const actor = await makeActor(rail);
  const monday = moveTo(rail, 1);
  const { intent } = await createConfirmed(rail, actor);
  const row = (type: string, amount: number, id: string, reference: string = intent) =>
    `${reference},${amount},UGX,SUCCESSFUL,${id},${monday} 10:00:00,${type}`;
  const csv = [
    'External Transaction Id,Amount,Currency,Status,Id,Date,Type',
    row('fee', -1_001, 'F1'),
    row('payout', -449_000, 'SETTLE-20261', 'SETTLE-20261'),
  ].join('\n');
  const admin = await makeStaff(rail, 'admin');
  const send = () =>
    admin.ask(`/v1/ops/reconciliation/statements?provider=mtn_momo&from_date=${monday}&to_date=${monday}`, {
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
  const first = await send();
  expect(first.status).toBe(200);
  // Those of another upload of the same statement count once.
  await admin.post(`/v1/ops/reconciliation/runs/${first.data.name}:rerun`);
  await send();
  const items = await admin.ask(`/v1/ops/reconciliation/runs/${first.data.name}/items?outcome=fee`);
  expect(items.data).toMatchObject([{ outcome: 'fee', intent, statement_amount: -1_001, recorded_amount: null }]);
  const kinds = await rail.rows(sql`select distinct subject from anomaly where kind = 'statement_mismatch'`);
  // The statement lacks the payment itself, and that is all that differs.
  expect(kinds).toEqual([{ subject: intent }]);

  const call = systemOf(rail);
  const payouts = await findPayouts(call, { from: monday, to: monday, agencies: null });
  expect(payouts.map(({ mda, expected, fees }) => `${mda} ${expected.toFixed()} ${fees.toFixed()}`)).toEqual([
    'URA 450000 770',
    'URSB 135000 231',
  ]);

  const tuesday = addDays(monday, 1);
  moveTo(rail, 2);
  const statement = await bankStatement(rail, 'URA', [
    { amount: 449_000, valueOn: tuesday, text: 'MTN settle-20261 UG' },
    { amount: 450_000 - 770, valueOn: tuesday },
  ]);
  await classifyLines(call, statement);
  expect(await explained(rail, statement)).toEqual([
    `payout reference mtn_momo ${monday} ${monday}`,
    `payout sum mtn_momo ${monday} ${monday}`,
  ]);
  const [payout] = await findPayouts(call, { from: monday, to: monday, agencies: ['URA'] });
  expect(payout).toMatchObject({ state: 'over' });
});
