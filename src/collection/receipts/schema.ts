import { ReceiptStatus } from '../../generated/prisma/enums.ts';
import { builder, limitByAddress, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyCode, currencyCode, docname, docnameArg, requiredText } from '../../graphql/input/forms.ts';
import { LanguageEnum } from '../../graphql/input/languages.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { FORMS, type Form, type ReceiptDocument, drawReceipt } from './document.ts';
import { type Receipt, contentsFor, getReceipt, isWholeFor, listReceiptsOf, receiptLoader } from './find.ts';
import { listReceiptKeys } from './keys.ts';
import { type ReceiptContents, type ReceiptKind, type ReceivedPart, totalOf } from './payload.ts';
import { LONGEST_STATION, printReceipt } from './print.ts';
import { type ReceiptKey, addressOf } from './signature.ts';
import { type ReceiptState, type Verification, verifyReceipt } from './verify.ts';
import { agencyField } from '../catalogue/edges.ts';
import { assessmentField } from '../assessments/edges.ts';

export const ReceiptStatusEnum = builder.enumType(ReceiptStatus, {
  name: 'ReceiptStatus',
  description: 'The status of a receipt.',
  values: {
    Issued: { description: 'It holds: at least a part of its payment was not reversed.' },
    Void: { description: 'The whole payment was reversed, or another receipt replaces this one.' },
  },
});

const ReceiptKindEnum = defineEnum<ReceiptKind>('ReceiptKind', 'Kind of payment that a receipt confirms.', {
  payment: 'A payment of the assessment.',
  duplicate: 'A payment of an assessment that was paid already.',
  late: 'A payment that came when the assessment was no longer to be paid.',
});

const ReceiptStateEnum = defineEnum<ReceiptState>('ReceiptState', 'State of a presented receipt.', {
  valid: 'The rail issued it, it holds, and the payments are as it says.',
  void: 'The rail issued it. Its payment was reversed since, or another receipt replaces it.',
  unknown: 'The rail has no such receipt.',
  forged: 'It is not what the rail signed, or its payments are not as it says.',
});

export const FormEnum = builder.enumType('ReceiptForm', {
  description: 'Format of a receipt.',
  values: {
    pdf: { value: 'application/pdf' satisfies Form, description: FORMS['application/pdf'] },
    svg: { value: 'image/svg+xml' satisfies Form, description: FORMS['image/svg+xml'] },
    text: { value: 'text/plain' satisfies Form, description: FORMS['text/plain'] },
  },
});

export const ReceivedPartType = builder.objectRef<ReceivedPart>('ReceivedPart').implement({
  description: 'Amount that an agency received, as a receipt says it.',
  fields: (t) => ({
    agencyId: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    agency: t.field(agencyField('The agency that received it.')),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount that it received.' }),
    eventId: t.exposeID('event', {
      description: 'The docname of the payment event that proves it.',
      ...docname('event'),
    }),
  }),
});

export const ContentsType = builder.objectRef<ReceiptContents>('ReceiptContents').implement({
  description: 'Content of a receipt, all of it signed.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ReceiptKindEnum, description: 'Kind of payment that it confirms.' }),
    amount: t.field({ type: 'Decimal', description: 'The amount of all agencies.', resolve: totalOf }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    channel: t.exposeString('channel', { description: 'The payment channel, as of an intent.' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'Time of confirmation, to the second.' }),
    payerInitials: t.exposeString('payerInitials', {
      description: 'The initials of the citizen; nothing else of a person is on a receipt.',
    }),
    agencies: t.expose('agencies', {
      type: [ReceivedPartType],
      description:
        'Amounts that agencies received, the largest share first. If there are many, those that find no room in a QR code are added up in `otherAmount`.',
    }),
    otherAgencies: t.int({
      description: 'Number of agencies that are added up in `otherAmount`.',
      resolve: ({ otherAgencies }) => otherAgencies?.count ?? 0,
    }),
    otherAmount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Amount that agencies received that are not named; null where all are.',
      resolve: ({ otherAgencies }) => otherAgencies?.amount ?? null,
    }),
    services: t.exposeStringList('services', {
      description:
        'The names of the services, of which the QR code has room for some, each cut behind a word after at most 30 characters.',
    }),
    otherServices: t.exposeInt('otherServices', { description: 'Number of services that are not named.' }),
  }),
});

export const DocumentType = builder.objectRef<ReceiptDocument>('ReceiptDocument').implement({
  description: 'A receipt in a form for people.',
  fields: (t) => ({
    mediaType: t.exposeString('mediaType', { description: 'The media type, such as `application/pdf`.' }),
    body: t.string({ description: 'Its bytes, in Base64.', resolve: ({ body }) => body.toString('base64') }),
  }),
});

