import { builder, needs } from '../../../graphql/builder.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { docname } from '../../../graphql/input/forms.ts';
import { MessageType } from '../../citizens/messages/schema.ts';
import { intentLoader } from '../find.ts';

builder.prismaObjectFields(MessageType, (t) => ({
  intentId: t.exposeID('intent', {
    nullable: true,
    description: 'The docname of the payment intent that it is about; null of a payment reference told by text.',
    ...docname('intent'),
  }),
  intent: t.field({
    type: 'PaymentIntent',
    nullable: true,
    description:
      'The payment intent that it is about; null of a payment reference told by text. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ intent }, _args, call, info) => followIfAny(call, info, intentLoader, intent),
  }),
}));
