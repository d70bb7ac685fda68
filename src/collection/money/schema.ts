import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { currencyCode, docname, docnameArg, ownDocname, senderName } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { addAnomalySubject } from '../anomalies/subject.ts';
import { assessmentFieldIfAny } from '../assessments/edges.ts';
import { referenceLoader } from '../references/find.ts';
import { readNumber } from '../references/number.ts';
import { ReferenceType } from '../references/schema.ts';
import { getMoney, listMoney, listMoneyOf, moneyLoader } from './find.ts';
import { type MoneyOutcome, readOpenOf, readOutcomesOf } from './outcomes.ts';
import { MoneyOutcomeKind } from '../../generated/prisma/enums.ts';
import { MONEY_KINDS, type MoneyKind } from './receive.ts';

const readers = 'For admins, system managers, the oversight role and finance officers.';

const MoneyKindEnum = defineEnum<MoneyKind>('MoneyKind', 'Reason why money that arrived paid nothing.', MONEY_KINDS);

export const OutcomeKindEnum = builder.enumType(MoneyOutcomeKind, {
  name: 'MoneyOutcomeKind',
  description: 'The outcome of money that paid nothing.',
  values: {
    allocated: { description: 'It pays an assessment.' },
    returned: { description: 'A refund gave it back.' },
    transferred: { description: 'Its provider transferred it elsewhere.' },
    written_off: { description: 'It is kept, and nobody claims it.' },
  },
});

export const OutcomeType = builder.objectRef<MoneyOutcome>('MoneyOutcome').implement({
  description: 'The outcome of money that paid nothing, or of a part of it. It never changes.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OutcomeKindEnum, description: 'The outcome of this amount.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount, in the currency of the money.' }),
    intentId: t.exposeID('intent', {
      nullable: true,
      description: 'The docname of the payment intent that it confirmed; null if it was not allocated.',
      ...docname('intent'),
    }),
    refundId: t.exposeID('refund', {
      nullable: true,
      description: 'The docname of the refund that gave it back; null if it was not returned.',
      ...docname('refund'),
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason for which it was transferred or written off; null for others.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the outcome.' }),
  }),
});

export const MoneyType = builder.prismaObject('MoneyReceived', {
  description:
    'Money that arrived and paid nothing, so that no payment event has it. Staff allocate it, give it back, or close it. Once an aggregator corrects its report and the payment is confirmed, it is no longer listed.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('money')),
    provider: t.exposeString('provider', { description: 'The payment point, or the aggregator, that has it.' }),
    txnId: t.exposeString('txnId', { description: 'The transaction ID there; it is booked once.' }),
    kind: t.field({
      type: MoneyKindEnum,
      description: 'Reason why it paid nothing.',
      resolve: ({ kind }) => kind as MoneyKind,
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount that arrived.' }),
    currency: t.exposeString('currency', { description: 'The currency that arrived (ISO 4217).', ...currencyCode }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'Text typed at the place of payment; null for money of an aggregator.',
    }),
    paymentReference: t.field({
      type: ReferenceType,
      nullable: true,
      description: 'The payment reference that was paid by; null if there is none for the caller.',
      ...needs('payments.read', { alone: true }),
      resolve: ({ reference }, _args, call, info) =>
        followIfAny(call, info, referenceLoader, reference && readNumber(reference)),
    }),
    assessmentId: t.exposeID('assessment', {
      nullable: true,
      description: 'The docname of the assessment that was to be paid; null if none is known.',
      ...docname('assessment'),
    }),
    assessment: t.field(assessmentFieldIfAny('The assessment that was to be paid; null if none is known.')),
    open: t.field({
      type: 'Decimal',
      description: 'The amount that is not settled: it has no outcome, and no refund is about to give it back.',
      resolve: ({ name }, _args, call) => readOpenOf(call, name),
    }),
    outcomes: t.field({
      type: [OutcomeType],
      description: 'Its outcomes, oldest first. With `open` and open refunds they add up to the amount.',
      resolve: ({ name }, _args, call) => readOutcomesOf(call, name),
    }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'Time of payment, as the provider says.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the rail learned of it.' }),
    updatedAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Equal to `createdAt`: what arrived never changes.',
    }),
  }),
});

addAnomalySubject(MoneyType);

defineNode({
  typename: 'MoneyReceived',
  needs: ['assessment.money'],
  matches: (id) => isDocname('money', id),
  loader: moneyLoader,
});

const MoneyConnection = defineConnection('MoneyReceived', MoneyType, 'money', { sums: 'the amounts' });

builder.prismaObjectField('Assessment', 'moneyReceived', (t) =>
  t.field({
    description: `Money that arrived for it and did not pay it, newest first. ${readers} So may the account that made it, and its agencies by a token, with \`payments.read\`.`,
    ...needs('assessment.money', { alone: true }),
    ...connection(MoneyConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listMoneyOf(call, name, args),
  }),
);

builder.queryFields((t) => ({
  receivedMoney: t.field({
    type: MoneyType,
    description: `Returns money that arrived and paid nothing. ${readers} \`not_found\` if it does not exist.`,
    ...needs('money.read'),
    args: { id: t.arg.id(docnameArg('money')) },
    resolve: (_root, { id }, call) => getMoney(call, id),
  }),
  moneyReceived: t.field({
    description: `Money that arrived and paid nothing, newest first. ${readers} Staff who are bound to agencies see what was for assessments of these.`,
    ...needs('money.read'),
    ...connection(MoneyConnection, {
      most: 200,
      searched: ['kind', 'provider'],
      args: {
        kind: t.arg({ type: [MoneyKindEnum], description: 'Filter by why it paid nothing: any of these.' }),
        provider: t.arg.id({ description: 'Filter by who has it.', ...senderName }),
        assessment: t.arg.id({ description: 'Filter by assessment (docname).', ...docname('assessment') }),
        open: t.arg.boolean({
          description: 'True for money of which a part is open, false for money that is settled.',
        }),
        fromDate: t.arg({ type: 'Date', description: 'From this UTC day on.' }),
        toDate: t.arg({ type: 'Date', description: 'Up to and including this UTC day.' }),
      },
    }),
    resolve: (_root, args, call) => listMoney(call, args, args),
  }),
}));
