import type { PaymentIntent as IntentRecord } from '../../../generated/prisma/client.ts';
import { OF_PAYER } from '../../../platform/access/needs.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { PHONE_COUNTRY, currencyCode, docname, email, payerPhone } from '../../../graphql/input/forms.ts';
import { LanguageEnum } from '../../../graphql/input/languages.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { SIMULATIONS, type Simulation } from '../../callbacks/simulate.ts';
import { readInitials } from '../../citizens/find.ts';
import { nextActionOf } from '../../payments/payer/next-action.ts';
import { type ToPayer, readToPayerOf } from '../../payments/refunds/refundable.ts';
import { RefundMethodEnum } from '../../payments/refunds/schema.ts';
import { ChannelEnum, IntentStatusEnum, NextActionType } from '../../payments/schema/intent-schema.ts';
import { drawReceipt } from '../../receipts/document.ts';
import { type Receipt, contentsOf } from '../../receipts/find.ts';
import { ContentsType, DocumentType, FormEnum, ReceiptStatusEnum } from '../../receipts/schema.ts';
import { addressOf } from '../../receipts/signature.ts';
import { type Reference, findOwnIssued } from '../../references/find.ts';
import { referenceStatusOf } from '../../references/lifecycle.ts';
import { ReferenceStatusEnum } from '../../references/schema.ts';
import { type PayerHelp, findPayerHelp } from '../../catalogue/help.ts';
import { countriesOf } from '../../payments/aggregator.ts';
import { BILLER_CHANNELS, type BillerChannel } from '../../../platform/config/billers.ts';
import { type PayPage, type PayState, getPayPage, isUnderWay, leadBack } from './find.ts';
import { showReference } from './reference.ts';
import { simulateOutcome } from './simulate.ts';
import { startAgain, startPayment } from './start.ts';
import { type PayWay, isMadeUp, isPaidByNumber, listWays } from './ways.ts';

const StateEnum = defineEnum<PayState>('PayState', 'State of a payment by a payment link.', {
  payable: 'Nothing is under way: choose how to pay.',
  waiting: 'The payer was asked to pay, and may do so now.',
  paid: 'It is paid: see the receipts.',
  closed: 'Nothing can be paid by the link.',
});

const WayType = builder.objectRef<PayWay>('PayWay').implement({
  description: 'A way to pay at the page of a payment link.',
  fields: (t) => ({
    channel: t.expose('channel', { type: ChannelEnum, description: 'The payment channel that it stands for.' }),
    needsPhone: t.exposeBoolean('needsPhone', { description: 'True if it asks the payer on their phone.' }),
  }),
});

const AttemptType = builder.objectRef<IntentRecord>('PayAttempt').implement({
  description: 'A payment that is under way, or the last one that was tried by a payment link.',
  fields: (t) => ({
    id: t.exposeID('name', { description: 'The docname of the payment intent.', ...docname('intent') }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'The payment channel that was chosen.' }),
    status: t.expose('status', { type: IntentStatusEnum, description: 'The current status of the intent.' }),
    nextAction: t.field({
      type: NextActionType,
      nullable: true,
      description: "The payer's next step; null unless they were asked to pay.",
      resolve: nextActionOf,
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Reason why it failed, as reported by the aggregator.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be paid.' }),
    madeUp: t.boolean({
      description: 'True if nobody was asked to pay, so that `simulateOutcome` has it end: in a sandbox.',
      resolve: (attempt, _args, call) => isUnderWay(attempt, call.now()) && isMadeUp(call, attempt),
    }),
  }),
});

const PayReferenceType = builder.objectRef<Reference>('PayReference').implement({
  description: 'A payment reference as who pays by a payment link sees it.',
  fields: (t) => ({
    number: t.exposeID('number', { description: 'The number to pay by: 13 digits.' }),
    status: t.field({
      type: ReferenceStatusEnum,
      description: 'State of the reference: payable, or why not.',
      resolve: (reference, _args, call) => referenceStatusOf(reference, call.now()),
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be paid.' }),
  }),
});

const PayRefundType = builder.objectRef<ToPayer>('PayRefund').implement({
  description: 'Money that went back to the payer, or is on its way.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount that goes back.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    method: t.expose('method', { type: RefundMethodEnum, description: 'The way in which it is paid.' }),
    paidOn: t.expose('paidOn', {
      type: 'Date',
      nullable: true,
      description: 'The day on which a transfer was paid; null for other methods.',
    }),
    doneAt: t.expose('doneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the rail recorded that it was paid; null while it is on its way.',
    }),
  }),
});

