import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { between, currencyCode, docname, docnameArg } from '../../graphql/input/forms.ts';
import { currencyArgs } from '../../graphql/input/currency.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { assessmentLoader } from '../assessments/find.ts';
import { agencyLoader } from '../catalogue/find.ts';
import {
  type ShownReference,
  agenciesOf,
  getReference,
  listReferencesOf,
  lookUpReference,
  referenceLoader,
} from './find.ts';
import { MOST_DAYS, DEFAULT_DAYS, issueReference } from './issue.ts';
import { type ReferenceStatus, referenceStatusOf } from './lifecycle.ts';
import { isNumber } from './number.ts';

export const ReferenceStatusEnum = defineEnum<ReferenceStatus>(
  'PaymentReferenceStatus',
  'The status of a payment reference.',
  {
    Issued: 'It can be paid.',
    Expired: 'Its time is over; another can be issued.',
    Paid: 'The assessment was paid, by this number or in another way.',
    Withdrawn: 'The assessment was cancelled, or another reference took its place.',
  },
);

export const ReferenceType = builder.objectRef<ShownReference>('PaymentReference').implement({
  description:
    'A number to pay an assessment by: at a bank, at an agent, or by a code on a phone. It stands for nothing else, ever. Only its exact amount pays.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('number', {
      description: 'The number: 13 digits, of which the last two are check digits (ISO 7064, MOD 97-10).',
      ...shape({ examples: ['4820917365135'] }),
    }),
    amount: t.expose('amount', { type: 'Decimal', description: "The amount to pay: the assessment's total." }),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    status: t.field({
      type: ReferenceStatusEnum,
      description: 'The current status: whether it can be paid, or why it cannot.',
      resolve: (reference, _args, call) => referenceStatusOf(reference, call.now()),
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be paid.' }),
    agencies: t.field({
      type: ['Agency'],
      description: 'The agencies that the amount is owed to.',
      resolve: async ({ number }, _args, call, info) =>
        Promise.all((await agenciesOf(call, number)).map(({ mda }) => follow(call, info, agencyLoader, mda))),
    }),
    assessmentId: t.exposeID('assessment', {
      nullable: true,
      description: 'The docname of the assessment; null for who may not see it.',
      ...docname('assessment'),
    }),
    assessment: t.field({
      type: 'Assessment',
      nullable: true,
      description: 'The assessment; null for who may not see it. Scope `assessments.read`.',
      ...needs('assessments.read', { alone: true }),
      resolve: ({ assessment }, _args, call, info) => followIfAny(call, info, assessmentLoader, assessment),
    }),
    issuedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of issue; null for those who may not see the assessment.',
    }),
    changedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of last change; null for those who may not see the assessment.',
    }),
  }),
});

defineNode({
  typename: 'PaymentReference',
  needs: ['payments.read'],
  matches: isNumber,
  loader: referenceLoader,
});

const ReferenceConnection = defineConnection('PaymentReference', ReferenceType, 'payment references');

builder.prismaObjectField('Assessment', 'paymentReferences', (t) =>
  t.field({
    description: 'The payment references that were issued for it, newest first. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    ...connection(ReferenceConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listReferencesOf(call, name, args),
  }),
);

builder.queryFields((t) => ({
  paymentReference: t.field({
    type: ReferenceType,
    description:
      'Returns a payment reference by its number, to everybody. Who made its assessment, and its agencies, see what it is for too. `not_found` for a number that is unknown or mistyped; `rate_limited` after 10 of these in a minute.',
    args: {
      number: t.arg.id({ required: true, description: 'The number: 13 digits.', ...shape({ maxLength: 255 }) }),
    },
    resolve: (_root, { number }, call) => lookUpReference(call, number),
  }),
}));

builder.mutationFields((t) => ({
  issuePaymentReference: t.field({
    type: ReferenceType,
    description:
      'Issues a number by which an Assessed assessment can be paid. While it has one that can be paid, that one is returned. Scope `payments.initiate`; agencies use a token with `references.issue`, for assessments that are theirs alone. `not_found`.' +
      listReasons('reference_not_payable', 'nothing_to_pay', 'agency_not_allowed'),
    ...needs('references.issue', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('assessment')),
      expiresInDays: t.arg.int({
        defaultValue: DEFAULT_DAYS,
        description: `For how many days it can be paid, 1 to ${MOST_DAYS}.`,
        ...between(1, MOST_DAYS),
      }),
      ...currencyArgs,
    },
    resolve: (_root, { id, expiresInDays, currency }, call) =>
      issueReference(call, { assessment: id, currency, expiresInDays: expiresInDays ?? DEFAULT_DAYS }),
    answerAgain: getReference,
  }),
}));
