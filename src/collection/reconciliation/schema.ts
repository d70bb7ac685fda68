import type { IntentStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import {
  between,
  currencyCode,
  docname,
  docnameArg,
  ownDocname,
  providerName,
  providerNames,
} from '../../graphql/input/forms.ts';
import { requireWithin } from '../../platform/access/owned.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { intentLoader } from '../payments/find.ts';
import { refundLoader } from '../payments/refunds/find.ts';
import { IntentStatusEnum } from '../payments/schema/intent-schema.ts';
import { type AgencyStatement, readStatementsOf } from './agency.ts';
import type { RowOutcome } from './compare.ts';
import {
  countOutcome,
  getRun,
  itemLoader,
  listItems,
  listItemsOf,
  listRuns,
  loadFirstMismatches,
  runLoader,
} from './find.ts';
import { listStatementProviders } from './format.ts';
import { reconcileStatement, rerunReconciliation } from './run.ts';

/** In how many parts a statement may come. */
const MOST_PARTS = 100;

const readers =
  'For admins, system managers, the oversight role and finance officers. Staff who are bound to agencies see the rows of payments that these have a share in, and count them alone.';
const writers = 'For admins and system managers.';

export const OutcomeEnum = builder.enumType('ReconciliationOutcome', {
  description: 'The result of reconciling a row or a payment.',
  values: {
    matched: {
      description: 'Confirmed here, listed as `moneyReceived`, or, below zero, refunded, with the same amount.',
    },
    missing_here: {
      description:
        'Paid according to the statement, but not recorded here. If the intent is known, the aggregator is asked immediately. Below zero: given back, and no refund is Done.',
    },
    missing_there: {
      description:
        'Recorded here within the period, but missing from the statement. For a statement in parts, the run of the last part says so.',
    },
    amount_differs: { description: 'Recorded here with a different amount or currency.' },
    duplicate: { description: 'Another row of the statement, the first that matches, refers to the same collection.' },
    fee: {
      description: 'A fee of the provider. It is compared with nothing; `payouts` count it where it names a payment.',
    },
    payout: { description: 'A payout by the provider, under its number for it. It is compared with nothing.' },
    other: { description: 'Another amount that the format of the statement names. It is compared with nothing.' },
  } as const,
});

const outcomeFilter = builder.args((t) => ({
  outcome: t.field({ type: OutcomeEnum, description: 'Only results with this outcome. Default: with any.' }),
}));

const ItemType = builder.prismaObject('ReconciliationItem', {
  description: 'The result for one row of a statement, or for one payment missing from it.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', { description: "The docname: the run's docname, a dot and a number." }),
    runId: t.exposeID('run', { description: 'The docname of the run.', ...docname('reconciliation') }),
    run: t.field({
      type: 'ReconciliationRun',
      description: 'The run that found it.',
      resolve: ({ run }, _args, call, info) => follow(call, info, runLoader, run),
    }),
    outcome: t.field({
      type: OutcomeEnum,
      description: 'Result of comparing the statement with the record.',
      resolve: ({ outcome }) => outcome as RowOutcome,
    }),
    line: t.exposeInt('line', {
      nullable: true,
      description:
        'The line number in the file, where the header is line 1; null for a payment missing from the statement.',
    }),
    reference: t.exposeString('reference', {
      description: "The reference in the statement, or the intent's own if the statement lacks it.",
    }),
    intentId: t.exposeID('intent', {
      nullable: true,
      description: 'The docname of the payment intent; null if unknown.',
      ...docname('intent'),
    }),
    intent: t.field({
      type: 'PaymentIntent',
      nullable: true,
      description: 'The payment intent; null if unknown. Scope `payments.read`.',
      ...needs('payments.read'),
      resolve: ({ intent }, _args, call, info) => followIfAny(call, info, intentLoader, intent),
    }),
    refundId: t.exposeID('refund', {
      nullable: true,
      description: 'The docname of the refund that a row below zero is about; null for others.',
      ...docname('refund'),
    }),
    refund: t.field({
      type: 'Refund',
      nullable: true,
      description: 'The refund that a row below zero is about; null for others. Scope `payments.read`.',
      ...needs('payments.read'),
      resolve: ({ refund }, _args, call, info) => followIfAny(call, info, refundLoader, refund),
    }),
    intentStatus: t.field({
      type: IntentStatusEnum,
      nullable: true,
      description: "The intent's status at the time of the run; null if the intent is unknown.",
      resolve: ({ intentStatus }) => intentStatus as IntentStatus | null,
    }),
    statementAmount: t.expose('statementAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The amount in the statement; below zero for what went back.',
    }),
    statementCurrency: t.exposeString('statementCurrency', {
      nullable: true,
      description: 'The currency in the statement; null if not given.',
    }),
    recordedAmount: t.expose('recordedAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The amount that is recorded here; null if none is.',
    }),
    recordedCurrency: t.exposeString('recordedCurrency', {
      nullable: true,
      description: 'The currency that is recorded here; null if none is.',
    }),
    txnId: t.exposeString('txnId', { nullable: true, description: "The provider's transaction ID." }),
  }),
});

