import { builder, trustProof } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { agencyLoader } from '../../catalogue/find.ts';
import { CallbackAnswerType, callbackHeaders, headersOf } from '../schema.ts';
import { type BillerLookup, lookUpForBiller } from './lookup.ts';
import { receiveBillerPayment } from './pay.ts';

const StateEnum = defineEnum<BillerLookup['state']>(
  'PayableState',
  'State of a payment reference: payable, or why not.',
  {
    payable: 'It can be paid, with exactly its amount.',
    paid: 'It was paid already.',
    expired: 'Its time is over.',
    withdrawn: 'It was withdrawn, and is not to be paid.',
    unknown: 'There is no such reference for this payment point.',
  },
);

const LookupType = builder.objectRef<BillerLookup>('PayableLookup').implement({
  description: 'Content of a payment reference, as far as a payment point may know it.',
  fields: (t) => ({
    state: t.expose('state', { type: StateEnum, description: 'State of the reference: payable, or why not.' }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The amount to pay; null if the reference is unknown.',
      resolve: ({ reference }) => reference && reference.amount,
    }),
    currency: t.string({
      nullable: true,
      description: 'The currency of the amount (ISO 4217); null if the reference is unknown.',
      ...currencyCode,
      resolve: ({ reference }) => reference && reference.currency,
    }),
    agencies: t.field({
      type: ['Agency'],
      description: 'The agencies that the amount is owed to; none if the reference is unknown.',
      resolve: ({ reference }, _args, call, info) =>
        (reference?.mdas ?? []).map((mda) => follow(call, info, agencyLoader, mda)),
    }),
    payerInitials: t.exposeString('payerInitials', {
      nullable: true,
      description: 'The initials of who owes the amount; null if the reference is unknown.',
    }),
  }),
});

const billerArgs = builder.args((t) => ({
  provider: t.id({
    required: true,
    description: 'The payment point, by the name of its connection.',
    ...shape({ examples: ['bank'], maxLength: 100 }),
  }),
  headers: t.field({
    type: callbackHeaders,
    description: 'The headers that authenticate the message, as they were sent. Other headers are ignored.',
  }),
}));

const proof =
  'Signed with `X-Service-Signature` as callbacks are; only sandbox mode takes it without. `invalid_signature`. `not_found` for an unknown payment point. `rate_limited`';

builder.mutationFields((t) => ({
  lookUpForBiller: t.field({
    type: LookupType,
    description: `Tells a payment point what a payment reference stands for. ${proof} after 20 unknown references in a minute.`,
    ...trustProof(),
    args: {
      ...billerArgs,
      body: t.arg({ type: 'Byte', required: true, description: 'JSON with `reference`, exactly as it was sent.' }),
    },
    resolve: (_root, { provider, body, headers }, call) =>
      lookUpForBiller(call, { provider, body, headers: headersOf(headers), query: {} }),
  }),
  receiveBillerPayment: t.field({
    type: CallbackAnswerType,
    description: `Takes what a payment point reports of a payment by reference. The exact amount of a reference that could be paid at that time pays; anything else is listed as \`moneyReceived\`. A transaction that was told before returns its first decision. \`validation_failed\` for a transaction told before with another reference, amount or currency. Without a signature, what a payment point with an address for enquiries reports is \`unproved\` until it is asked and says the same. \`unavailable\` where too many wait. ${proof} for an address that sends too much without a signature.${listReasons('event_reused')}`,
    ...trustProof(),
    args: {
      ...billerArgs,
      body: t.arg({
        type: 'Byte',
        required: true,
        description:
          'JSON with `event_id`, `reference`, `amount`, `currency`, `txn_id`, `paid_at` and optionally `channel` (`bank`, `agent` or `ussd`), exactly as it was sent.',
      }),
    },
    resolve: (_root, { provider, body, headers }, call) =>
      receiveBillerPayment(call, { provider, body, headers: headersOf(headers), query: {} }),
  }),
}));