export const ReceiptType = builder.objectRef<Receipt>('Receipt').implement({
  description: 'The signed proof of one confirmed payment, which anybody can verify.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier (docname), `RCP-<yyyy>-<mm>-<6 digits>`. The numbers have gaps.',
      ...docname('receipt'),
    }),
    intentId: t.exposeID('intent', { description: 'The docname of the payment intent.', ...docname('intent') }),
    assessmentId: t.exposeID('assessment', { description: 'The docname of the assessment.', ...docname('assessment') }),
    assessment: t.field(assessmentField('The assessment.')),
    status: t.expose('status', { type: ReceiptStatusEnum, description: 'State of the receipt.' }),
    contents: t.field({
      type: ContentsType,
      description: 'Content of the receipt; agencies beyond a wall are added up.',
      resolve: (receipt, _args, { viewer }) => contentsFor(viewer, receipt),
    }),
    payload: t.string({
      nullable: true,
      description:
        'The text that was signed: the bytes of its UTF-8. Null for who is bound to some of several agencies that are paid.',
      resolve: (receipt, _args, { viewer }) => (isWholeFor(viewer, receipt) ? receipt.payload : null),
    }),
    signature: t.string({
      nullable: true,
      description:
        'The signature (Ed25519) of the payload, in base64url. Null for who is bound to some of several agencies that are paid.',
      resolve: (receipt, _args, { viewer }) => (isWholeFor(viewer, receipt) ? receipt.signature : null),
    }),
    kid: t.exposeString('kid', { description: 'The key that signed it, one of `receiptKeys`.' }),
    code: t.string({
      nullable: true,
      description:
        'Code to type with its number where nothing reads its QR code. Null for who is bound to some of several agencies that are paid.',
      resolve: (receipt, _args, { viewer }) => (isWholeFor(viewer, receipt) ? receipt.code : null),
    }),
    url: t.string({
      description:
        'Content of its QR code: the address of the page that verifies it, with the signed text in the fragment, which browsers send to nobody. At most 300 characters. Null for who is bound to some of several agencies that are paid.',
      nullable: true,
      resolve: (receipt, _args, { origin, viewer }) =>
        isWholeFor(viewer, receipt) ? addressOf(origin, receipt) : null,
    }),
    copies: t.exposeInt('copies', { description: 'Number of times it was printed.' }),
    document: t.field({
      type: DocumentType,
      nullable: true,
      complexity: 100,
      description:
        'The receipt in a form for people, drawn from what was signed. Null for who is bound to some of several agencies that are paid.',
      args: {
        form: t.arg({ type: FormEnum, required: true, description: 'The form that is asked for.' }),
        language: t.arg({ type: LanguageEnum, description: 'The language of its words. Default: English.' }),
      },
      resolve: (receipt, { form, language }, call) =>
        isWholeFor(call.viewer, receipt) ? drawReceipt(call, receipt, { form, language: language ?? 'en' }) : null,
    }),
    voidedAt: t.expose('voidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which its payment was reversed, or another receipt replaced it; null if it holds.',
    }),
    replacedById: t.exposeID('replacedBy', {
      nullable: true,
      description: 'The docname of the receipt that says it right, where this one was wrong; null of any other.',
      ...docname('receipt'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was issued.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last print or voiding.' }),
  }),
});

builder.objectField(ReceiptType, 'replacedBy', (t) =>
  t.field({
    type: ReceiptType,
    nullable: true,
    description: 'The receipt that says it right, where this one was wrong; null of any other.',
    resolve: ({ replacedBy }, _args, call, info) => followIfAny(call, info, receiptLoader, replacedBy),
  }),
);

defineNode({
  typename: 'Receipt',
  needs: ['payments.read'],
  matches: (id) => isDocname('receipt', id),
  loader: receiptLoader,
});

const ReceiptConnection = defineConnection('Receipt', ReceiptType, 'receipts');

builder.prismaObjectField('Assessment', 'receipts', (t) =>
  t.field({
    description: 'The receipts of its payments, newest first. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    ...connection(ReceiptConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listReceiptsOf(call, name, args),
  }),
);