const PayReceiptType = builder.objectRef<Receipt>('PayReceipt').implement({
  description: 'A receipt as who paid by a payment link sees it.',
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The number of the receipt, `RCP-<yyyy>-<mm>-<6 digits>`.',
      ...docname('receipt'),
    }),
    status: t.expose('status', { type: ReceiptStatusEnum, description: 'State of the receipt.' }),
    contents: t.field({ type: ContentsType, description: 'Content, all of it signed.', resolve: contentsOf }),
    code: t.exposeString('code', { description: 'Code to type with its number where nothing reads its QR code.' }),
    url: t.string({
      description: 'Content of its QR code: the address of the page that verifies it.',
      resolve: (receipt, _args, { origin }) => addressOf(origin, receipt),
    }),
    document: t.field({
      type: DocumentType,
      complexity: 100,
      description: 'The receipt in a form for people.',
      args: {
        form: t.arg({ type: FormEnum, required: true, description: 'The form that is asked for.' }),
        language: t.arg({ type: LanguageEnum, description: 'The language of its words. Default: English.' }),
      },
      resolve: (receipt, { form, language }, call) => drawReceipt(call, receipt, { form, language: language ?? 'en' }),
    }),
    refunds: t.field({
      type: [PayRefundType],
      description: 'Refunds of the payment that were paid, or are on their way.',
      resolve: async ({ intent }, _args, call) => [...(await readToPayerOf(call, intent))],
    }),
  }),
});

type PlacesToPay = readonly [channel: BillerChannel, names: readonly string[]];

const PlacesType = builder.objectRef<PlacesToPay>('PlacesToPay').implement({
  description: 'Places to pay a payment reference through a channel.',
  fields: (t) => ({
    channel: t.field({ type: ChannelEnum, description: 'Channel to pay by.', resolve: ([channel]) => channel }),
    names: t.stringList({
      description: 'Names of banks or agents, or codes to dial.',
      resolve: ([, names]) => [...names],
    }),
  }),
});

const HelpType = builder.objectRef<PayerHelp>('PayerHelp').implement({
  description: 'Help for payers, from the country profile.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The office to call.' }),
    phone: t.exposeString('phone', { description: 'Its phone number, as it is dialled in the country.' }),
    payAt: t.field({
      type: [PlacesType],
      description: 'Places to pay a payment reference, by channel.',
      resolve: ({ pay_at }) =>
        BILLER_CHANNELS.map((channel) => [channel, pay_at[channel]] as const).filter(([, names]) => names.length > 0),
    }),
  }),
});

const PageType = builder.objectRef<PayPage>('PayPage').implement({
  description:
    "The page of a payment link, for holders of the link: the amounts owed to each agency, and the ways to pay them. It shows only the payer's initials.",
  fields: (t) => ({
    state: t.expose('state', { type: StateEnum, description: 'State of the payment.' }),
    lines: t.field({
      type: ['AssessmentLine'],
      description: 'Amounts owed to each agency; empty for a closed link.',
      resolve: ({ state, assessment }) => (state === 'closed' ? [] : assessment.lines),
    }),
    totalAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The sum of all lines; null of a closed link.',
      resolve: ({ state, assessment }) => (state === 'closed' ? null : assessment.totalAmount),
    }),
    currency: t.string({
      description: 'The currency of all amounts (ISO 4217).',
      ...currencyCode,
      resolve: ({ assessment }) => assessment.currency,
    }),
    payerInitials: t.string({
      nullable: true,
      description: 'The initials of the citizen who owes the amount; null of a closed link.',
      resolve: ({ state, assessment, as }) => (state === 'closed' ? null : readInitials(as, assessment.citizen)),
    }),
    ways: t.field({ type: [WayType], description: 'The ways to pay here that are open.', resolve: listWays }),
    paidByNumber: t.boolean({
      description: 'True if it can be paid with a number: at a bank, at an agent, or by a code on a phone.',
      resolve: isPaidByNumber,
    }),
    attempt: t.expose('attempt', {
      type: AttemptType,
      nullable: true,
      description: 'The payment that is under way, or else the last one that was tried by the link; null if none was.',
    }),
    reference: t.field({
      type: PayReferenceType,
      nullable: true,
      description: 'The number to pay by; null if there is none yet, and where nothing is to be paid.',
      resolve: ({ state, as, assessment }) =>
        state === 'payable' || state === 'waiting' ? findOwnIssued(as, assessment.name) : null,
    }),
    receipts: t.field({
      type: [PayReceiptType],
      description: 'The receipts, the last first; for a closed link, those of payments by it.',
      resolve: ({ receipts }) => [...receipts],
    }),
    receipt: t.field({
      type: PayReceiptType,
      nullable: true,
      description: 'One of these receipts, by its number; null if it is none of them.',
      args: { id: t.arg.id({ required: true, description: 'The number of the receipt.', ...docname('receipt') }) },
      resolve: ({ receipts }, { id }) => receipts.find(({ name }) => name === id) ?? null,
    }),
    returnUrl: t.string({
      nullable: true,
      description:
        'Address that the page leads back to, with `intent`, `status` and `reference` in its query: a hint, never proof. Null if nowhere.',
      resolve: leadBack,
    }),
    help: t.field({
      type: HelpType,
      nullable: true,
      description: 'Help for payers; null where the country profile has none.',
      resolve: async ({ as, assessment }) => findPayerHelp(as, await countriesOf(as, assessment.lines)),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Until when the link is open.',
      resolve: ({ link }) => link.expiresAt,
    }),
  }),
});

