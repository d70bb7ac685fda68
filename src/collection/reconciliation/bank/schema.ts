import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { agencyCode, currencyCode, docname, docnameArg, ownDocname } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { exampleDocnameOf, isDocname } from '../../../platform/database/docnames.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import {
  type BankLine,
  type BankStatement,
  bankLineLoader,
  bankStatementLoader,
  getBankLine,
  getBankStatement,
  listBankLines,
  listBankLinesOf,
  listBankStatements,
  listBankStatementsOf,
  listLinesOf,
  seesTexts,
} from './find.ts';
import { AUTO, BANK_FORMATS } from './read.ts';
import { MOST_LINES } from './statement.ts';
import { type UploadedStatement, uploadBankStatements } from './upload.ts';

const readers =
  'For supervisors, finance officers, auditors, operators and the oversight role, and an agency by a token with `payments.read`. Staff who are bound to agencies see those of their accounts.';

type Format = (typeof BANK_FORMATS)[number];
const FormatEnum = defineEnum<Format>('BankFileFormat', 'The format of a file of a bank.', {
  camt053: "ISO 20022's statement, camt.053, as XML.",
  mt940: 'A customer statement of SWIFT, MT940.',
  csv: 'Comma-separated values, as a bank of its own exports them.',
});

type Kind = 'payout' | 'fee' | 'refund' | 'deposit' | 'other' | 'unknown';
export const BankLineKindEnum = defineEnum<Kind>(
  'BankLineKind',
  'The kind of money that a line of a bank statement is found to be.',
  {
    payout: 'A payout of a provider for the payments of some days; below zero, money that it took back.',
    fee: 'A fee of the bank or of a provider.',
    refund: 'A refund that was paid from the account.',
    deposit: 'Cash of a counter that was paid in.',
    other: 'Explained by a person, and none of these.',
    unknown: 'A line that nobody has explained yet.',
  },
);

type How = 'reference' | 'sum' | 'deposit' | 'person';
const HowEnum = defineEnum<How>('BankLineFinding', 'The way in which the kind of a line was found.', {
  reference: 'By a number of the rail or of a provider in its text.',
  sum: 'By its amount, which is that of the payments of some days.',
  deposit: 'By the number of a deposit.',
  person: 'A person decided on it.',
});

const OutcomeEnum = defineEnum<UploadedStatement['outcome']>(
  'BankUploadOutcome',
  'The result of uploading a statement of a bank.',
  {
    taken: 'It is recorded with its lines.',
    already: 'The same file was uploaded before.',
    refused: 'Nothing of it is recorded; `reason` says why.',
  },
);

const accountField = { type: 'String', description: 'The last four characters of the account.' } as const;
const agencyArg = builder.args((t) => ({
  agency: t.id({ description: "Only those of this agency's account.", ...agencyCode }),
}));

const StatementType = builder.objectRef<BankStatement>('BankStatement').implement({
  description: 'A statement of a bank, of one account that agencies have, in one currency. It never changes.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('bankStatement')),
    accountLast4: t.field({ ...accountField, resolve: ({ accountLast4 }) => accountLast4 }),
    currency: t.exposeString('currency', { description: 'The currency of the account (ISO 4217).', ...currencyCode }),
    format: t.field({
      type: FormatEnum,
      description: 'The format of its file.',
      resolve: ({ format }) => format as Format,
    }),
    sourceHash: t.exposeString('sourceHash', { description: 'SHA-256 (hex) of its file.' }),
    fromOn: t.expose('fromOn', { type: 'Date', nullable: true, description: 'The first day that it is about.' }),
    toOn: t.expose('toOn', { type: 'Date', nullable: true, description: 'The last day that it is about.' }),
    opening: t.expose('opening', {
      type: 'Decimal',
      nullable: true,
      description: 'The balance before its lines; null if its file does not say.',
    }),
    closing: t.expose('closing', {
      type: 'Decimal',
      nullable: true,
      description: 'The balance after its lines; null if its file does not say.',
    }),
    lineCount: t.exposeInt('lines', { description: 'The number of its lines.' }),
    gap: t.exposeBoolean('gap', {
      description:
        'True while its opening balance is not the closing balance of the statement before it: one is missing between them.',
    }),
    gapClosedById: t.exposeID('gapClosedBy', {
      nullable: true,
      description: 'The docname of the later statement that closed a gap before it; null if there was none.',
      ...docname('bankStatement'),
    }),
    createdBy: t.exposeString('createdBy', { description: 'The person or agency that uploaded it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was uploaded.' }),
  }),
});

