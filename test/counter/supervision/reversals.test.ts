import { beforeAll, describe, expect, it } from 'vitest';
import { createConfirmed, createPending, makeActor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { collectInShift, openShift, sendInShift } from '../../harness/people/counter.ts';
import { RELATIONS } from '../../harness/people/relations.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const verdictOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];
const DONE = [200, undefined];
const OWN = [403, 'own_reversal'];

interface Poster {
  post(path: string, body?: unknown): Promise<Answer>;
}

const reverse = async (by: Poster, assessment: string) =>
  verdictOf(await by.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Oops' }));

describe('on a live rail', () => {
  const rail = testRail(LIVE);

  it('a supervisor who takes cash cannot take it back out of the till; another one can', async () => {
    const [one, other] = [await makeStaff(rail, 'supervisor'), await makeStaff(rail, 'supervisor')];
    const shift = await openShift(one);
    const { assessment, amount } = await collectInShift(rail, one, shift);
    expect(await reverse(one, assessment)).toEqual(OWN);
    const { data } = await one.ask(`/v1/assessments/${assessment}`);
    expect([data.status, data.cancel_reason]).toEqual(['Paid', null]);
    expect((await one.ask(`/v1/counter-shifts/${shift}`)).data.expected_cash).toBe(amount);
    expect(await reverse(other, assessment)).toEqual(DONE);
    expect((await one.ask(`/v1/counter-shifts/${shift}`)).data.expected_cash).toBe(0);
  });
});

describe('in a sandbox', () => {
  const rail = testRail();
  let clerk: StaffActor;
  let shift: string;
  let supervisor: StaffActor;

  beforeAll(async () => {
    [clerk, supervisor] = [await makeStaff(rail, 'clerk', 'supervisor'), await makeStaff(rail, 'supervisor')];
    shift = await openShift(clerk);
  });

  it('nobody reverses a mobile money payment in a shift of their own', async () => {
    const { assessment } = await collectInShift(rail, clerk, shift, 'mtn_momo');
    expect(await reverse(clerk, assessment)).toEqual(OWN);
    expect(await reverse(supervisor, assessment)).toEqual(DONE);
  });

  it('nobody reverses cash that they confirmed in the shift of somebody else', async () => {
    const { assessment, intent } = await sendInShift(rail, clerk, shift);
    expect((await supervisor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    expect(await reverse(supervisor, assessment)).toEqual(OWN);
    expect(await reverse(await makeStaff(rail, 'supervisor'), assessment)).toEqual(DONE);
  });

  it('an account reverses what an aggregator reported to it, but not cash that it confirmed without a shift', async () => {
    const actor = await makeActor(rail);
    expect(await reverse(actor, (await createConfirmed(rail, actor)).assessment)).toEqual(DONE);
    const { assessment, intent } = await createPending(rail, actor, 'cash');
    for (const verb of ['initiate', 'confirm'])
      expect((await actor.post(`/v1/payment-intents/${intent}:${verb}`)).status).toBe(200);
    expect(await reverse(actor, assessment)).toEqual(OWN);
    expect(await reverse(supervisor, assessment)).toEqual(DONE);
  });

  it('what waits to be paid is cancelled by those who made it', async () => {
    const { assessment } = await sendInShift(rail, clerk, shift);
    expect(await reverse(clerk, assessment)).toEqual(DONE);
  });

  it.each(RELATIONS)('cash is reversed by another who is $name: $independent', async (relation) => {
    const [taker, decider] = await relation.make(rail, 'supervisor');
    const { assessment } = await collectInShift(rail, taker, await openShift(taker));
    const refused = taker.email === decider.email ? OWN : [403, 'not_independent'];
    expect(await reverse(decider, assessment)).toEqual(relation.independent ? DONE : refused);
  });
});
