import { builder, needs } from '../../../graphql/builder.ts';
import { follow, followIfAny } from '../../../graphql/graph/edge.ts';
import { receiptOfIntentLoader } from '../../receipts/find.ts';
import { ReceiptType, ReceivedPartType } from '../../receipts/schema.ts';
import { eventLoader, intentLoader } from '../find.ts';
import './event-schema.ts';
import { PaymentProofEnum } from './intent-schema.ts';

builder.prismaObjectField('PaymentIntent', 'receipt', (t) =>
  t.field({
    type: ReceiptType,
    nullable: true,
    description: 'The receipt of the payment; null until it is confirmed, and of payments before receipts were issued.',
    resolve: ({ name }, _args, call) => receiptOfIntentLoader.load(call, name),
  }),
);

builder.objectField(ReceiptType, 'proof', (t) =>
  t.expose('proof', {
    type: PaymentProofEnum,
    nullable: true,
    description:
      'Proof by which the payment was confirmed. The signature does not cover it. Null for payments of before 3.1 where nothing that was kept says it.',
  }),
);

builder.objectField(ReceiptType, 'intent', (t) =>
  t.field({
    type: 'PaymentIntent',
    description: 'The payment intent that was paid.',
    resolve: ({ intent }, _args, call, info) => follow(call, info, intentLoader, intent),
  }),
);

builder.objectField(ReceivedPartType, 'event', (t) =>
  t.field({
    type: 'PaymentEvent',
    nullable: true,
    description: 'The payment event that proves it; null for those who may not see it. Scope `payments.read`.',
    ...needs('payments.read'),
    resolve: ({ event }, _args, call, info) => followIfAny(call, info, eventLoader, event),
  }),
);