builder.objectField(StatementType, 'gapClosedBy', (t) =>
  t.field({
    type: StatementType,
    nullable: true,
    description: 'The later statement that closed a gap before it; null if there was none.',
    resolve: ({ gapClosedBy }, _args, call, info) => followIfAny(call, info, bankStatementLoader, gapClosedBy),
  }),
);

export const LineType = builder.objectRef<BankLine>('BankLine').implement({
  description:
    'Money that came to an account of agencies, or left it, as the bank booked it; and what it is found to be. Its facts never change.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', { description: "The statement's docname, a dot and a number." }),
    statementId: t.exposeID('statement', {
      description: 'The docname of the statement.',
      ...docname('bankStatement'),
    }),
    statement: t.field({
      type: StatementType,
      description: 'The statement that it is in.',
      resolve: ({ statement }, _args, call, info) => follow(call, info, bankStatementLoader, statement),
    }),
    accountLast4: t.field({ ...accountField, resolve: ({ accountLast4 }) => accountLast4 }),
    bookedOn: t.expose('bookedOn', { type: 'Date', description: 'The day on which the bank booked it.' }),
    valueOn: t.expose('valueOn', { type: 'Date', description: 'The day from which it counts: the value day.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount; below zero for what left the account.' }),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    reference: t.string({
      nullable: true,
      description: "The bank's own number of it. Null if it has none, and for the oversight role.",
      resolve: ({ reference }, _args, { viewer }) => (seesTexts(viewer) ? reference : null),
    }),
    text: t.string({
      nullable: true,
      description: 'The text of the line, without numbers of people and accounts. Null for the oversight role.',
      resolve: ({ text }, _args, { viewer }) => (seesTexts(viewer) ? text : null),
    }),
    kind: t.field({
      type: BankLineKindEnum,
      description: 'The kind of money that it is found to be.',
      resolve: ({ kind }) => kind as Kind,
    }),
    provider: t.exposeString('provider', {
      nullable: true,
      description: 'The provider that it is about, by its name; null if none is known.',
    }),
    fromOn: t.expose('fromOn', {
      type: 'Date',
      nullable: true,
      description: 'The first day of the payments that it pays out; null if it pays out none.',
    }),
    toOn: t.expose('toOn', {
      type: 'Date',
      nullable: true,
      description: 'The last day of the payments that it pays out; null if it pays out none.',
    }),
    how: t.field({
      type: HowEnum,
      nullable: true,
      description: 'The way in which its kind was found; null while it is unknown.',
      resolve: ({ how }) => how as How | null,
    }),
    note: t.exposeString('note', { nullable: true, description: 'The note of the person who decided what it is.' }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'The person who decided what it is; null if nobody did.',
    }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which a person decided what it is.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it was last decided on.' }),
  }),
});

defineNode({
  typename: 'BankStatement',
  needs: ['books.read'],
  matches: (id) => isDocname('bankStatement', id),
  loader: bankStatementLoader,
});

defineNode({
  typename: 'BankLine',
  needs: ['books.read'],
  matches: (id) => isDocname('bankStatement', id.slice(0, Math.max(id.indexOf('.'), 0))),
  loader: bankLineLoader,
});

const StatementConnection = defineConnection('BankStatement', StatementType, 'statements of banks');
const LineConnection = defineConnection('BankLine', LineType, 'lines of bank statements', {
  sums: 'the amounts',
});

const kindArg = builder.args((t) => ({
  kind: t.field({
    type: [BankLineKindEnum],
    description: 'Only lines that are found to be one of these. Default: any.',
    ...shape({ minItems: 1, maxItems: 10 }),
  }),
}));
const lineArgs = builder.args((t) => ({
  ...kindArg,
  fromDate: t.field({ type: 'Date', description: 'Only lines with this value day or a later one.' }),
  toDate: t.field({ type: 'Date', description: 'Only lines with this value day or an earlier one.' }),
}));

builder.objectField(StatementType, 'lines', (t) =>
  t.field({
    description: 'Its lines, in their order.',
    ...connection(LineConnection, { most: 1_000, args: kindArg }),
    resolve: ({ name }, args, call) => listLinesOf(call, name, args),
  }),
);

