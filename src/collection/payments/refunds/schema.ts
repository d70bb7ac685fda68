import type { PaymentIntent as IntentRecord } from '../../../generated/prisma/client.ts';
import { RefundMethod, RefundStatus } from '../../../generated/prisma/enums.ts';
import { partsWithin } from '../../../platform/access/owned.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { agencyCode, currencyCode, docname, docnameArg, freeText, ownDocname } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { type Decimal, sum, zero } from '../../../kernel/money.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { addAnomalySubject } from '../../anomalies/subject.ts';
import { pendingApprovalOf } from '../../approvals/find.ts';
import { ApprovalType } from '../../approvals/schema.ts';
import { assessmentFieldIfAny } from '../../assessments/edges.ts';
import { agencyField } from '../../catalogue/edges.ts';
import { moneyLoader } from '../../money/find.ts';
import { MoneyType, OutcomeType } from '../../money/schema.ts';
import { getIntent, intentLoader } from '../find.ts';
import { actorAsShownTo } from '../schema/conceal.ts';
import { refundApprovals } from './approval.ts';
import { LONGEST_NUMBER, disputePayment } from './dispute.ts';
import { payRefundInCash } from './paying/cash.ts';
import { getRefund, listRefunds, listRefundsOf, readSharesOf, refundLoader } from './find.ts';
import { proveRefund } from './paying/transfer.ts';
import { REASON_CODES, type ReasonCode } from './reason-codes.ts';
import { type OpenMethod, methodsOf, readLeftOf, readRefundedOf, readRefundedOfIntent } from './refundable.ts';
import { requestRefund } from './request.ts';
import type { Share } from './shares.ts';
import { withdrawRefund } from './withdraw.ts';

/** Lines of an assessment. */
const MOST_LINES = 100;

const StatusEnum = builder.enumType(RefundStatus, {
  name: 'RefundStatus',
  description: 'The status of a refund.',
  values: {
    Requested: { description: 'It waits for the decision of a second person.' },
    Approved: { description: 'It is to be paid.' },
    Declined: { description: 'It was refused or withdrawn, or nobody decided in time: nothing is paid.' },
    Sent: { description: 'The provider has been asked to pay it.' },
    Done: { description: 'It was paid; negative payment events were recorded.' },
    Failed: { description: 'The provider reported that it could not pay it.' },
  },
});

export const RefundMethodEnum = builder.enumType(RefundMethod, {
  name: 'RefundMethod',
  description: 'The way in which a refund is paid.',
  values: {
    provider: { description: 'By the provider that collected the payment.' },
    cash: { description: 'In cash, at a counter.' },
    transfer: { description: "By a transfer of the agency's bank, which a finance officer enters." },
    chargeback: {
      description: 'By the provider, which took it back after the payer disputed the payment: nobody pays it.',
    },
  },
});

export const RefundReasonEnum = defineEnum<ReasonCode>('RefundReason', 'The reason for a refund.', REASON_CODES);

