import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { drawNumber } from '../../../src/collection/references/number.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, TWO_LINES_TOTAL, createConfirmed, createSent, makeActor } from '../../harness/flow.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const bank = makePoint(rail);
let actor: Actor;
let key: string;
beforeAll(async () => {
  actor = await makeActor(rail);
  key = (await rail.key('oversight.read')).plaintext;
});

/** A group of measures by some dimensions. */
async function figures(by: string, group: string, measures: string): Promise<unknown> {
  const query = `{ oversight { figures(by: [${by}]) { nodes { key { agencyId provider } ${group} { ${measures} } } } } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query } });
  expect(json.errors).toBeUndefined();
  return json.data.oversight.figures.nodes;
}

it('receipts count once for each agency, and once in all; void and printed again as they stand', async () => {
  const [kept, reversed] = [await createConfirmed(rail, actor), await createConfirmed(rail, actor)];
  const all = () => figures('', 'receipts', 'receipts voidReceipts reprintedReceipts');
  const before = [{ receipts: { receipts: 2, voidReceipts: 0, reprintedReceipts: 0 } }];
  expect(await all()).toMatchObject(before);
  await actor.post(`/v1/assessments/${reversed.assessment}:cancel`, { reason: 'Taken twice' });
  const [{ name }] = (await actor.ask(`/v1/assessments/${kept.assessment}/receipts`)).data;
  const print = () => actor.post(`/v1/receipts/${name}:print`, { station: 'Window 1' });
  await print();
  expect(await all()).toMatchObject([{ receipts: { receipts: 2, voidReceipts: 1, reprintedReceipts: 0 } }]);
  await print();
  const after = { receipts: 2, voidReceipts: 1, reprintedReceipts: 1 };
  expect(await all()).toMatchObject([{ receipts: after }]);
  const agencies = await rail.rows<{ mda: string }>(sql`select distinct mda from payment_event order by mda`);
  expect(agencies.length).toBeGreaterThan(1);
  expect(await figures('agency', 'receipts', 'receipts voidReceipts reprintedReceipts')).toMatchObject(
    agencies.map(({ mda }) => ({ key: { agencyId: mda }, receipts: after })),
  );
});

it('money that paid nothing counts by provider, with what nobody has settled of it', async () => {
  const [one, two] = [
    await bank.pay({ reference: drawNumber(), amount: 1_000 }),
    await bank.pay({ reference: drawNumber(), amount: 2_500 }),
  ];
  const measured = async () => {
    const nodes = await figures('provider', 'moneyReceived', 'unmatchedPayments unmatchedAmount moneyOpen');
    return (nodes as { moneyReceived: object }[]).map(({ moneyReceived }) => moneyReceived);
  };
  const all = { unmatchedPayments: 2, unmatchedAmount: 3_500 };
  expect(await measured()).toEqual([{ ...all, moneyOpen: 3_500 }]);
  const admin = await makeStaff(rail, 'admin');
  const closing = { as: 'transferred', amount: 400, reason: 'Sent back' };
  await admin.post(`/v1/ops/money-received/${one.data.object}:close`, closing);
  expect(await measured()).toEqual([{ ...all, moneyOpen: 3_100 }]);
  const refund = { money: two.data.object, reason_code: 'overpaid' };
  const { name } = (await admin.post('/v1/refunds', refund)).data;
  expect(await measured()).toEqual([{ ...all, moneyOpen: 600 }]);
  const paid_on = rail.rail.now().toISOString().slice(0, 10);
  await admin.post(`/v1/refunds/${name}:prove`, { reference: 'FT1', paid_on });
  expect(await measured()).toEqual([{ ...all, moneyOpen: 600 }]);
});

it('money counts until an aggregator corrects its report, and the payment is confirmed', async () => {
  const before = await figures('provider', 'moneyReceived', 'unmatchedPayments');
  const { intent } = await createSent(rail, actor);
  const report = (amount: number) =>
    rail.ask('/v1/webhooks/mtn_momo', {
      body: { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount, currency: 'UGX', txn_id: 'MTN-1' },
    });
  expect((await report(1)).data.decision).toBe('amount_mismatch');
  expect(await figures('provider', 'moneyReceived', 'unmatchedPayments')).toContainEqual({
    key: { agencyId: null, provider: 'mtn_momo' },
    moneyReceived: { unmatchedPayments: 1 },
  });
  expect((await report(TWO_LINES_TOTAL)).data.decision).toBe('confirmed');
  expect(await figures('provider', 'moneyReceived', 'unmatchedPayments')).toEqual(before);
});