const BY_TOKEN = 'Requires the token of a payment link, sent as a key is.';

builder.queryFields((t) => ({
  payPage: t.field({
    type: PageType,
    description: `Returns the page of your payment link. ${BY_TOKEN}`,
    ...needs(OF_PAYER),
    resolve: (_root, _args, call) => getPayPage(call),
  }),
}));

const OutcomeEnum = defineEnum<Extract<Simulation, 'succeed' | 'fail'>>(
  'PayOutcome',
  'Outcome of a payment of a sandbox.',
  { succeed: SIMULATIONS.succeed, fail: SIMULATIONS.fail },
);

builder.mutationFields((t) => ({
  startPayment: t.field({
    type: PageType,
    description:
      `Has the payer asked to pay in one of the open ways. While a payment of this way is under way, that one is answered, however often it is asked for. One of another way is withdrawn at its aggregator first, where that can be done, and enquired about. Where it is paid already, nothing is begun. ${BY_TOKEN}` +
      listReasons('link_closed', 'assessment_not_payable', 'channel_closed', 'payer_required', 'collection_refused'),
    ...needs(OF_PAYER, { outside: true }),
    args: {
      channel: t.arg({ type: ChannelEnum, required: true, description: 'The payment channel, one of `ways`.' }),
      payerMsisdn: t.arg.string({
        description: 'The phone number that is asked to pay, with country code, where the way `needsPhone`.',
        ...payerPhone,
      }),
      phoneCountry: t.arg.string(PHONE_COUNTRY),
      payerEmail: t.arg.string({ description: 'Address to which the aggregator may mail its receipt.', ...email }),
    },
    resolve: (_root, args, call) => startPayment(call, args),
    answerAgain: (call, _intent, args) => startAgain(call, args),
  }),
  showReference: t.field({
    type: PageType,
    description:
      `Shows a number to pay by at a bank, at an agent, or by a code on a phone. While there is one that can be paid, it is that one. A payment that is under way is withdrawn as by \`startPayment\`. ${BY_TOKEN}` +
      listReasons('link_closed', 'assessment_not_payable', 'channel_closed'),
    ...needs(OF_PAYER, { outside: 'on request' }),
    resolve: (_root, _args, call) => showReference(call),
    answerAgain: (call) => getPayPage(call),
  }),
  simulateOutcome: t.field({
    type: PageType,
    description: `Has the payment under way of a sandbox end, as the aggregator would report it. \`not_found\` on a live rail. ${BY_TOKEN}${listReasons('sandbox_only', 'not_pending')}`,
    ...needs(OF_PAYER),
    args: { outcome: t.arg({ type: OutcomeEnum, required: true, description: 'Outcome to give the payment.' }) },
    resolve: (_root, { outcome }, call) => simulateOutcome(call, outcome),
    answerAgain: (call) => getPayPage(call),
  }),
}));
