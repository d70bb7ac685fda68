import { partsWithin } from '../../../platform/access/owned.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { docname, docnameArg, email, freeText, payerPhone, PHONE_COUNTRY } from '../../../graphql/input/forms.ts';
import { currencyArgs } from '../../../graphql/input/currency.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { type Confirmation, confirmPayment, confirmationOf } from '../confirm.ts';
import { getAssessment } from '../../assessments/find.ts';
import { labelArgs } from '../../assessments/schema.ts';
import { MOST_SPLITS, createPaymentIntent, intentCreatedBefore } from '../create.ts';
import { getIntent } from '../find.ts';
import { settleZero } from '../settlement/settle-zero.ts';
import { type Initiation, initiatePayment, initiationOf } from '../initiate.ts';
import { concealFrom } from './conceal.ts';
import { LONGEST_RETURN_URL } from '../payer/return-url.ts';
import { ChannelEnum, SplitInputType } from './intent-schema.ts';
import './event-schema.ts';
import './history-schema.ts';
import './message-schema.ts';
import './reference-schema.ts';
import './receipt-schema.ts';

const PAYER_EMAIL =
  'Address to which the aggregator may mail its receipt. It is kept sealed until the intent is final, and never shown.';

const InitiationType = builder.objectRef<Initiation>('PaymentInitiation').implement({
  description: 'The result of initiating a payment.',
  fields: (t) => ({
    intent: t.expose('intent', {
      type: 'PaymentIntent',
      description: 'The intent, now Sent.',
    }),
    adapterResponse: t.field({
      type: 'JSON',
      description: "The aggregator's response, in a format that depends on the channel.",
      resolve: ({ adapterResponse }, _args, { viewer }) => concealFrom(viewer, adapterResponse),
    }),
    warning: t.exposeString('warning', {
      nullable: true,
      description:
        "In sandbox mode: why live mode would have refused the request, such as a missing payer's phone number. Otherwise null.",
    }),
  }),
});

const ConfirmationType = builder.objectRef<Confirmation>('PaymentConfirmation').implement({
  description: 'The result of a confirmation.',
  fields: (t) => ({
    intent: t.expose('intent', {
      type: 'PaymentIntent',
      description: 'The intent, in the status Confirmed.',
    }),
    events: t.field({
      type: ['PaymentEvent'],
      description: 'The payment events: one per split.',
      resolve: ({ events }, _args, { viewer }) => partsWithin(viewer, events),
    }),
    assessment: t.expose('assessment', {
      type: 'Assessment',
      description: 'The assessment that is paid.',
    }),
  }),
});

builder.queryFields((t) => ({
  paymentIntent: t.field({
    type: 'PaymentIntent',
    description:
      "Returns one of the caller's payment intents. Scope `payments.read`. `not_found` if it does not exist.",
    ...needs('payments.read'),
    args: { id: t.arg.id(docnameArg('intent')) },
    resolve: (_root, { id }, call) => getIntent(call, id),
  }),
}));

