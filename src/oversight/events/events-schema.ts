import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { AnyPaymentEventType, EventSealType } from '../../collection/payments/schema/event-schema.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type OverseenEvent, overseenEventLoader, sealOf } from './find.ts';

export const EventType = builder.objectRef<OverseenEvent>('OverseenPaymentEvent').implement({
  description:
    'A payment event without personal data, as oversight sees it. `node` answers it to those who may not see the `PaymentEvent` of the same ID.',
  interfaces: [NodeType, AnyPaymentEventType],
  fields: (t) => ({
    cursor: t.string({
      description: 'Position of the event in the stream: `oversight(after:)` sends what came after it.',
      resolve: ({ position }) => String(position),
    }),
    seal: t.field({
      type: EventSealType,
      nullable: true,
      description: "The seal in the agency's chain; null for the first seconds.",
      resolve: sealOf,
    }),
  }),
});

defineNode({
  typename: 'OverseenPaymentEvent',
  needs: ['oversight.read'],
  matches: (id) => isDocname('event', id),
  loader: overseenEventLoader,
  lesser: true,
});

export const EventConnection = defineConnection('OverseenPaymentEvent', EventType, 'payment events');