const ItemConnection = defineConnection('ReconciliationItem', ItemType, 'results by statement row');

const IgnoredStatusType = builder
  .objectRef<{ readonly status: string; readonly count: number }>('IgnoredStatus')
  .implement({
    description: 'Rows of a statement that were ignored for their status.',
    fields: (t) => ({
      status: t.exposeString('status', { description: 'The status in the file; empty where it is blank.' }),
      count: t.exposeInt('count', { description: 'Number of rows that have it.' }),
    }),
  });

const RunType = builder.prismaObject('ReconciliationRun', {
  description:
    'A settlement statement reconciled with the payments recorded at that time. Runs never change; a statement can be run again.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('reconciliation')),
    provider: t.exposeString('provider', { description: 'The provider whose statement it is, by its name.' }),
    from: t.expose('fromAt', { type: 'DateTime', description: 'The start of the period.' }),
    to: t.expose('toAt', { type: 'DateTime', description: 'The end of the period (exclusive).' }),
    part: t.exposeInt('part', {
      nullable: true,
      description: 'Number of this part of the statement; null for a whole one.',
    }),
    parts: t.exposeInt('parts', {
      nullable: true,
      description: 'In how many parts the statement comes; null of a whole one.',
    }),
    rerunOfId: t.exposeID('rerunOf', {
      nullable: true,
      description: 'The docname of the run whose statement was reconciled again.',
      ...docname('reconciliation'),
    }),
    rerunOf: t.field({
      type: 'ReconciliationRun',
      nullable: true,
      description: 'The run whose statement was reconciled again; null for the first run of a statement.',
      resolve: ({ rerunOf }, _args, call, info) => followIfAny(call, info, runLoader, rerunOf),
    }),
    sourceHash: t.exposeString('sourceHash', { description: 'SHA-256 (hex) of the file.' }),
    ignored: t.exposeInt('ignored', {
      description: 'The number of rows that are neither payments nor refunds of them: failures and fees.',
    }),
    ignoredStatuses: t.field({
      type: [IgnoredStatusType],
      description: "Number of ignored rows for each status that is not that of a payment, in the file's words.",
      resolve: ({ ignoredStatuses }) =>
        Object.entries(ignoredStatuses as Record<string, number>).map(([status, count]) => ({ status, count })),
    }),
    matched: t.int({
      description: 'The number of rows confirmed here with the same amount.',
      resolve: (run, _args, call) => countOutcome(call, run, 'matched'),
    }),
    missingHere: t.int({
      description: 'The number of paid rows not confirmed here.',
      resolve: (run, _args, call) => countOutcome(call, run, 'missing_here'),
    }),
    missingThere: t.int({
      description: 'The number of payments of the period missing from the statement.',
      resolve: (run, _args, call) => countOutcome(call, run, 'missing_there'),
    }),
    amountDiffers: t.int({
      description: 'The number of rows confirmed here with a different amount or currency.',
      resolve: (run, _args, call) => countOutcome(call, run, 'amount_differs'),
    }),
    duplicate: t.int({
      description: 'The number of rows that repeat an earlier row.',
      resolve: (run, _args, call) => countOutcome(call, run, 'duplicate'),
    }),
    createdBy: t.exposeString('createdBy', { description: 'The person who started the run.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the run was started.' }),
    mismatches: t.field({
      type: [ItemType],
      description: 'The first 100 rows that do not match, in the order of the statement.',
      complexity: { field: 5, multiplier: 100 },
      resolve: async ({ name }, _args, call) => [...(await loadFirstMismatches(call, name))],
    }),
    items: t.field({
      description: 'The result for each row of the statement, in order.',
      ...connection(ItemConnection, { most: 1_000, args: outcomeFilter }),
      resolve: ({ name }, { outcome, ...page }, call) => listItemsOf(call, name, outcome, page),
    }),
  }),
});

defineNode({
  typename: 'ReconciliationRun',
  needs: ['reconciliation.read'],
  matches: (id) => isDocname('reconciliation', id),
  loader: runLoader,
});

defineNode({
  typename: 'ReconciliationItem',
  needs: ['reconciliation.read'],
  matches: (id) => isDocname('reconciliation', id.slice(0, Math.max(id.indexOf('.'), 0))),
  loader: itemLoader,
});

const RunConnection = defineConnection('ReconciliationRun', RunType, 'reconciliation runs');

