import { describe, expect, it } from 'vitest';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { enquireDue } from '../../../src/collection/payments/enquiries/enquire.ts';
import { makeActor, createPending } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** Lets so much time pass, and has what is due enquired about. */
async function pass(seconds: number): Promise<void> {
  rail.advance(seconds / 3_600);
  await enquireDue(callOf(rail.rail, actAsSystem('job:enquire'), 'test'), rail.rail.aggregators.get('mtn_momo')!);
}

/** An intent whose payer answers, though nobody hears of it. */
async function lost() {
  const actor = await makeActor(rail);
  const { intent } = await createPending(rail, actor);
  const initiate = () => actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123002' });
  expect(await initiate()).toMatchObject({ status: 504, code: 'adapter_timeout' });
  const seen = async () => (await actor.ask(`/v1/payment-intents/${intent}`)).data;
  return { actor, intent, initiate, seen };
}

describe('a collection of the sandbox whose answer was lost', () => {
  it('waits long enough to be initiated again by hand, and is the same one then', async () => {
    const { actor, intent, initiate, seen } = await lost();
    const { aggregator_reference: reference } = await seen();
    for (const seconds of [6, 10, 20]) {
      await pass(seconds);
      expect((await seen()).status).toBe('Pending');
    }
    expect((await initiate()).data.intent).toMatchObject({ status: 'Sent', aggregator_reference: reference });
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).data.assessment.status).toBe('Paid');
  });

  it('is the same one, too, when it is initiated again at once', async () => {
    const { initiate, seen } = await lost();
    const { aggregator_reference: reference } = await seen();
    expect((await initiate()).data.intent).toMatchObject({ status: 'Sent', aggregator_reference: reference });
  });

  it('is found complete after a minute where nobody does', async () => {
    const { seen } = await lost();
    await pass(30);
    expect((await seen()).status).toBe('Pending');
    await pass(60);
    expect((await seen()).status).toBe('Confirmed');
  });
});
