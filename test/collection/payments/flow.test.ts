import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { TWO_LINES_TOTAL, makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { Said } from '../../../src/kernel/text/said.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

describe('the typical flow over REST', () => {
  it('takes a citizen from registration to a confirmed, split, proven payment', async () => {
    const actor = await makeActor(rail);
    const registered = await actor.post('/v1/citizens/register', { nin: 'cm12345678abcd', mda: 'URA' });
    expect(registered.data).toMatchObject({
      created: true,
      source: 'nira',
      citizen: { nin: 'CM12345678ABCD', verified: true },
    });
    expect(registered.data.consent_event).toMatch(/^CONSENT-\d{4}-\d{6}$/);

    const made = await actor.post('/v1/assessments', {
      citizen: registered.data.citizen.name,
      lines: await twoLines(rail),
    });
    expect(made.data).toMatchObject({ status: 'Draft', total_amount: TWO_LINES_TOTAL, currency: 'UGX' });
    const { name } = made.data;
    expect((await actor.post(`/v1/assessments/${name}:assess`)).data).toMatchObject({
      status: 'Assessed',
      total_amount: TWO_LINES_TOTAL,
    });

    const intent = (await actor.post('/v1/payment-intents', { assessment: name, channel: 'mtn_momo' })).data;
    expect(intent).toMatchObject({
      status: 'Pending',
      amount: TWO_LINES_TOTAL,
      splits: [
        { mda: 'URA', amount: 450_000 },
        { mda: 'URSB', amount: 135_000 },
      ],
    });
    const initiation = (
      await actor.post(`/v1/payment-intents/${intent.name}:initiate`, { payer_msisdn: '+256700123456' })
    ).data;
    expect(initiation.intent).toMatchObject({
      status: 'Sent',
      aggregator_reference: `STUB-MTN_MOMO-${intent.name}`,
      payer_msisdn: '**********456',
    });
    expect(initiation.adapter_response).toMatchObject({ stub: true });

    const confirmation = (await actor.post(`/v1/payment-intents/${intent.name}:confirm`)).data;
    expect(confirmation.intent).toMatchObject({ status: 'Confirmed' });
    expect(confirmation.assessment).toMatchObject({ name, status: 'Paid' });
    expect(
      confirmation.events.map(({ mda, amount, kind }: { mda: string; amount: number; kind: string }) => ({
        mda,
        amount,
        kind,
      })),
    ).toEqual([
      { mda: 'URA', amount: 450_000, kind: 'payment' },
      { mda: 'URSB', amount: 135_000, kind: 'payment' },
    ]);

    const trace = (await actor.ask(`/v1/payment-intents/${intent.name}/trace`)).data;
    expect(trace.timeline.map(({ kind, summary }: { kind: string; summary: string }) => `${kind}: ${summary}`)).toEqual(
      [
        'assessment.update: Draft created',
        'assessment.update: Draft → Assessed',
        'payment_intent.update: Pending intent created',
        'adapter.initiate: mtn_momo accepted the collection',
        'payment_intent.update: Pending → Sent',
        'adapter.verify: mtn_momo reported SUCCESSFUL',
        'payment_intent.update: Sent → Confirmed',
        'payment_event.created: Payment of 450000 UGX recorded for URA',
        'payment_event.created: Payment of 135000 UGX recorded for URSB',
        expect.stringMatching(/^receipt\.update: Receipt RCP-\d{4}-\d\d-\d{6} issued$/),
        'assessment.update: Assessed → Paid',
      ],
    );
    // The kinds are called otherwise in the graph.
    const query = '{ paymentIntents { nodes { id timeline { at actor summary doc: docId detail } } } }';
    const { nodes } = (await actor.post('/graphql', { query })).json.data.paymentIntents;
    expect(nodes).toEqual([
      { id: intent.name, timeline: trace.timeline.map((row: object) => ({ ...row, kind: undefined })) },
    ]);
    const asked = '{ paymentIntents { nodes { timeline { summary summaryForm summaryValues } } } }';
    const { timeline } = (await actor.post('/graphql', { query: asked })).json.data.paymentIntents.nodes[0];
    for (const { summary, summaryForm, summaryValues } of timeline)
      expect(String(new Said(summaryForm, summaryValues))).toBe(summary);
    expect([timeline[0], timeline[7]]).toMatchObject([
      { summaryForm: 'Draft created', summaryValues: [] },
      { summaryForm: 'Payment of {0} {1} recorded for {2}', summaryValues: ['450000', 'UGX', 'URA'] },
    ]);
    expect(await rail.count(sql`select 1 from outbox where object in (${intent.name}, ${name})`)).toBe(2);
  });

  it('pays through every channel', async () => {
    const actor = await makeActor(rail);
    for (const channel of ['mtn_momo', 'airtel_money', 'card', 'cash']) {
      const { name } = (
        await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: await twoLines(rail) })
      ).data;
      await actor.post(`/v1/assessments/${name}:assess`);
      const intent = (await actor.post('/v1/payment-intents', { assessment: name, channel })).data.name;
      await actor.post(`/v1/payment-intents/${intent}:initiate`);
      const confirmation = await actor.post(`/v1/payment-intents/${intent}:confirm`);
      expect(confirmation.data.assessment.status, channel).toBe('Paid');
    }
  });
});
