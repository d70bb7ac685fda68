import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { currencyCode, docname, ownDocname, senderName } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { addAnomalySubject } from '../anomalies/subject.ts';
import { assessmentLoader } from '../assessments/find.ts';
import { referenceLoader } from '../references/find.ts';
import { readNumber } from '../references/number.ts';
import { ReferenceType } from '../references/schema.ts';
import { listMoney, listMoneyOf, moneyLoader } from './find.ts';
import { MONEY_KINDS, type MoneyKind } from './receive.ts';

const readers = 'For admins, system managers, the oversight role and finance officers.';

const MoneyKindEnum = defineEnum<MoneyKind>('MoneyKind', 'Reason why money that arrived paid nothing.', MONEY_KINDS);

export const MoneyType = builder.prismaObject('MoneyReceived', {
  description:
    'Money that arrived and paid nothing, so that no payment event has it. Staff settle it with the one who has it. Once an aggregator corrects its report and the payment is confirmed, it is no longer listed.',
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
    assessment: t.field({
      type: 'Assessment',
      nullable: true,
      description: 'The assessment that was to be paid; null if none is known. Scope `assessments.read`.',
      ...needs('assessments.read', { alone: true }),
      resolve: ({ assessment }, _args, call, info) => followIfAny(call, info, assessmentLoader, assessment),
    }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'Time of payment, as the provider says.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the rail learned of it.' }),
    updatedAt: t.expose('createdAt', { type: 'DateTime', description: 'Equal to `createdAt`: rows never change.' }),
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
        fromDate: t.arg({ type: 'Date', description: 'From this UTC day on.' }),
        toDate: t.arg({ type: 'Date', description: 'Up to and including this UTC day.' }),
      },
    }),
    resolve: (_root, args, call) => listMoney(call, args, args),
  }),
}));
