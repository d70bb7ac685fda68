import { expect, it } from 'vitest';
import { completeReceipts } from '../../../src/collection/receipts/complete.ts';
import { rollSigningKey } from '../../../src/platform/access/tokens/signing-keys.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { DOCUMENT_CHECKS } from '../../../src/oversight/seals/document-checks.ts';
import { runCheck } from '../../../src/oversight/seals/check.ts';
import {
  type Actor,
  createConfirmed,
  createInitiated,
  createPending,
  createPendingFor,
  createSent,
  makeActor,
} from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const operator = () => callOf(rail.rail, commandLine, 'test');

interface Receipt {
  readonly [member: string]: unknown;
  readonly name: string;
}

/** The receipts of an assessment, newest first. */
const receiptsOf = async (who: Pick<Actor, 'ask'>, assessment: string) =>
  (await who.ask(`/v1/assessments/${assessment}/receipts`)).data as Receipt[];
const stateOf = async ({ payload, signature, kid }: Receipt) =>
  (await rail.ask('/v1/receipts:verify', { body: { payload, signature, kid } })).data.state;

it('what a version without receipts confirmed has one once the job ran, and none that holds if that version reversed it', async () => {
  const actor = await makeActor(rail);
  const { assessment, intent } = await createPending(rail, actor);
  const second = await createPendingFor(actor, assessment);
  for (const one of [intent, second]) await createInitiated(actor, one);
  for (const one of [intent, second]) await actor.post(`/v1/payment-intents/${one}:confirm`);
  const late = await createSent(rail, actor);
  await actor.post(`/v1/assessments/${late.assessment}:cancel`);
  await actor.post(`/v1/payment-intents/${late.intent}:confirm`);
  const contentsOf = async () =>
    [...(await receiptsOf(actor, assessment)), ...(await receiptsOf(actor, late.assessment))]
      .map(({ intent: of, status, contents }) => ({ of, status, contents }))
      .toSorted((a, b) => String(a.of).localeCompare(String(b.of)));
  const issued = await contentsOf();
  expect(issued).toHaveLength(3);
  const reversed = await createConfirmed(rail, actor);
  const [before] = await receiptsOf(actor, reversed.assessment);
  const both = [assessment, late.assessment];
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`delete from receipt where assessment = any(${both})`);
  });
  await rail.rows(sql`
      with cancelled as (
        update assessment set status = 'Cancelled', cancelled_at = now(), revision = revision + 1
        where name = ${reversed.assessment})
      insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
        aggregator_reference, txn_id, occurred_at, created_at)
      select 'PEV-9' || name, intent, assessment, integrator, mda, -amount, currency, channel, 'reversal',
        aggregator_reference, txn_id, now(), now()
      from payment_event where intent = ${reversed.intent}`);
  expect(await stateOf(before!)).toBe('void');

  rail.advance(2);
  await rollSigningKey(operator(), 'receipt', { reason: 'Yearly' });
  expect(await completeReceipts(operator())).toBe(4);
  expect(await completeReceipts(operator())).toBe(0);
  expect(await contentsOf()).toEqual(issued);
  for (const receipt of await receiptsOf(actor, assessment)) expect(await stateOf(receipt)).toBe('valid');
  const [told] = await receiptsOf(actor, reversed.assessment);
  expect(told).toMatchObject({ name: before!.name, status: 'Void' });
  expect(await rail.rows(sql`select payload from outbox where object = ${told!.name} and sequence = 2`)).toEqual([
    { payload: told },
  ]);
  for (const check of DOCUMENT_CHECKS.filter(([name]) => name.startsWith('receipt_')))
    expect(await runCheck(rail.rail.db, check)).toBeNull();
});
