import './simulate-schema.ts';
import { builder, trustProof } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { docname, providerNames, requiredText, senderName } from '../../graphql/input/forms.ts';
import { MONEY_KINDS } from '../money/receive.ts';
import { PUSH_DECISIONS } from './pushes/decisions.ts';
import { type CallbackAnswer, receiveCallback } from './receive.ts';
import { addSubject } from './subject-schema.ts';

const LONGEST_HEADER_NAME = 100;

export const DecisionEnum = defineEnum<CallbackAnswer['decision']>('CallbackDecision', 'Outcome of a callback.', {
  confirmed: 'The payment is confirmed.',
  failed: 'The collection failed; the intent is Failed.',
  pending: 'The collection is not complete yet. The same callback is answered again, by how it stands then.',
  duplicate_collection: 'The money was collected although the assessment was paid already; an anomaly was raised.',
  late_collection: 'The money was collected after the intent had ended; an anomaly was raised.',
  amount_mismatch: 'Another amount or currency was collected; an anomaly was raised and nothing confirmed.',
  already_final: 'The intent was final already; nothing changed.',
  disputed: 'The payer disputes the payment; an anomaly was raised.',
  unknown_intent: 'The callback names no intent that is known.',
  ignored: 'The callback is about something other than a collection, such as a payout or a refund; nothing changed.',
  ...PUSH_DECISIONS,
  ...MONEY_KINDS,
  unproved: 'Nobody signed it. It counts once its payment point is asked and says the same.',
});

const listed = (decisions: object) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    Object.keys(decisions).map((decision) => `\`${decision}\``),
  );

export const CallbackAnswerType = builder.objectRef<CallbackAnswer>('CallbackAnswer').implement({
  description:
    'The outcome of a callback of a payment provider, an agency, a fiscal partner or a payment point. Sending the same callback again returns the same outcome, except while the payment provider may still say otherwise.',
  fields: (t) => ({
    decision: t.expose('decision', {
      type: DecisionEnum,
      description: `The outcome. For payment providers: \`confirmed\`, \`failed\`, \`pending\`, \`duplicate_collection\`, \`late_collection\`, \`amount_mismatch\`, \`unapplied\`, \`already_final\`, \`disputed\`, \`unknown_intent\` or \`ignored\`; for agencies and fiscal partners: ${listed(PUSH_DECISIONS)}; for payment points: \`confirmed\`, \`unproved\`, ${listed(MONEY_KINDS)}.`,
    }),
  }),
});

addSubject(CallbackAnswerType, ', and if the sender has no such object');

const CallbackHeaderInput = builder.inputType('CallbackHeaderInput', {
  description: 'A header of a callback.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'The name, not case-sensitive.',
      ...requiredText(LONGEST_HEADER_NAME),
    }),
    value: t.string({ required: true, description: 'The value, as it was sent.' }),
  }),
});

/** The headers of a callback, for arguments. */
export const callbackHeaders: [typeof CallbackHeaderInput] = [CallbackHeaderInput];

/** The same by their names in lower case. */
export function headersOf(
  headers: readonly { readonly name: string; readonly value: string }[] | null | undefined,
): Record<string, string> {
  return Object.fromEntries((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));
}

builder.mutationFields((t) => ({
  receiveCallback: t.field({
    type: CallbackAnswerType,
    description:
      "Receives a callback. Payment providers use their own format or the rail's. Connected agencies and fiscal partners sign with `X-Service-Signature`. Authenticated by its signature or token instead of a key; only sandbox mode accepts callbacks without one. A payment provider is asked to confirm before a live callback takes effect; an agency may tell only of what is its own. `invalid_signature`; `not_found` for an unknown provider; `rate_limited` for an address that sends too many unauthenticated callbacks." +
      listReasons('event_reused'),
    ...trustProof(),
    args: {
      provider: t.arg.id({
        required: true,
        description: `The payment provider, ${providerNames}, or the name of a connection of one; or that of an agency or fiscal partner, such as \`tax_authority\`.`,
        ...senderName,
      }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description:
          "The body exactly as it was sent: in the provider's own format, or JSON with `event_id`, `intent` or `reference`, `status`, `amount`, `currency`, `txn_id`, `settled_at`, `reason`. A dispute has the `status` `DISPUTED`, its number as `dispute`, and the day `answer_by`. From an agency or fiscal partner: JSON with `event_id`, `type`, `object` and `data`.",
      }),
      headers: t.arg({
        type: [CallbackHeaderInput],
        description: 'The headers that authenticate the callback, as they were sent. Other headers are ignored.',
      }),
      intent: t.arg.id({
        description: 'The payment intent, for callback addresses given to MTN.',
        ...docname('intent'),
      }),
      proof: t.arg.string({ description: 'The token that proves that the rail issued the callback address.' }),
    },
    resolve: (_root, { provider, body, headers, intent, proof }, call) =>
      receiveCallback(call, {
        provider,
        body,
        headers: headersOf(headers),
        query: { intent, proof },
      }),
  }),
}));