const ShareType = builder.objectRef<Share>('RefundShare').implement({
  description: 'The part of a refund that one line gives back, or could.',
  fields: (t) => ({
    idx: t.int({
      nullable: true,
      description: 'The number of the line; null where the splits of the payment differ from its lines.',
      resolve: ({ idx }) => idx || null,
    }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that gives it back.', ...agencyCode }),
    agency: t.field(agencyField('The agency that gives it back.')),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount, in the currency of the payment.' }),
  }),
});

export const RefundType = builder.prismaObject('Refund', {
  description: 'Money of a payment, or money that paid nothing, that goes back to the payer, in full or in part.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('refund')),
    intentId: t.exposeID('intent', {
      nullable: true,
      description: 'The docname of the payment intent that is refunded; null for money that paid nothing.',
      ...docname('intent'),
    }),
    intent: t.field({
      type: 'PaymentIntent',
      nullable: true,
      description: 'The payment intent that is refunded; null for money that paid nothing.',
      resolve: ({ intent }, _args, call, info) => followIfAny(call, info, intentLoader, intent),
    }),
    assessmentId: t.exposeID('assessment', {
      nullable: true,
      description: 'The docname of the assessment that was paid, or that the money was for; null if none is known.',
      ...docname('assessment'),
    }),
    assessment: t.field(
      assessmentFieldIfAny('The assessment that was paid, or that the money was for; null if none is known.'),
    ),
    moneyId: t.exposeID('money', {
      nullable: true,
      description: 'The docname of the money that paid nothing and goes back; null for a payment.',
      ...docname('money'),
    }),
    money: t.field({
      type: MoneyType,
      nullable: true,
      description: 'The money that paid nothing and goes back; null for a payment, and for those who may not see it.',
      ...needs('assessment.money', { alone: true }),
      resolve: ({ money }, _args, call, info) => followIfAny(call, info, moneyLoader, money),
    }),
    payeeHint: t.exposeString('payeeHint', {
      nullable: true,
      description: 'The payee in words, or where the payer wants the money; null if it goes to who paid.',
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount that goes back.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    shares: t.field({
      type: [ShareType],
      description: 'The amount of each line. Viewers bound to agencies see those of these alone.',
      resolve: async ({ name }, _args, call) => partsWithin(call.viewer, await readSharesOf(call, name)),
    }),
    reasonCode: t.field({
      type: RefundReasonEnum,
      description: 'The reason for it.',
      resolve: ({ reasonCode }) => reasonCode as ReasonCode,
    }),
    note: t.exposeString('note', { nullable: true, description: 'The reason in words; null if nobody gave any.' }),
    method: t.expose('method', { type: RefundMethodEnum, description: 'The way in which it is paid.' }),
    booked: t.exposeBoolean('booked', {
      description: 'True if a cancellation reversed the payment already: it has no payment events of its own.',
    }),
    status: t.expose('status', {
      type: StatusEnum,
      description: 'The status of the refund; `Done` and `Declined` are final.',
    }),
    providerReference: t.exposeString('providerReference', {
      nullable: true,
      description:
        'The number of the refund at the provider or bank that paid it; null until it is paid, except of a chargeback.',
    }),
    paidOn: t.expose('paidOn', {
      type: 'Date',
      nullable: true,
      description: 'The day on which a transfer was paid; null for other methods.',
    }),
    documentHash: t.exposeString('documentHash', {
      nullable: true,
      description: 'SHA-256 (hex) of the document that proves a transfer; null if none was given.',
    }),
    shiftId: t.exposeID('shift', {
      nullable: true,
      description: 'The docname of the shift that paid it in cash; null for others.',
      ...docname('shift'),
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Reason why the provider could not pay it, in its words.',
    }),
    requestedBy: t.string({
      description:
        "The one who asked for it: an integrator's code, an agency, or `staff` (staff see the e-mail address).",
      resolve: ({ requestedBy }, _args, { viewer }) => actorAsShownTo(viewer, requestedBy),
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description: 'The decision that it waits for; null if none, or if the caller may not see it.',
      ...needs('approvals.read', { alone: true }),
      resolve: ({ name }, _args, call) => pendingApprovalOf(call, refundApprovals, name),
    }),
    approvedAt: t.expose('approvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was approved; null if it was not.',
    }),
    doneAt: t.expose('doneAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the rail recorded that it was paid; null if it was not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was requested.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

addAnomalySubject(RefundType);

defineNode({
  typename: 'Refund',
  needs: ['payments.read'],
  matches: (id) => isDocname('refund', id),
  loader: refundLoader,
});

const RefundConnection = defineConnection('Refund', RefundType, 'refunds', { sums: 'the amounts' });

const OpenMethodType = builder.objectRef<OpenMethod>('RefundableMethod').implement({
  description: 'A way in which a payment can be refunded.',
  fields: (t) => ({
    method: t.expose('method', { type: RefundMethodEnum, description: 'The way in which it can be paid.' }),
    until: t.expose('until', { type: 'DateTime', description: 'Until when it can be requested so.' }),
    partial: t.exposeBoolean('partial', { description: 'True if it can give back a part of the payment.' }),
  }),
});

/** What is left of a payment. */
interface Refundable {
  readonly intent: IntentRecord;
  readonly left: readonly Share[];
  /** The amount that is left in all, also of agencies that the viewer does not see. */
  readonly whole: Decimal;
}

const RefundableType = builder.objectRef<Refundable>('Refundable').implement({
  description: 'The part of a payment that can be refunded.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      description: 'The amount in all, in the currency of the payment.',
      resolve: ({ left }) => sum(left.map(({ amount }) => amount)),
    }),
    shares: t.field({
      type: [ShareType],
      description: 'The amount that is left of each line.',
      resolve: ({ left }) => [...left],
    }),
    methods: t.field({
      type: [OpenMethodType],
      description: 'Ways in which it can be paid; the first is the default.',
      resolve: ({ intent, whole }, _args, call) => methodsOf(call, intent, whole),
    }),
  }),
});

builder.prismaObjectFields('PaymentIntent', (t) => ({
  refunded: t.field({
    type: 'Decimal',
    description: 'The amount that was paid back by refunds.',
    resolve: async (intent, _args, call) => (await readRefundedOfIntent(call, intent.name))[0]?.refunded ?? zero,
  }),
  refundable: t.field({
    type: RefundableType,
    nullable: true,
    description:
      'The part of it that can be refunded; null if nothing. Viewers bound to agencies see the shares of these alone.',
    resolve: async (intent, _args, call) => {
      const all = await readLeftOf(call, intent.name);
      const left = partsWithin(call.viewer, all);
      return left.length === 0 ? null : { intent, left, whole: sum(all.map(({ amount }) => amount)) };
    },
  }),
  refunds: t.field({
    description: 'The refunds of it, newest first.',
    ...connection(RefundConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listRefundsOf(call, 'intent', name, args),
  }),
}));

builder.prismaObjectFields('Assessment', (t) => ({
  refunded: t.field({
    type: 'Decimal',
    description: 'The amount that was paid back by refunds. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: async ({ name }, _args, call) => (await readRefundedOf(call, name))[0]?.refunded ?? zero,
  }),
  refundDue: t.field({
    type: 'Decimal',
    description: 'The amount that a cancellation reversed and that is not paid back yet. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: async ({ name }, _args, call) => (await readRefundedOf(call, name))[0]?.due ?? zero,
  }),
}));

builder.prismaObjectField('Assessment', 'refunds', (t) =>
  t.field({
    description: 'The refunds of its payments, newest first. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    ...connection(RefundConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listRefundsOf(call, 'assessment', name, args),
  }),
);

builder.objectFields(OutcomeType, (t) => ({
  intent: t.field({
    type: 'PaymentIntent',
    nullable: true,
    description: 'The payment intent that it confirmed; null if it was not allocated. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ intent }, _args, call, info) => followIfAny(call, info, intentLoader, intent),
  }),
  refund: t.field({
    type: RefundType,
    nullable: true,
    description: 'The refund that gave it back; null if it was not returned. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ refund }, _args, call, info) => followIfAny(call, info, refundLoader, refund),
  }),
}));

builder.prismaObjectFields('Propagation', (t) => ({
  refundId: t.exposeID('refund', {
    nullable: true,
    description: 'The docname of the refund that it is about; null for payments, and for reversals by a cancellation.',
    ...docname('refund'),
  }),
  refund: t.field({
    type: RefundType,
    nullable: true,
    description:
      'The refund that it is about; null for payments, and for reversals by a cancellation. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ refund }, _args, call, info) => followIfAny(call, info, refundLoader, refund),
  }),
}));

builder.prismaObjectFields('PaymentEvent', (t) => ({
  refundId: t.exposeID('refund', {
    nullable: true,
    description: 'The docname of the refund that gave it back; null for payments, and for reversals by a cancellation.',
    ...docname('refund'),
  }),
  refund: t.field({
    type: RefundType,
    nullable: true,
    description: 'The refund that gave it back; null for payments, and for reversals by a cancellation.',
    resolve: ({ refund }, _args, call, info) => followIfAny(call, info, refundLoader, refund),
  }),
}));

const LineInput = builder.inputType('RefundLineInput', {
  description: 'A line of which money is refunded.',
  fields: (t) => ({
    idx: t.int({ required: true, description: 'The number of the line, from 1.' }),
    amount: t.field({ type: 'Decimal', description: 'More than 0. Default: all that is left of the line.' }),
  }),
});

const idArg = builder.args((t) => ({ id: t.id(docnameArg('refund')) }));

builder.queryFields((t) => ({
  refund: t.field({
    type: RefundType,
    description: "Returns one of the caller's refunds. Scope `payments.read`. `not_found` if it does not exist.",
    ...needs('payments.read'),
    args: idArg,
    resolve: (_root, { id }, call) => getRefund(call, id),
  }),
  refunds: t.field({
    description: "The caller's refunds, newest first. Scope `payments.read`.",
    ...needs('payments.read'),
    ...connection(RefundConnection, {
      most: 500,
      args: {
        status: t.arg({ type: StatusEnum, description: 'Only refunds in this status.' }),
        method: t.arg({ type: RefundMethodEnum, description: 'Only refunds that are paid so.' }),
        reasonCode: t.arg({ type: RefundReasonEnum, description: 'Only refunds for this reason.' }),
        agency: t.arg.id({ description: 'Only refunds in which this agency has a share.', ...agencyCode }),
        intent: t.arg.id({ description: 'Only refunds of this payment intent.', ...docname('intent') }),
        assessment: t.arg.id({ description: 'Only refunds of this assessment.', ...docname('assessment') }),
        money: t.arg.id({ description: 'Only refunds of this money.', ...docname('money') }),
        from: t.arg({ type: 'DateTime', description: 'Only refunds requested at or after this time.' }),
        to: t.arg({
          type: 'DateTime',
          description:
            'Only refunds requested at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
        }),
      },
    }),
    resolve: (_root, args, call) => listRefunds(call, args, args),
  }),
}));

const DECIDED =
  'On a live rail it waits for an independent finance officer, supervisor or admin; in a sandbox it is Approved at once.';

builder.mutationFields((t) => ({
  requestRefund: t.field({
    type: RefundType,
    description:
      `Requests a refund of a Confirmed payment intent: of some lines, or of an amount. An amount is spread over what is left of the lines. Without either, all that is left is refunded. Or a refund of money that paid nothing, by transfer. ${DECIDED} A \`chargeback\`, which staff alone enter, is Done instead of Approved; of more than is left, it is what is left. For supervisors, finance officers and admins, for keys with the scope \`payments.refund\`, and for agency tokens with \`refunds.request\`.` +
      listReasons('refund_not_possible', 'refund_available_changed', 'refund_too_late', 'money_closed'),
    ...needs('refunds.write', { people: 'two', missing: true }),
    args: {
      intent: t.arg.id({ description: 'The payment intent (docname); or `money` instead.', ...docname('intent') }),
      money: t.arg.id({
        description: 'Money that paid nothing (docname), of which an amount, or all that is open, is given back.',
        ...docname('money'),
      }),
      payeeHint: t.arg.string({
        description:
          'The payee of a transfer, in words: where the payer of money that paid nothing wants it, or somebody else than who made a payment. A payment then needs a note. Above `REFUND_TRANSFER_LIMIT` it takes two approvals.',
        ...freeText(),
      }),
      lines: t.arg({
        type: [LineInput],
        description: 'The lines that are refunded. Not together with `amount`.',
        ...shape({ maxItems: MOST_LINES }),
      }),
      amount: t.arg({
        type: 'Decimal',
        description: 'The amount that is refunded, in the currency of the payment. Not together with `lines`.',
      }),
      reasonCode: t.arg({ type: RefundReasonEnum, required: true, description: 'The reason for it.' }),
      note: t.arg.string({ description: 'The reason in words; required for `other`.', ...freeText() }),
      method: t.arg({
        type: RefundMethodEnum,
        description: 'The way in which it is to be paid. Default: the first of `refundable.methods`.',
      }),
      providerReference: t.arg.string({
        description:
          'The number of the chargeback at the provider; at most 64 characters. Required for `chargeback` alone.',
        ...shape({ maxLength: LONGEST_NUMBER }),
      }),
      expectedAvailable: t.arg({
        type: 'Decimal',
        description: 'The amount that the caller saw as refundable: refused if another one is left now.',
      }),
    },
    resolve: (_root, args, call) => requestRefund(call, args),
    answerAgain: getRefund,
  }),
  disputePayment: t.field({
    type: 'PaymentIntent',
    description:
      'Records that a payer disputes a Confirmed payment: an anomaly `dispute` is raised. For supervisors, finance officers and admins.' +
      listReasons('refund_not_possible'),
    ...needs('refunds.decide', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('intent')),
      providerReference: t.arg.string({
        required: true,
        description: 'The number of the dispute at the provider; at most 64 characters.',
        ...shape({ maxLength: LONGEST_NUMBER }),
      }),
      day: t.arg({ type: 'Date', required: true, description: 'The day by which to answer the provider.' }),
      amount: t.arg({
        type: 'Decimal',
        description: 'The amount that is disputed, in the currency of the payment. Default: the whole payment.',
      }),
    },
    resolve: (_root, args, call) => disputePayment(call, args),
    answerAgain: getIntent,
  }),
  withdrawRefund: t.field({
    type: RefundType,
    description:
      'Withdraws a refund that waits for a decision, for those who asked for it.' + listReasons('approval_decided'),
    ...needs('refunds.write', { people: 'alone' }),
    args: idArg,
    resolve: (_root, { id }, call) => withdrawRefund(call, id),
    answerAgain: getRefund,
  }),
  payRefundInCash: t.field({
    type: RefundType,
    description:
      'Records that an Approved refund was handed out in cash, from an Open shift of the caller. The shift must have as much cash, and not be counted yet. For clerks, supervisors and admins, but not for those who took the payment.' +
      listReasons(
        'refund_not_possible',
        'refund_own',
        'cash_needs_shift',
        'shift_closed',
        'shift_counted',
        'paid_to_others',
      ),
    ...needs('refunds.cash', { people: 'alone' }),
    args: { id: t.arg.id(docnameArg('refund')), shift: t.arg.id(docnameArg('shift')) },
    resolve: (_root, args, call) => payRefundInCash(call, args),
    answerAgain: getRefund,
  }),
  proveRefund: t.field({
    type: RefundType,
    description:
      'Records that a bank paid a refund by transfer. For an Approved one, one that Failed at its provider, or one that the provider paid without saying so. Each of its agencies gets a negative payment event. For finance officers and admins.' +
      listReasons('refund_not_possible', 'refund_available_changed', 'paid_to_others'),
    ...needs('refunds.pay', { people: 'alone' }),
    args: {
      id: t.arg.id(docnameArg('refund')),
      reference: t.arg.string({
        required: true,
        description: 'The number that the bank gave the transfer; at most 64 characters.',
        ...shape({ maxLength: LONGEST_NUMBER }),
      }),
      day: t.arg({ type: 'Date', required: true, description: 'The day on which it was paid; not in the future.' }),
      documentHash: t.arg.string({
        description: 'SHA-256 (64 hexadecimal digits) of the document that proves it.',
        ...shape({ maxLength: 64 }),
      }),
    },
    resolve: (_root, args, call) => proveRefund(call, args),
    answerAgain: getRefund,
  }),
}));
