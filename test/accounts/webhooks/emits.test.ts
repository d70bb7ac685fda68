import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/accounts/events/event-types.ts';
import type { Lifecycle } from '../../../src/kernel/lifecycle.ts';

const ROOT = new URL('../../../', import.meta.url);
const modules = await Promise.all(
  globSync('src/**/lifecycle.ts', { cwd: ROOT }).map((file) => import(new URL(file, ROOT).href)),
);
const lifecycles = modules.flatMap((module: object) =>
  Object.entries(module).filter((entry): entry is [string, Lifecycle<string>] => entry[0].endsWith('Lifecycle')),
);
const edges = lifecycles.flatMap(([name, lifecycle]) =>
  Object.entries(lifecycle).map(([action, edge]) => ({ edge: `${name}.${action}`, ...edge })),
);

/**
 * Types of messages that no change of a state sends: the test that an integrator asks for, closed days, alerts, what agencies tell of
 * that changes none, due days that pass, money that paid nothing, notices, receipts, and a refund that comes about.
 */
const ASKED_FOR = [
  'webhook.test',
  'agency_day.closed',
  'alert.raised',
  'assessment.bill_changed',
  'assessment.overdue',
  'citizen.identity_changed',
  'fiscal_document.issued',
  'money_received.allocated',
  'money_received.booked',
  'notice.published',
  'notice.withdrawn',
  'payment_event.created',
  'payment_event.reversed',
  'receipt.issued',
  'receipt.voided',
  'refund.requested',
];

describe('the edges of all lifecycles', () => {
  it('emit each type of the catalogue of events, one edge each, and no other', () => {
    expect(lifecycles.map(([name]) => name).toSorted()).toEqual([
      'anomalyLifecycle',
      'assessmentLifecycle',
      'deliveryLifecycle',
      'exemptionLifecycle',
      'integratorLifecycle',
      'intentLifecycle',
      'keyLifecycle',
      'linkLifecycle',
      'liveRequestLifecycle',
      'propagationLifecycle',
      'referenceLifecycle',
      'refundLifecycle',
      'shiftLifecycle',
      'varianceLifecycle',
    ]);
    // What is replaced is Cancelled, too.
    const emitted = edges.flatMap(({ edge, emits }) => (edge === 'assessmentLifecycle.replace' ? [] : (emits ?? [])));
    expect([...emitted, ...ASKED_FOR].toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  it('emit wherever an assessment or an intent comes into a state that the catalogue has a name for', () => {
    const silent = edges.filter(({ edge, to, emits }) => {
      const object = { assessmentLifecycle: 'assessment', intentLifecycle: 'payment_intent' }[edge.split('.')[0]!];
      return (
        object !== undefined &&
        emits !== `${object}.${to.toLowerCase()}` &&
        EVENT_TYPES.some((type) => type === `${object}.${to.toLowerCase()}`)
      );
    });
    expect(silent).toEqual([]);
  });
});