export const VerificationType = builder.objectRef<Verification>('ReceiptVerification').implement({
  description: 'Result of verifying a receipt.',
  fields: (t) => ({
    state: t.expose('state', { type: ReceiptStateEnum, description: 'State of the receipt at this moment.' }),
    contents: t.expose('contents', {
      type: ContentsType,
      nullable: true,
      description: 'Content of the receipt; null unless it is valid or void.',
    }),
    left: t.expose('left', {
      type: 'Decimal',
      nullable: true,
      description:
        'The amount of the payment that was not refunded, in the currency of the receipt; null unless it is valid or void.',
    }),
    voidedAt: t.expose('voidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which its payment was reversed, or another receipt replaced it; null if it holds.',
    }),
    replacedBy: t.exposeString('replacedBy', {
      nullable: true,
      description: 'The number of the receipt that says it right, where this one was wrong; null of any other.',
    }),
  }),
});

const ReceiptKeyType = builder.objectRef<ReceiptKey>('ReceiptKey').implement({
  description: 'A public key that receipts are verified with (RFC 7517, RFC 8037), and the span in which it signed.',
  fields: (t) => ({
    kid: t.string({
      description: 'ID of the key: its thumbprint (RFC 7638).',
      resolve: ({ publicKey }) => publicKey.kid,
    }),
    kty: t.string({ description: 'The type of the key: `OKP`.', resolve: ({ publicKey }) => publicKey.kty }),
    crv: t.string({ description: 'The curve of the key: `Ed25519`.', resolve: ({ publicKey }) => publicKey.crv }),
    x: t.string({ description: 'The public key, in base64url.', resolve: ({ publicKey }) => publicKey.x }),
    use: t.string({ description: 'Purpose of the key: `sig`, signatures.', resolve: ({ publicKey }) => publicKey.use }),
    alg: t.string({
      description: 'The algorithm of its signatures: `EdDSA`.',
      resolve: ({ publicKey }) => publicKey.alg,
    }),
    from: t.expose('from', { type: 'DateTime', description: 'Since when it signs.' }),
    until: t.expose('until', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it signed; null for the one that signs at present.',
    }),
  }),
});

const ReceiptKeySetType = builder.objectRef<{ readonly keys: ReceiptKey[] }>('ReceiptKeySet').implement({
  description: 'A set of public keys (RFC 7517).',
  fields: (t) => ({
    keys: t.expose('keys', { type: [ReceiptKeyType], description: 'The keys, the one that signs at present first.' }),
  }),
});

builder.queryFields((t) => ({
  receipt: t.field({
    type: ReceiptType,
    description: "Returns one of the caller's receipts. Scope `payments.read`. `not_found` if it does not exist.",
    ...needs('payments.read'),
    args: { id: t.arg.id(docnameArg('receipt')) },
    resolve: (_root, { id }, call) => getReceipt(call, id),
  }),
  receiptKeys: t.field({
    type: ReceiptKeySetType,
    description: 'All public keys that ever signed receipts. No authentication required.',
    resolve: async (_root, _args, call) => ({ keys: await listReceiptKeys(call) }),
  }),
}));

builder.mutationFields((t) => ({
  printReceipt: t.field({
    type: ReceiptType,
    description:
      'Counts that a receipt is printed. From the second time on, its forms say which copy they are. Scope `payments.read`.' +
      listReasons('not_found'),
    ...needs('payments.read', { people: 'alone' }),
    answerAgain: getReceipt,
    args: {
      id: t.arg.id(docnameArg('receipt')),
      station: t.arg.string({
        required: true,
        description: 'Place of printing, such as the name of a counter.',
        ...requiredText(LONGEST_STATION),
      }),
    },
    resolve: (_root, args, call) => printReceipt(call, args),
  }),
  verifyReceipt: t.field({
    type: VerificationType,
    description:
      'Says how a receipt stands: by what is in its QR code (`payload`, `signature` and `kid`), or by what is printed below it (`name` and `code`). Changes nothing. No authentication required; each address may ask so many times a minute.',
    ...limitByAddress({ addressLimit: 'records' }),
    args: {
      payload: t.arg.string({ description: 'The text that was signed.', ...shape({ maxLength: 1_000 }) }),
      signature: t.arg.string({ description: 'Its signature, in base64url.', ...shape({ maxLength: 100 }) }),
      kid: t.arg.string({
        description: 'The key that signed it, or at least its first 8 characters.',
        ...shape({ maxLength: 43 }),
      }),
      name: t.arg.string({ description: 'The number of the receipt, in either case.', ...shape({ maxLength: 40 }) }),
      code: t.arg.string({
        description: 'The code of the receipt, in either case, with or without its dash.',
        ...shape({ maxLength: 40 }),
      }),
    },
    resolve: (_root, args, call) => verifyReceipt(call, args),
  }),
}));
