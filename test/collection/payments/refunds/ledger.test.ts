import { beforeAll, expect, it } from 'vitest';
import { type Sql, sql } from '../../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../../harness/flow.ts';
import { catchUp, verifyAfter } from '../../../harness/ledger.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import { testRail } from '../../../harness/rail.ts';

const rail = testRail();

beforeAll(async () => {
  const actor = await makeActor(rail);
  const finance = await makeStaff(rail, 'finance_officer');
  const refund = async (intent: string) => {
    const { data } = await finance.post('/v1/refunds', {
      intent,
      amount: 5_000,
      reason_code: 'overpaid',
      method: 'transfer',
    });
    const paid_on = rail.rail.now().toISOString().slice(0, 10);
    await finance.post(`/v1/refunds/${data.name}:prove`, { reference: 'FT1', paid_on });
  };
  await refund((await createConfirmed(rail, actor)).intent);
  const { intent, assessment } = await createConfirmed(rail, actor);
  await refund(intent);
  await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Wrong' });
  await catchUp(rail);
});

/** The checks that find something after a change, which is undone. */
async function findAfter(change: Sql): Promise<string[]> {
  const run = async () => 'a row';
  const { verification } = await verifyAfter(
    rail,
    { name: 'by hand', run: async (db) => (await db.rows(change), run()) },
    Math.random,
  );
  return verification.findings.map(({ check }) => check);
}

it('finds nothing wrong with payments of which a part was refunded, one of which was cancelled after that', async () => {
  expect(await findAfter(sql`select 1`)).toEqual([]);
});

const anEvent = sql`(select min(name) from payment_event where refund is not null)`;

it.each([
  ['resized', sql`update payment_event set amount = amount - 1 where name = ${anEvent}`],
  ['removed', sql`delete from payment_event where name = ${anEvent}`],
  [
    'added',
    sql`insert into payment_event select (jsonb_populate_record(e, '{"name": "PEV-2026-01-999999", "mda": "KCCA"}')).*
      from payment_event e where name = ${anEvent}`,
  ],
  [
    'of another day',
    sql`update payment_event set occurred_at = occurred_at - interval '1 day' where name = ${anEvent}`,
  ],
  ['of another number', sql`update payment_event set txn_id = 'FT2' where name = ${anEvent}`],
])('finds a refund event that was %s', async (_what, change) => {
  expect(await findAfter(change)).toContain('refund_differs');
});

it.each([
  ['another amount', sql`update refund set amount = amount + 1`],
  ['another reason', sql`update refund set reason_code = 'duplicate'`],
  ['another person', sql`update refund set requested_by = 'nobody'`],
  ['another status', sql`update refund set status = 'Declined', done_at = null where status = 'Done'`],
  ['another share', sql`update refund_share set amount = amount + 1`],
])('finds a refund with %s', async (_what, change) => {
  expect(await findAfter(change)).toContain('refund_differs');
});

it('finds a reversal by a cancellation of what a refund had given back', async () => {
  const change = sql`
    update payment_event e set amount = amount - 5000
    where name = (select min(name) from payment_event where kind = 'reversal' and refund is null)`;
  expect(await findAfter(change)).toContain('reversal_differs');
});
