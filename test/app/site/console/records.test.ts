import { describe, expect, it } from 'vitest';
import { schema } from '../../../../src/app/schema.ts';
import { textsOf } from '../../../../src/app/site/languages/texts.ts';
import { listEvidence } from '../../../../src/app/site/records/evidence.ts';
import { placeOf } from '../../../../src/app/site/records/places.ts';
import { isEnumType } from 'graphql';

const texts = textsOf('en');
const wording = { texts, timeZone: 'Africa/Kampala', placeOf: (id: unknown) => placeOf(id, () => true) };

describe('the evidence of an anomaly', () => {
  it('is a line for each finding, with amounts in their currency, moments by the clock, and links to records', () => {
    const evidence = {
      run: 'RECON-2026-11-000001',
      assessment: 'ASMT-2026-11-000001',
      statement_amount: '5000.5',
      statement_currency: 'KES',
      recorded_amount: 700,
      recorded_currency: 'not one',
      paid_at: '2026-11-22T21:30:00.000Z',
      owed: { URA: 10 },
      differences: [{ mda: 'URA', owed: '1' }],
      key: null,
      made_up: true,
    };
    const facts = listEvidence({ ...evidence, currency: 'UGX' }, wording);
    expect(facts.map(({ name, value }) => `${name}: ${value}`.replaceAll('\u00a0', ' '))).toEqual([
      'Reconciliation run: RECON-2026-11-000001',
      'Assessment: ASMT-2026-11-000001',
      'In the statement: KES 5,000.50',
      'Currency of the statement: KES',
      'Recorded here: UGX 700',
      'Currency recorded: not one',
      'Paid: Nov 23, 2026, 00:30',
      'Owed, URA: UGX 10',
      'Differences, 1, Agency: URA',
      'Differences, 1, Owed: UGX 1',
      'made up: true',
      'Currency: UGX',
    ]);
    expect(facts[1]!.link).toBe('/console/assessments/ASMT-2026-11-000001');
    expect(listEvidence('a text', wording)).toEqual([{ name: '', value: 'a text', link: null }]);
    expect(listEvidence(null, wording)).toEqual([]);
  });
});

describe('the page of a record', () => {
  it('is known by what its ID looks like, to those who may open it', () => {
    expect(wording.placeOf('PI-2026-11-000001')).toBe('/console/payments/PI-2026-11-000001');
    expect(wording.placeOf('ASMT-2026-11-000001.URA')).toBe('/console/propagations/ASMT-2026-11-000001.URA');
    expect(wording.placeOf('URA:UGX:2026-11-22')).toBeNull();
    expect(wording.placeOf(7)).toBeNull();
    expect(placeOf('PI-2026-11-000001', (need) => need !== 'payments.read')).toBeNull();
  });
});

describe('messages for values of the graph', () => {
  it.each([
    ['AnomalyKind', 'anomaly'],
    ['AnomalyKind', 'anomalyToDo'],
    ['AnomalySeverity', 'severity'],
    ['AnomalyStatus', 'anomalyStatus'],
    ['PropagationStatus', 'propagationStatus'],
    ['PropagationKind', 'propagationKind'],
    ['WebhookDeliveryStatus', 'deliveryStatus'],
    ['WebhookDeliveryHold', 'onHold'],
    ['WebhookEventType', 'eventType'],
    ['PaymentIntentStatus', 'intentStatus'],
    ['AssessmentStatus', 'assessmentStatus'],
    ['Channel', 'channel'],
  ])('are there for each %s as %s', (name, as) => {
    const type = schema.getType(name);
    const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !texts.has(`${as}.${value}`))).toEqual([]);
  });
});
