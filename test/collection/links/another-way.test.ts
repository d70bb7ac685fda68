import { describe, expect, it } from 'vitest';
import { enquireDue } from '../../../src/collection/payments/enquiries/enquire.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createAssessedFor, makeActor } from '../../harness/flow.ts';
import { planNext, startOutsideRail, statusOf } from '../../harness/outside.ts';
import { makeLink } from '../../harness/people/link.ts';

const held = startOutsideRail();
const { rail } = held;
/** Longer than any test: the payer does nothing of themselves. */
const LATER = { settleMs: 3_600_000 };

async function begin(channel: 'mtn_momo' | 'card') {
  planNext(held.outside, 'card', LATER);
  planNext(held.outside, 'mtn_momo', LATER);
  const actor = await makeActor(rail);
  const link = await makeLink(rail, actor, (await createAssessedFor(rail, actor, 'URA-PAYE')).assessment);
  const start = async (way: string) => {
    const { data, text } = await link.change(`startPayment(channel: ${way}, payerMsisdn: "+256772123456")`);
    if (!data?.startPayment) throw new Error(text);
    return data.startPayment;
  };
  const { attempt: first } = await start(channel);
  const kinds = () =>
    rail.rows<{ kind: string; summary: unknown }>(sql`
      select kind, summary from trace_row where intent = ${first.id} and kind like 'adapter.%' order by id`);
  return { actor, link, start, first, kinds };
}

describe('a payer who pays another way instead', () => {
  it('has the page of the first closed at the provider, which ends it after it was asked about', async () => {
    const { actor, start, first, kinds } = await begin('card');
    const { attempt } = await start('mtn_momo');
    expect(attempt).toMatchObject({ channel: 'mtn_momo', status: 'Sent' });
    expect(await statusOf(actor, first.id)).toBe('Expired');
    expect((await kinds()).map(({ kind }) => kind)).toEqual(['adapter.initiate', 'adapter.withdraw', 'adapter.verify']);
    expect((await fetch(first.nextAction.url, { method: 'POST' })).status).toBe(404);
    const { attempt: back } = await start('card');
    expect(back.id).not.toBe(first.id);
    expect((await fetch(back.nextAction.url)).status).toBe(200);
  });

  it('begins no other where the first turns out to be paid', async () => {
    const { actor, link, start, first } = await begin('card');
    held.outside.card.control.version = 3;
    held.outside.card.books.settle(held.outside.card.books.byIntent(first.id)!, 'FLW-SIM-');
    expect((await start('mtn_momo')).state).toBe('paid');
    expect(await statusOf(actor, first.id)).toBe('Confirmed');
    expect((await link.page()).receipts).toMatchObject([{ contents: { kind: 'payment' } }]);
    expect(await rail.count(sql`select 1 from payment_intent where link = ${link.name}`)).toBe(1);
  });

  it('keeps the first as it is where the provider cannot withdraw it, or does not', async () => {
    const push = await begin('mtn_momo');
    await push.start('card');
    expect(await statusOf(push.actor, push.first.id)).toBe('Sent');
    expect((await push.kinds()).map(({ kind }) => kind)).toEqual(['adapter.initiate', 'adapter.verify']);
    const card = await begin('card');
    held.outside.card.trouble.down = 'cutting';
    expect((await card.start('mtn_momo')).attempt.status).toBe('Sent');
    held.outside.card.trouble.down = 'no';
    expect(await statusOf(card.actor, card.first.id)).toBe('Sent');
    expect((await card.kinds())[1]).toEqual({
      kind: 'adapter.withdraw',
      summary: ['{0} did not withdraw the collection: {1}', 'card', 'failed'],
    });
  });

  it('has a number instead, too; what is paid at the page nevertheless is booked as late', async () => {
    const { actor, link, first } = await begin('card');
    expect((await link.change('showReference')).data.showReference.reference).toMatchObject({ status: 'Issued' });
    expect(await statusOf(actor, first.id)).toBe('Expired');
    held.outside.card.books.settle(held.outside.card.books.byIntent(first.id)!, 'FLW-SIM-');
    rail.advance(1);
    await enquireDue(callOf(rail.rail, actAsSystem('job:enquire'), 'r'), rail.rail.aggregators.get('card')!);
    expect(await statusOf(actor, first.id)).toBe('Confirmed');
    expect(await rail.count(sql`select 1 from anomaly where kind = 'late_collection' and subject = ${first.id}`)).toBe(
      1,
    );
  });
});
