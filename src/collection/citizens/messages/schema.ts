import { builder, needs, trustProof } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { currencyCode, docname, ownDocname } from '../../../graphql/input/forms.ts';
import { type Language, LanguageEnum } from '../../../graphql/input/languages.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import type { PayerMessageKind, PayerMessageStatus, PayerMessageTransport } from '../../../generated/prisma/enums.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { citizenLoader } from '../find.ts';
import { CitizenType } from '../schema.ts';
import { listMessages, listMessagesOf, messageLoader } from './find.ts';
import { type GatewayAnswer, receiveReport, receiveText } from './receive.ts';
import { type Stop, findStop, stopByLink } from './stop.ts';

const readers = 'For admins, system managers and the oversight role.';

const KindEnum = defineEnum<PayerMessageKind>('PayerMessageKind', 'Kind of message to a payer.', {
  reference_issued: 'The payment reference to pay with, the amount and until when.',
  paid: 'Notice that a payment arrived, with its receipt.',
  reversed: 'Notice that a payment was reversed, and its receipt is void.',
  unmatched: 'Notice that money arrived and paid nothing, and what happens next.',
  refunded: 'Notice that a payment was refunded, in full or in part.',
  demand: 'Amount that an agency assessed, and by when it is to be paid.',
});

const TransportEnum = defineEnum<PayerMessageTransport>('PayerMessageTransport', 'Transport of messages to payers.', {
  sms: "By a text to the citizen's own phone.",
  mail: 'By e-mail to the address that was given for the payment.',
});

const StatusEnum = defineEnum<PayerMessageStatus>('PayerMessageStatus', 'The status of a message to a payer.', {
  Queued: 'It is sent soon, or again after a try that failed.',
  Sent: 'The gateway or the mail server took it.',
  Delivered: 'The gateway reported that it arrived. E-mail stays `Sent`.',
  Failed: 'It did not arrive, or may not have; `failure` says why. It is not sent again.',
  Suppressed: 'It was not sent: nobody wants it any more, or it was no longer true.',
});

