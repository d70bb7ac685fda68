import { builder, provenByItself } from '../../graphql/builder.ts';
import { docname, providerName } from '../../graphql/input/forms.ts';
import { type CallbackAnswer, receiveCallback } from './receive.ts';

const CallbackAnswerType = builder.objectRef<CallbackAnswer>('CallbackAnswer').implement({
  description: "What was decided on a provider's callback. A replay gets the same.",
  fields: (t) => ({
    decision: t.exposeString('decision', {
      description:
        '`confirmed`, `failed`, `pending`, `duplicate_collection`, `late_collection`, `amount_mismatch`, `already_final` or `unknown_intent`.',
    }),
    intent: t.exposeID('intent', {
      nullable: true,
      description: 'The docname of the intent that it is about; null where none is.',
      ...docname('intent'),
    }),
  }),
});

builder.mutationFields((t) => ({
  receiveCallback: t.field({
    type: CallbackAnswerType,
    description:
      "Takes a payment provider's callback, in the provider's own form or in the rail's. Needs no key but a proof, which sandbox mode alone lets be missing; a real provider is asked before anything is believed. `invalid_signature`, `not_found` for an unknown provider; `rate_limited` for an address that sends too many without proof.",
    ...provenByItself(),
    args: {
      provider: t.arg.id({ required: true, description: 'The provider: `mtn_momo`, `airtel_money` or `card`.', ...providerName }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description:
          "The body exactly as it was sent: the provider's own, or JSON with `event_id`, `intent` or `reference`, `status`, `amount`, `currency`, `txn_id`, `settled_at`, `reason`.",
      }),
      signature: t.arg.string({
        description: "`X-Service-Signature` of the rail's own form: hex HMAC-SHA256 of the body under a webhook secret of the provider.",
      }),
      verifHash: t.arg.string({ description: '`verif-hash` of a card callback in version 3: the webhook secret itself.' }),
      flutterwaveSignature: t.arg.string({ description: '`flutterwave-signature` of a card callback in version 4: base64 HMAC-SHA256 of the body.' }),
      intent: t.arg.id({ description: 'The intent that an address given to MTN is for.', ...docname('intent') }),
      proof: t.arg.string({ description: 'What shows that the address was given by the rail.' }),
    },
    resolve: (_root, { provider, body, signature, verifHash, flutterwaveSignature, intent, proof }, call) =>
      receiveCallback(call, {
        provider,
        body,
        headers: { 'x-service-signature': signature, 'verif-hash': verifHash, 'flutterwave-signature': flutterwaveSignature },
        query: { intent, proof },
      }),
  }),
}));