builder.prismaObjectField('Agency', 'bankStatements', (t) =>
  t.field({
    description: `The statements of its account, newest first. ${readers}`,
    ...needs('books.read', { alone: true }),
    ...connection(StatementConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listBankStatementsOf(call, name, args),
  }),
);

builder.prismaObjectField('Agency', 'bankLines', (t) =>
  t.field({
    description: `The lines of statements of its account, those with the newest value day first. ${readers}`,
    ...needs('books.read', { alone: true }),
    ...connection(LineConnection, { most: 1_000, searched: ['kind'], args: lineArgs }),
    resolve: ({ name }, args, call) => listBankLinesOf(call, name, args),
  }),
);

builder.queryFields((t) => ({
  bankStatements: t.field({
    description: `Statements of agencies' banks, newest first. ${readers}`,
    ...needs('books.read'),
    ...connection(StatementConnection, { most: 200, searched: ['agency'], args: agencyArg }),
    resolve: (_root, args, call) => listBankStatements(call, args, args),
  }),
  bankStatement: t.field({
    type: StatementType,
    description: `Returns a statement of a bank. ${readers} \`not_found\`.`,
    ...needs('books.read'),
    args: { id: t.arg.id(docnameArg('bankStatement', 'statement')) },
    resolve: (_root, { id }, call) => getBankStatement(call, id),
  }),
  bankLines: t.field({
    description: `Lines of statements of agencies' banks, those with the newest value day first. ${readers}`,
    ...needs('books.read'),
    ...connection(LineConnection, {
      most: 1_000,
      searched: ['agency', 'kind', 'fromDate', 'toDate'],
      args: { ...agencyArg, ...lineArgs },
    }),
    resolve: (_root, args, call) => listBankLines(call, args, args),
  }),
  bankLine: t.field({
    type: LineType,
    description: `Returns a line of a bank statement. ${readers} \`not_found\`.`,
    ...needs('books.read'),
    args: {
      id: t.arg.id({
        required: true,
        description: "The line's name: the docname of its statement, a dot and a number.",
        ...shape({ examples: [`${exampleDocnameOf('bankStatement')}.1`] }),
      }),
    },
    resolve: (_root, { id }, call) => getBankLine(call, id),
  }),
}));

const UploadType = builder.objectRef<UploadedStatement>('UploadedBankStatement').implement({
  description: "The result of uploading one account's statement of a file.",
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The line of the file at which it begins, starting at 1.' }),
    outcome: t.expose('outcome', { type: OutcomeEnum, description: 'The result of uploading it.' }),
    accountLast4: t.exposeString('accountLast4', {
      nullable: true,
      description: 'The last four characters of the account; null if the agency has none yet.',
    }),
    statementId: t.exposeID('statement', {
      nullable: true,
      description: 'The docname of the statement; null of a refused one.',
      ...docname('bankStatement'),
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'The reason of a refused one, for programs: `not_your_account`.',
    }),
  }),
});

builder.objectField(UploadType, 'statement', (t) =>
  t.field({
    type: StatementType,
    nullable: true,
    description: 'The statement; null of a refused one.',
    ...needs('books.read', { alone: true }),
    resolve: ({ statement }, _args, call, info) => followIfAny(call, info, bankStatementLoader, statement),
  }),
);

builder.mutationField('uploadBankStatements', (t) =>
  t.field({
    type: [UploadType],
    description: `Takes what a file of a bank says of accounts of the caller's agencies, a statement for each account and currency. The same file again answers the statements of its first upload. Scope \`books.write\`. \`validation_failed\` with the line if the file cannot be read or does not add up; then nothing is taken. ${listReasons('not_your_account')}`,
    ...needs('books.write', { people: 'alone' }),
    args: {
      agency: t.arg.id({
        required: true,
        description: 'The code of the agency. A file without an account is about that of this agency.',
        ...agencyCode,
      }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description: `The file as the bank exports it, of at most 16 MiB and ${MOST_LINES.toLocaleString('en')} lines: camt.053, MT940, or CSV. CSV has the columns that \`banks\` in \`CONNECTIONS\` names, or \`booked_on\`, \`amount\`, \`currency\`, and, if known, \`value_on\`, \`reference\`, \`text\`, \`account\`, \`balance\`.`,
      }),
      format: t.arg.string({
        defaultValue: AUTO,
        description: `The format: ${[AUTO, ...BANK_FORMATS].map((format) => `\`${format}\``).join(', ')}, or the name of a bank in \`CONNECTIONS\`.`,
        ...shape({ maxLength: 40, examples: [AUTO, ...BANK_FORMATS] }),
      }),
    },
    resolve: (_root, { agency, body, format }, call) =>
      uploadBankStatements(call, { agency, body, format: format ?? AUTO }),
  }),
);