export const MessageType = builder.prismaObject('PayerMessage', {
  description:
    'A message that notifies a payer of their payment. Its text and its address are not kept; it names nobody.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('payerMessage')),
    kind: t.expose('kind', { type: KindEnum, description: 'Kind of message to the payer.' }),
    transport: t.expose('transport', { type: TransportEnum, description: 'Transport by which it is sent.' }),
    language: t.field({
      type: LanguageEnum,
      description: 'The language that it is written in.',
      resolve: ({ language }) => language as Language,
    }),
    status: t.expose('status', { type: StatusEnum, description: 'The current status: whether it arrived.' }),
    subject: t.exposeString('subject', {
      description:
        'Subject of the message: the number of a payment reference, or the docname of a receipt, of money that paid nothing or of an assessment.',
    }),
    attempts: t.exposeInt('attempts', { description: 'Number of times it was tried.' }),
    failure: t.exposeString('failure', {
      nullable: true,
      description:
        'Reason, in a word, why it or its last try failed: of the rail (`unanswered`, `no_gateway`, `no_address`, `unavailable`, `refused`, `timeout`, `failed`) or of the gateway. Null if nothing did.',
    }),
    gateway: t.exposeString('gateway', {
      nullable: true,
      description: 'The gateway that took the text; null before, and of e-mail.',
    }),
    cost: t.expose('cost', {
      type: 'Decimal',
      nullable: true,
      description: "The gateway's charge for it; null if the gateway does not say.",
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of the cost (ISO 4217).',
      ...currencyCode,
    }),
    citizenId: t.exposeID('citizen', { description: 'The docname of the citizen.', ...docname('citizen') }),
    citizen: t.field({
      type: 'Citizen',
      nullable: true,
      description: 'The citizen. Scope `citizens.read`.',
      ...needs('citizens.read', { alone: true }),
      resolve: ({ citizen }, _args, call, info) => follow(call, info, citizenLoader, citizen),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was queued.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'Time of its sending; null before.' }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the gateway reported that it arrived; null before.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'PayerMessage',
  needs: ['operations.read'],
  matches: (id) => isDocname('payerMessage', id),
  loader: messageLoader,
});

export const MessageConnection = defineConnection('PayerMessage', MessageType, 'messages to payers', {
  sums: 'what the gateways charge',
});

builder.prismaObjectField(CitizenType, 'messages', (t) =>
  t.field({
    description: `Messages to the citizen about their payments, newest first. ${readers}`,
    ...needs('operations.read', { alone: true }),
    ...connection(MessageConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listMessagesOf(call, 'citizen', name, args),
  }),
);

builder.queryFields((t) => ({
  payerMessages: t.field({
    description: `Messages that tell payers of their payments, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(MessageConnection, {
      most: 200,
      searched: ['kind', 'transport', 'status'],
      args: {
        kind: t.arg({ type: KindEnum, description: 'Filter by what it tells.' }),
        transport: t.arg({ type: TransportEnum, description: 'Filter by how it is sent.' }),
        status: t.arg({ type: StatusEnum, description: 'Filter by the current status.' }),
        fromDate: t.arg({ type: 'Date', description: 'From this UTC day on.' }),
        toDate: t.arg({ type: 'Date', description: 'Up to and including this UTC day.' }),
      },
    }),
    resolve: (_root, args, call) => listMessages(call, args, args),
  }),
}));

const StopType = builder.objectRef<Stop>('PayerMessageStop').implement({
  description: 'State of letters to an e-mail address: stopped or sent. It does not say which address.',
  fields: (t) => ({
    transport: t.expose('transport', { type: TransportEnum, description: 'Transport of the stopped messages.' }),
    stoppedAt: t.expose('stoppedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which they were stopped; null if they are sent.',
    }),
  }),
});

const stopToken = builder.args((t) => ({
  token: t.string({
    required: true,
    description: "Token at the end of the letter's link.",
    ...shape({ maxLength: 255, examples: ['kq2sL0aT9m'] }),
  }),
}));

builder.queryFields((t) => ({
  payerMessageStop: t.field({
    type: StopType,
    description:
      'State of the messages that the link of a letter stops, for holders of the link. `not_found` for a link that this rail did not make.',
    args: stopToken,
    resolve: (_root, { token }, call) => findStop(call, token),
  }),
}));

const AnswerEnum = defineEnum<GatewayAnswer>('SmsDecision', 'Outcome of a post by a gateway of text messages.', {
  delivered: 'The text is Delivered.',
  failed: 'The text is Failed.',
  stopped: 'No more texts are sent to this phone.',
  started: 'Texts are sent to this phone again.',
  ignored: 'It changed nothing: it was known before, is about no text of this rail, or asks for nothing.',
});

const GatewayAnswerType = builder.objectRef<{ decision: GatewayAnswer }>('SmsAnswer').implement({
  description: 'The outcome of what a gateway of text messages posted.',
  fields: (t) => ({ decision: t.expose('decision', { type: AnswerEnum, description: 'The outcome: what changed.' }) }),
});

const gatewayArgs = builder.args((t) => ({
  gateway: t.id({
    required: true,
    description: 'The gateway, by the name of its connection.',
    ...shape({ maxLength: 100, examples: ['texts'] }),
  }),
  proof: t.string({ description: 'The secret of the gateway, in the address that it was given.' }),
}));

const proof =
  'Gateways do not sign: the secret in the address proves them, and only sandbox mode takes a post without one. `invalid_signature`; `not_found` for an unknown gateway; `rate_limited` for an address that sends too much without the secret.';

builder.mutationFields((t) => ({
  stopPayerMessages: t.field({
    type: StopType,
    description:
      'Stops the messages that the link of a letter is for, for who has the link. `not_found` for a link that this rail did not make.',
    args: stopToken,
    resolve: (_root, { token }, call) => stopByLink(call, token),
  }),
  receiveSmsReport: t.field({
    type: GatewayAnswerType,
    description: `Takes a delivery report of a gateway of text messages. ${proof}`,
    ...trustProof(),
    args: {
      ...gatewayArgs,
      body: t.arg({
        type: 'Byte',
        required: true,
        description: 'The form exactly as it was sent: which text, what became of it, and why.',
      }),
    },
    resolve: async (_root, { gateway, body, proof: shown }, call) => ({
      decision: await receiveReport(call, { gateway, body, proof: shown }),
    }),
  }),
  receiveSms: t.field({
    type: GatewayAnswerType,
    description: `Takes a text that somebody sent to the rail: \`STOP\` stops texts to all citizens with the phone, \`START\` starts them again. ${proof}`,
    ...trustProof(),
    args: {
      ...gatewayArgs,
      body: t.arg({
        type: 'Byte',
        required: true,
        description: 'The form exactly as it was sent, with `from` and `text`.',
      }),
    },
    resolve: async (_root, { gateway, body, proof: shown }, call) => ({
      decision: await receiveText(call, { gateway, body, proof: shown }),
    }),
  }),
}));
