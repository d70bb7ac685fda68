import { builder, needs } from '../../../graphql/builder.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { docname } from '../../../graphql/input/forms.ts';
import { MoneyType } from '../../money/schema.ts';
import { paidReferenceLoader } from '../../references/find.ts';
import { ReferenceType } from '../../references/schema.ts';
import { intentLoader } from '../find.ts';
import { ChannelEnum } from './intent-schema.ts';

builder.objectFields(ReferenceType, (t) => ({
  paidById: t.exposeID('paidBy', {
    nullable: true,
    description: 'The docname of the payment intent that paid the assessment; null before, and for who may not see it.',
    ...docname('intent'),
  }),
  paidBy: t.field({
    type: 'PaymentIntent',
    nullable: true,
    description:
      'The payment intent that paid the assessment, by this number or in another way. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ paidBy }, _args, call, info) => followIfAny(call, info, intentLoader, paidBy),
  }),
}));

builder.prismaObjectField('PaymentIntent', 'paymentReference', (t) =>
  t.field({
    type: ReferenceType,
    nullable: true,
    description: 'The payment reference that became Paid by it; null if the assessment had none.',
    resolve: ({ name }, _args, call) => paidReferenceLoader.load(call, name),
  }),
);

builder.objectFields(MoneyType, (t) => ({
  channel: t.expose('channel', { type: ChannelEnum, description: 'Channel by which it was paid.' }),
  intentId: t.exposeID('intent', {
    nullable: true,
    description: 'The docname of the payment intent that an aggregator collected it for; null for a payment point.',
    ...docname('intent'),
  }),
  intent: t.field({
    type: 'PaymentIntent',
    nullable: true,
    description: 'The payment intent that an aggregator collected it for. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ intent }, _args, call, info) => followIfAny(call, info, intentLoader, intent),
  }),
}));
