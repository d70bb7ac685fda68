import type { ObjectRef } from '@pothos/core';
import { builder, needs } from '../../graphql/builder.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { docname } from '../../graphql/input/forms.ts';
import { NodeType, followToAny } from '../../graphql/graph/node.ts';
import { intentLoader } from '../payments/find.ts';

interface Subject {
  /** The docname of the payment intent. */
  readonly intent: string | null;
  /** The docname of the object of an agency or a fiscal partner, or of money that a payment point has. */
  readonly object: string | null;
}

/** Adds to a type what a callback is about; `orNone` says when else there is no object. */
export function addSubject<Parent extends Subject>(
  type: ObjectRef<(typeof builder)['$inferSchemaTypes'], Parent>,
  orNone = '',
): void {
  builder.objectFields(type, (t) => ({
    intentId: t.id({
      nullable: true,
      description: 'The docname of the payment intent concerned; null if there is none.',
      ...docname('intent'),
      resolve: ({ intent }) => intent,
    }),
    intent: t.field({
      type: 'PaymentIntent',
      nullable: true,
      description: 'The payment intent concerned; null if there is none. Scope `payments.read`.',
      ...needs('payments.read'),
      resolve: ({ intent }, _args, call, info) => followIfAny(call, info, intentLoader, intent),
    }),
    objectId: t.id({
      nullable: true,
      description: `The docname of the object of a callback of an agency or a fiscal partner; for a payment point, that of money that paid nothing. Null for callbacks of payment providers${orNone}.`,
      resolve: ({ object }) => object,
    }),
    object: t.field({
      type: NodeType,
      nullable: true,
      description:
        'The object of a callback of an agency, a fiscal partner or a payment point, under the rules of the query for its type.',
      resolve: ({ object }, _args, call, info) => followToAny(call, info, object),
    }),
  }));
}
