import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { aReceipt } from '../../../src/accounts/events/event-objects/receipts.ts';
import { eventCatalogue } from '../../../src/accounts/events/event-types.ts';
import { snapshotAssessment } from '../../../src/collection/assessments/snapshot.ts';
import { snapshotFiscalDocument } from '../../../src/collection/fiscal/snapshot.ts';
import { snapshotDay } from '../../../src/oversight/closes/days/find.ts';
import { snapshotEvent, snapshotIntent } from '../../../src/collection/payments/snapshot.ts';
import { snapshotRefund } from '../../../src/collection/payments/refunds/snapshot.ts';
import { snapshotReceipt } from '../../../src/collection/receipts/snapshot.ts';
import { getDatamodel } from '../../../src/generated/pothos.ts';
import { Decimal } from '../../../src/kernel/money.ts';
import { type Model, fromJson } from '../../../src/platform/database/record.ts';
import { documents } from '../../harness/schema/documents.ts';

/** The names of what is in a value, and in what is in it. */
type Tree = { readonly [name: string]: Tree | null };

const fragments = new Map(
  documents.definitions
    .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
    .map((node) => [node.name.value, node]),
);

function treeOfSelection({ selections }: SelectionSetNode): Tree {
  return Object.assign(
    {},
    ...selections.map((node) => {
      if (node.kind === Kind.FIELD)
        return { [(node.alias ?? node.name).value]: node.selectionSet ? treeOfSelection(node.selectionSet) : null };
      return treeOfSelection(
        node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value)!.selectionSet : node.selectionSet,
      );
    }),
  ) as Tree;
}

function treeOfAnswer(path: string): Tree {
  const operation = documents.definitions.find((node): node is OperationDefinitionNode => {
    const rest =
      node.kind === Kind.OPERATION_DEFINITION ? node.directives?.find(({ name }) => name.value === 'rest') : undefined;
    const given = Object.fromEntries(
      (rest?.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
    );
    return given['method'] === 'GET' && given['path'] === path;
  });
  return treeOfSelection(operation!.selectionSet)['data']!;
}

function treeOfValue(value: unknown): Tree | null {
  if (Array.isArray(value)) return treeOfValue(value[0]);
  if (typeof value !== 'object' || value === null || value instanceof Date) return null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, treeOfValue(member)]));
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** Members that are present only if the account set them, or the tariff of a line asks for them. */
const LABELS = 'reference metadata due_on replaces category base_amount stated_amount period waived exemption'.split(
  ' ',
);

function treeOfSchema({ properties, required, items }: JsonSchema): Tree | null {
  if (items) return treeOfSchema(items);
  if (!properties) return null;
  expect(Object.keys(properties).filter((name) => !LABELS.includes(name) || required?.includes(name))).toEqual(
    required,
  );
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, treeOfSchema(member)]));
}

/** A record with something in each field. */
function filled<M extends Model>(model: M) {
  const some: Readonly<Record<string, unknown>> = {
    String: 'a',
    Int: 1,
    Boolean: true,
    Decimal: new Decimal(1),
    DateTime: new Date(0),
  };
  return fromJson(
    model,
    Object.fromEntries(
      getDatamodel().datamodel.models[model]!.fields.map(({ name, type }) => [name, some[type] ?? null]),
    ),
  );
}

/** Members of a message in addition to its assessment. No endpoint answers with them. */
const BESIDE: Readonly<Record<string, Tree>> = {
  'assessment.propagated': { propagated_to: null },
  'assessment.propagation_reversed': { propagated_to: null, reversal_propagated_to: null },
  'assessment.propagation_rejected': { propagated_to: null, rejection: { mda: null, kind: null, reason: null } },
  'assessment.receipt_issued': { propagated_to: null, receipt: { mda: null, kind: null, number: null } },
  'assessment.overdue': { due_on: null },
  'assessment.bill_changed': { differences: { mda: null, service: null, amount: null, agency_amount: null } },
};

const notice = { ...treeOfSelection(fragments.get('Notice')!.selectionSet), withdrawn_at: null };

// It is sent when it arrives or is allocated, before and apart from its other outcomes.
const { open: _open, outcomes: _outcomes, ...booked } = treeOfSelection(fragments.get('MoneyReceived')!.selectionSet);
const money = { ...booked, agencies: null };

/** Messages that are of neither a payment nor an assessment. */
const OTHERS: Readonly<Record<string, Tree>> = {
  'agency_day.closed': treeOfValue(snapshotDay(filled('AgencyDay')))!,
  'alert.raised': {
    rule: null,
    agencies: null,
    anomalies: { name: null, kind: null, severity: null, mdas: null, raised_at: null },
    more: null,
  },
  'citizen.identity_changed': { name: null, assessments: null },
  'money_received.allocated': money,
  'money_received.booked': money,
  'notice.published': notice,
  'notice.withdrawn': notice,
  'fiscal_document.issued': treeOfValue(snapshotFiscalDocument(filled('FiscalDocument')))!,
};

describe('a message to integrators', () => {
  // These intents have ended, so the payer has no next action.
  const intent: Tree = { ...treeOfAnswer('/v1/payment-intents/{name}'), next_action: null };
  // Messages report changes. A request that waits for approval has changed nothing yet.
  const { pending_approval: _waits, ...assessment } = treeOfAnswer('/v1/assessments/{name}');
  const event = treeOfSelection(fragments.get('Event')!.selectionSet);
  const receipt = treeOfSelection(fragments.get('Receipt')!.selectionSet);
  // What staff wrote of it, and who they are, is not sent.
  const {
    note: _why,
    requested_by: _who,
    document_hash: _paper,
    payee_hint: _where,
    ...refund
  } = treeOfAnswer('/v1/refunds/{name}');

  it('has the fields that its object is answered with', () => {
    const snapshots = [
      snapshotIntent({ ...filled('PaymentIntent'), metadata: 'a', nextAction: null, splits: [filled('SplitRule')] }),
      snapshotAssessment({ ...filled('Assessment'), metadata: 'a', lines: [filled('AssessmentLine')] }),
      snapshotEvent(filled('PaymentEvent'), { sequence: 1, hash: 'a' }),
      snapshotReceipt(
        { ...filled('Receipt'), proof: 'enquiry', payload: aReceipt.payload },
        'https://rail.example.org',
      ),
      snapshotRefund(filled('Refund'), [filled('RefundShare')]),
    ];
    expect(snapshots.map(treeOfValue)).toEqual([intent, assessment, event, receipt, refund]);
  });

  it.each(eventCatalogue.filter(({ type }) => type !== 'webhook.test'))(
    'is described as it is sent: $type',
    ({ type, schema: described, example }) => {
      const object = OTHERS[type] ?? {
        ...({ payment_intent: intent, payment_event: event, receipt, refund }[type.split('.')[0]!] ?? assessment),
        ...BESIDE[type],
      };
      const whole = { id: null, type: null, created_at: null, sequence: null, data: { object } };
      expect(treeOfSchema(described as JsonSchema)).toEqual(whole);
      const isGiven = ([name]: [string, unknown]) =>
        type in OTHERS || !LABELS.includes(name) || name in (BESIDE[type] ?? {});
      const given = Object.fromEntries(
        Object.entries(object)
          .filter(isGiven)
          .map(([name, member]) => [
            name,
            name === 'lines' ? Object.fromEntries(Object.entries(member!).filter(isGiven)) : member,
          ]),
      );
      expect(treeOfValue(example)).toEqual({ ...whole, data: { object: given } });
    },
  );
});
