import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { listEvidence } from '../../../src/site/records/evidence.ts';
import { listHistory } from '../../../src/site/records/history.ts';
import { linkToRecord } from '../../../src/site/records/links.ts';
import { drawStates } from '../../../src/site/records/states.ts';
import { intentLifecycle } from '../../../src/collection/payments/lifecycle.ts';
import { isEnumType } from 'graphql';

const texts = textsOf('en');
const wording = { texts, timeZone: 'Africa/Kampala', linkToRecord: (id: unknown) => linkToRecord(id, () => true) };

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
      'Paid: 23 Nov 2026, 00:30',
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

describe('the states of a record', () => {
  const row = (at: string, to: string) => ({ at, kind: 'payment_intent_update', docId: 'PI-1', detail: { to } });
  const nameOf = (message: string) => `<${message}>`;

  it('are drawn from the table of its lifecycle, with the way that it took', () => {
    const rows = [row('1', 'Pending'), row('2', 'Expired'), row('3', 'Confirmed')];
    const other = { ...row('4', 'Failed'), docId: 'PI-2' };
    const { svg, path, family } = drawStates('intent', [...rows, other], 'PI-1', nameOf);
    expect(family).toBe('intentStatus');
    expect(path).toEqual([
      { state: 'Pending', at: '1' },
      { state: 'Expired', at: '2' },
      { state: 'Confirmed', at: '3' },
    ]);
    const edges = Object.values(intentLifecycle).flatMap(({ from }) => from);
    expect(svg.match(/class="arrow/g)).toHaveLength(edges.length);
    expect(svg.match(/class="arrow taken"/g)).toHaveLength(2);
    expect(svg.match(/class="state here"/g)).toHaveLength(1);
    expect(svg.match(/class="state visited"/g)).toHaveLength(2);
    expect(svg).toContain('&lt;intentStatus.Failed>');
    expect(svg).not.toMatch(/style=|<script/);
  });
});

describe('what happened to a payment', () => {
  it('is its trace with the seals, and notices and messages where they ended', () => {
    const at = (minute: number) => `2026-11-22T10:0${minute}:00.000Z`;
    const steps = listHistory({
      timeline: [
        {
          at: at(1),
          kind: 'payment_event_created',
          actor: 'job',
          summaryForm: 'Paid',
          summaryValues: [],
          docId: 'PEV-1',
          detail: {},
        },
        {
          at: at(2),
          kind: 'assessment_update',
          actor: 'job',
          summaryForm: '{0} → {1}',
          summaryValues: ['Assessed', 'Paid'],
          docId: 'A-1',
          detail: { to: 'Paid' },
        },
      ],
      events: [{ id: 'PEV-1', seal: { sequence: 7, hash: 'abc' } }],
      propagations: [
        {
          id: 'A-1.URA',
          agencyId: 'URA',
          status: 'done',
          createdAt: at(0),
          updatedAt: at(3),
          receipt: 'R-1',
          lastError: null,
        },
      ],
      deliveries: [{ id: 'WHD-1', type: 'assessment_paid', status: 'pending', createdAt: at(0), updatedAt: at(4) }],
      nameOf: (type) => type,
      translate: (said) => ({ text: `${said.toString()}!`, lang: said.values.length > 0 ? null : 'en' }),
    });
    expect(steps.map(({ kind, text, lang, status }) => [kind, text, lang, status])).toEqual([
      ['delivery', 'assessment_paid', null, 'pending'],
      ['payment_event_created', 'Paid!', 'en', null],
      ['assessment_update', 'Assessed → Paid!', null, null],
      ['propagation', 'URA: R-1', null, 'done'],
    ]);
    expect(steps[1]).toMatchObject({ seal: { sequence: 7 }, detail: null });
    expect(steps[2]!.detail).toContain('"to": "Paid"');
  });
});

describe('the page of a record', () => {
  it('is known by what its ID looks like, to those who may open it', () => {
    expect(wording.linkToRecord('PI-2026-11-000001')).toBe('/console/payments/PI-2026-11-000001');
    expect(wording.linkToRecord('ASMT-2026-11-000001.URA')).toBe('/console/propagations/ASMT-2026-11-000001.URA');
    expect(wording.linkToRecord('URA:UGX:2026-11-22')).toBeNull();
    expect(wording.linkToRecord(7)).toBeNull();
    expect(linkToRecord('PI-2026-11-000001', (need) => need !== 'payments.read')).toBeNull();
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
    ['TimelineKind', 'history'],
  ])('are there for each %s as %s', (name, as) => {
    const type = schema.getType(name);
    const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !texts.has(`${as}.${value}`))).toEqual([]);
  });
});