builder.mutationFields((t) => ({
  createPaymentIntent: t.field({
    type: 'PaymentIntent',
    description:
      'Creates a payment intent for an Assessed assessment, for its total. With `initiate` the aggregator is asked to collect at once, as `initiatePayment` does; if that fails, the intent stays Pending. Scope `payments.initiate`. In live mode, `cash` requires staff or a key granted that counter, with their own Open shift at an agency of the assessment; otherwise `forbidden`.' +
      listReasons(
        'not_found',
        'assessment_not_payable',
        'nothing_to_pay',
        'channel_closed',
        'currency_not_collected',
        'channel_not_allowed',
        'agency_not_allowed',
        'splits_differ',
        'tendered_too_low',
        'cash_limit',
        'cash_needs_counter',
        'cash_needs_shift',
        'cash_in_other_shift',
        'shift_closed',
        'shift_counted',
        'reference_too_long',
        'metadata_invalid',
        'return_url_not_registered',
        'payer_required',
        'collection_refused',
      ),
    ...needs('payments.initiate', { people: 'alone', outside: 'on request' }),
    args: {
      assessment: t.arg.id({
        required: true,
        description: 'The docname of an Assessed assessment.',
        ...docname('assessment'),
      }),
      channel: t.arg({
        type: ChannelEnum,
        required: true,
        description: 'The payment channel: who collects the money.',
      }),
      ...currencyArgs,
      splits: t.arg({
        type: [SplitInputType],
        description:
          "Each agency's share. Default: what the lines owe to each agency. Other amounts require the scope `payments.split`, must add up to the total, and must stay within the country and currency of the lines. Such intents are flagged for review.",
        ...shape({ maxItems: MOST_SPLITS }),
      }),
      tendered: t.arg({
        type: 'Decimal',
        description:
          'For `cash`: the cash that the payer hands over, in the currency of the assessment, and at least its total. It is kept with the change that is due.',
        ...shape({ minimum: 0 }),
      }),
      initiate: t.arg.boolean({
        defaultValue: false,
        description: 'If true, the aggregator is asked to collect at once; the response then has its answer.',
      }),
      payerMsisdn: t.arg.string({
        description:
          "With `initiate`: the payer's phone number with country code. Required for mobile money in live mode.",
        ...payerPhone,
      }),
      phoneCountry: t.arg.string(PHONE_COUNTRY),
      payerEmail: t.arg.string({ description: PAYER_EMAIL, ...email }),
      returnUrl: t.arg.string({
        description:
          "Address that the payer's browser returns to after a page of the aggregator: https, on one of the account's `returnHosts`. The rail adds `intent` and `reference` to its query, and the aggregator how the payment went, in its own words: a hint, never proof.",
        ...freeText(LONGEST_RETURN_URL, { format: 'uri', examples: ['https://shop.example.com/paid'] }),
      }),
      ...labelArgs,
    },
    resolve: (_root, args, call) => createPaymentIntent(call, args),
    answerAgain: intentCreatedBefore,
  }),
  settleZero: t.field({
    type: 'Assessment',
    description:
      'Makes an Assessed assessment of a total of zero Paid, without a payment: there is no intent, event or receipt. Its agencies are notified, and `assessment.paid` is sent. Scope `assessments.write`.' +
      listReasons('assessment_not_payable', 'total_not_zero', 'agency_not_allowed'),
    ...needs('assessments.write', { people: 'alone' }),
    args: { id: t.arg.id(docnameArg('assessment')) },
    resolve: (_root, { id }, call) => settleZero(call, id),
    answerAgain: getAssessment,
  }),
  initiatePayment: t.field({
    type: InitiationType,
    description:
      'Asks the aggregator to collect a Pending intent. Scope `payments.initiate`. After `adapter_timeout` or `adapter_failed` the intent stays Pending; initiating it again refers to the same collection and does not charge twice.' +
      listReasons(
        'not_pending',
        'expired',
        'being_initiated',
        'assessment_not_payable',
        'payer_required',
        'channel_closed',
        'collection_refused',
        'channel_not_allowed',
        'agency_not_allowed',
      ),
    ...needs('payments.initiate', { people: 'alone', outside: true }),
    args: {
      id: t.arg.id(docnameArg('intent')),
      payerMsisdn: t.arg.string({
        description:
          "The payer's phone number with country code. Required for mobile money in live mode: the payment request is sent to this phone.",
        ...payerPhone,
      }),
      phoneCountry: t.arg.string(PHONE_COUNTRY),
      payerEmail: t.arg.string({ description: PAYER_EMAIL, ...email }),
    },
    resolve: (_root, { id, ...payer }, call) => initiatePayment(call, { ...payer, name: id }),
    answerAgain: initiationOf,
  }),
  confirmPayment: t.field({
    type: ConfirmationType,
    description:
      'Asks the aggregator about a Sent intent and confirms it if the collection is complete. Scope `payments.initiate`. Cash is added to the shift of the assessment, or else to the Open shift of the clerk who confirms it. In live mode only a clerk with an Open shift can confirm cash.' +
      listReasons(
        'collection_pending',
        'collection_failed',
        'amount_mismatch',
        'not_sent',
        'already_confirmed',
        'channel_not_allowed',
        'cash_needs_counter',
        'cash_needs_shift',
        'cash_in_other_shift',
        'shift_closed',
        'shift_counted',
        'cash_limit',
        'assessment_not_payable',
      ),
    ...needs('payments.initiate', { people: 'alone', outside: true }),
    args: { id: t.arg.id(docnameArg('intent')) },
    resolve: (_root, { id }, call) => confirmPayment(call, id),
    answerAgain: confirmationOf,
  }),
}));