const AgencyStatementType = builder.objectRef<AgencyStatement>('AgencyStatement').implement({
  description: 'Result of the last statement of a provider for the payments of one agency, in one currency.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'The provider whose statement it is, by its name.' }),
    from: t.expose('from', { type: 'DateTime', description: 'The start of the period of the statement.' }),
    to: t.expose('to', { type: 'DateTime', description: 'The end of the period (exclusive).' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    matched: t.exposeInt('matched', { description: 'The number of payments that the statement has as recorded.' }),
    missingThere: t.exposeInt('missingThere', {
      description: 'The number of payments of the period that the statement lacks.',
    }),
    amountDiffers: t.exposeInt('amountDiffers', {
      description: 'The number of payments that the statement has with a different amount or currency.',
    }),
    settled: t.expose('settled', {
      type: 'Decimal',
      description: "The agency's part of the payments that the statement has as recorded.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the statement was compared.' }),
  }),
});

builder.prismaObjectField('Agency', 'statements', (t) =>
  t.field({
    type: [AgencyStatementType],
    description:
      'The last settlement statement of each provider that was compared within 31 days, as far as it is about payments of the agency. For those who may read its `figures`.',
    ...needs('agency.read', { alone: true }),
    complexity: { field: 20, multiplier: 10 },
    resolve: async ({ name }, _args, call) => {
      requireWithin(call.viewer, name);
      return [...(await readStatementsOf(call, name))];
    },
  }),
);

builder.queryFields((t) => ({
  reconciliationRuns: t.field({
    description: `Reconciliation runs, newest first. ${readers}`,
    ...needs('reconciliation.read'),
    ...connection(RunConnection, {
      most: 200,
      args: { provider: t.arg.id({ description: 'Only runs over statements of this provider.', ...providerName }) },
    }),
    resolve: (_root, args, call) => listRuns(call, args, args),
  }),
  reconciliationRun: t.field({
    type: 'ReconciliationRun',
    description: `Returns a reconciliation run. ${readers} \`not_found\`.`,
    ...needs('reconciliation.read'),
    args: { id: t.arg.id(docnameArg('reconciliation', 'run')) },
    resolve: (_root, { id }, call) => getRun(call, id),
  }),
  statementProviders: t.stringList({
    description: `The names under which statements are reconciled: of payment providers, and of connections to them. ${readers}`,
    ...needs('reconciliation.read'),
    resolve: (_root, _args, call) => listStatementProviders(call),
  }),
  reconciliationItems: t.field({
    description: `The result for each row of a statement, in order. ${readers} \`not_found\`.`,
    ...needs('reconciliation.read'),
    ...connection(ItemConnection, {
      most: 1_000,
      args: {
        run: t.arg.id({ required: true, description: 'The docname of the run.', ...docname('reconciliation') }),
        ...outcomeFilter,
      },
    }),
    resolve: (_root, args, call) => listItems(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  reconcileStatement: t.field({
    type: 'ReconciliationRun',
    description: `Reconciles a provider's settlement statement with recorded payments. Each mismatch raises an anomaly once. ${writers} \`not_found\` for an unknown provider, \`validation_failed\` if the file cannot be read.`,
    ...needs('operations.write', { people: 'two where it widens', missing: true }),
    args: {
      provider: t.arg.id({ required: true, description: `Provider: ${providerNames}.`, ...providerName }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description:
          'The statement as the provider exports it: a CSV file of at most 16 MiB and 100,000 rows. Its header is found within the first 50 lines, and columns may be parted by commas, semicolons or tabs.',
      }),
      fromDate: t.arg({
        type: 'Date',
        description:
          "The first day of the statement's period, in the provider's time zone. Default: the earliest day in its rows.",
      }),
      toDate: t.arg({
        type: 'Date',
        description:
          "The last day of the statement's period, in the provider's time zone. Default: the latest day in its rows.",
      }),
      part: t.arg.int({
        description:
          'Number of this part, from 1, of a statement in parts. Send them in order, each with `parts` and the days of the whole statement.',
        ...between(1, MOST_PARTS),
      }),
      parts: t.arg.int({
        description: 'In how many parts the statement comes. Default: it is whole.',
        ...between(1, MOST_PARTS),
      }),
    },
    resolve: (_root, args, call) => reconcileStatement(call, args),
    answerAgain: getRun,
  }),
  rerunReconciliation: t.field({
    type: 'ReconciliationRun',
    description: `Reconciles the statement of an earlier run with the payments recorded now. ${writers} \`not_found\`.`,
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      id: t.arg.id({ required: true, description: 'The docname of the earlier run.', ...docname('reconciliation') }),
    },
    resolve: (_root, { id }, call) => rerunReconciliation(call, id),
    answerAgain: getRun,
  }),
}));
