import { builder } from '../graphql/builder.ts';
import { type CallbackAnswer, receiveCallback } from './receive.ts';

const CallbackAnswerType = builder.objectRef<CallbackAnswer>('CallbackAnswer').implement({
  description: "What was decided on a provider's callback. A replay gets the same.",
  fields: (t) => ({
    decision: t.exposeString('decision', {
      description:
        '`confirmed`, `failed`, `pending`, `duplicate_collection`, `late_collection`, `amount_mismatch`, `already_final` or `unknown_intent`.',
    }),
    intent: t.exposeID('intent', { nullable: true, description: 'The docname of the intent that it is about; null where none is.' }),
  }),
});

builder.mutationFields((t) => ({
  receiveCallback: t.field({
    type: CallbackAnswerType,
    description:
      "Takes a payment provider's callback. Needs no key but a signature, which sandbox mode alone lets be missing. `invalid_signature`, `not_found` for an unknown provider.",
    args: {
      provider: t.arg.id({ required: true, description: 'The provider: `mtn_momo`, `airtel_money` or `card`.' }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description:
          'The body exactly as it was sent: JSON with `event_id`, `intent` or `reference`, `status`, `amount`, `currency`, `txn_id`, `settled_at`, `reason`.',
      }),
      signature: t.arg.string({ description: 'Hex HMAC-SHA256 of the body under a webhook secret of the provider.' }),
    },
    resolve: (_root, args, call) => receiveCallback(call, args),
  }),
}));
