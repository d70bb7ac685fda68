import { builder, provenByItself } from '../../graphql/builder.ts';
import { docname, providerName, providerNames, someText } from '../../graphql/input/forms.ts';
import { type CallbackAnswer, receiveCallback } from './receive.ts';

const LONGEST_HEADER_NAME = 100;

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

const CallbackHeaderInput = builder.inputType('CallbackHeaderInput', {
  description: "A header of a payment provider's callback.",
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name, in any case.', ...someText(LONGEST_HEADER_NAME) }),
    value: t.string({ required: true, description: 'What it says.' }),
  }),
});

builder.mutationFields((t) => ({
  receiveCallback: t.field({
    type: CallbackAnswerType,
    description:
      "Takes a payment provider's callback, in the provider's own form or in the rail's. Needs no key but a proof, which sandbox mode alone lets be missing; a real provider is asked before anything is believed. `invalid_signature`, `not_found` for an unknown provider; `rate_limited` for an address that sends too many without proof.",
    ...provenByItself(),
    args: {
      provider: t.arg.id({ required: true, description: `The provider: ${providerNames}.`, ...providerName }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description:
          "The body exactly as it was sent: the provider's own, or JSON with `event_id`, `intent` or `reference`, `status`, `amount`, `currency`, `txn_id`, `settled_at`, `reason`.",
      }),
      headers: t.arg({
        type: [CallbackHeaderInput],
        description: 'The headers that its proof is in, as they were sent. Others are of no account.',
      }),
      intent: t.arg.id({ description: 'The intent that an address given to MTN is for.', ...docname('intent') }),
      proof: t.arg.string({ description: 'What shows that the address was given by the rail.' }),
    },
    resolve: (_root, { provider, body, headers, intent, proof }, call) =>
      receiveCallback(call, {
        provider,
        body,
        headers: Object.fromEntries((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value])),
        query: { intent, proof },
      }),
  }),
}));
