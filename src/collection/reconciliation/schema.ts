import { builder, needs } from '../../graphql/builder.ts';
import { docname, providerName, providerNames } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import type { Outcome } from './compare.ts';
import { firstMismatches, getRun, listItems, listRuns } from './find.ts';
import { reconcileStatement, rerunReconciliation } from './run.ts';

const readers = 'For admins, system managers and the oversight role.';
const writers = 'For admins and system managers.';

const OutcomeEnum = builder.enumType('ReconciliationOutcome', {
  description: 'What came of a row of a statement, or of a payment that it lacks.',
  values: {
    matched: { description: 'The same amount was confirmed here.' },
    missing_here: { description: 'Paid by the statement, and not confirmed here; where the intent is known, its aggregator is asked at once.' },
    missing_there: { description: 'Confirmed here within the period, and not in the statement.' },
    amount_differs: { description: 'Confirmed here with another amount or currency.' },
    duplicate: { description: 'An earlier row of the statement speaks of the same collection.' },
  } as const,
});

const ItemType = builder.prismaObject('ReconciliationItem', {
  description: 'What came of one row of a statement, or of one payment that it lacks.',
  fields: (t) => ({
    name: t.exposeID('name', { description: "The run's docname, a dot, and its place." }),
    outcome: t.field({ type: OutcomeEnum, description: 'What came of it.', resolve: ({ outcome }) => outcome as Outcome }),
    line: t.exposeInt('line', { nullable: true, description: "The line of the statement, from 1, the header's; null for a payment that it lacks." }),
    reference: t.exposeString('reference', { description: "The statement's reference, or the intent's own." }),
    intent: t.exposeID('intent', { nullable: true, description: 'The intent; null where none is known.', ...docname('intent') }),
    intentStatus: t.exposeString('intentStatus', { nullable: true, description: 'Where it stood.' }),
    statementAmount: t.expose('statementAmount', { type: 'Decimal', nullable: true, description: 'By the statement.' }),
    statementCurrency: t.exposeString('statementCurrency', { nullable: true, description: 'By the statement; null where it names none.' }),
    recordedAmount: t.expose('recordedAmount', { type: 'Decimal', nullable: true, description: 'As recorded here.' }),
    recordedCurrency: t.exposeString('recordedCurrency', { nullable: true, description: 'As recorded here.' }),
    txnId: t.exposeString('txnId', { nullable: true, description: "The provider's transaction." }),
  }),
});

builder.prismaObject('ReconciliationRun', {
  description: 'A settlement statement compared with what was recorded at that moment. It never changes; it can be run again.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `RECON-<yyyy>-<mm>-<6 digits>`.', ...docname('reconciliation') }),
    provider: t.exposeID('provider', { description: 'Whose statement.' }),
    from: t.expose('fromAt', { type: 'DateTime', description: 'The first moment of its period.' }),
    to: t.expose('toAt', { type: 'DateTime', description: 'The first moment after its period.' }),
    rerunOf: t.exposeID('rerunOf', { nullable: true, description: 'The run whose statement was compared again.' }),
    sourceHash: t.exposeString('sourceHash', { description: 'Hex SHA-256 of the file.' }),
    ignored: t.exposeInt('ignored', { description: 'Rows that were not paid: failures, fees, refunds.' }),
    matched: t.exposeInt('matched', { description: 'Rows that were confirmed here with the same amount.' }),
    missingHere: t.exposeInt('missingHere', { description: 'Rows that are not confirmed here.' }),
    missingThere: t.exposeInt('missingThere', { description: 'Payments of the period that the statement lacks.' }),
    amountDiffers: t.exposeInt('amountDiffers', { description: 'Rows that were confirmed here with another amount or currency.' }),
    duplicate: t.exposeInt('duplicate', { description: 'Rows that say again what an earlier one said.' }),
    createdBy: t.exposeString('createdBy', { description: 'Who had it compared.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
    mismatches: t.field({
      type: [ItemType],
      description: 'The first 100 rows that do not match, in the order of the statement.',
      complexity: { field: 5, multiplier: 100 },
      resolve: ({ name }, _args, call) => firstMismatches(call, name),
    }),
  }),
});

builder.queryFields((t) => ({
  reconciliationRuns: t.prismaField({
    type: ['ReconciliationRun'],
    description: `Comparisons of settlement statements, newest first. ${readers}`,
    ...needs('operations.read'),
    args: { provider: t.arg.id({ description: "Only this provider's.", ...providerName }), ...pageArgs(50, 200) },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listRuns(call, args, args),
  }),
  reconciliationRun: t.prismaField({
    type: 'ReconciliationRun',
    description: `A comparison of a settlement statement. ${readers} \`not_found\`.`,
    ...needs('operations.read'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('reconciliation') }) },
    resolve: (_query, _root, { name }, call) => getRun(call, name),
  }),
  reconciliationItems: t.prismaField({
    type: ['ReconciliationItem'],
    description: `What came of each row of a statement, in its order. ${readers} \`not_found\`.`,
    ...needs('operations.read'),
    args: {
      run: t.arg.id({ required: true, description: 'The docname of the run.', ...docname('reconciliation') }),
      outcome: t.arg({ type: OutcomeEnum, description: 'Only those of which this came.' }),
      ...pageArgs(100, 1_000),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listItems(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  reconcileStatement: t.prismaField({
    type: 'ReconciliationRun',
    description: `Compares a provider's settlement statement with what is recorded; each mismatch raises an anomaly, once. ${writers} \`not_found\` for an unknown provider, \`validation_failed\` for a file that cannot be read.`,
    ...needs('operations.write', { missing: true }),
    args: {
      provider: t.arg.id({ required: true, description: `Whose statement: ${providerNames}.`, ...providerName }),
      body: t.arg({ type: 'Byte', required: true, description: 'The statement: CSV in UTF-8 with a header, at most 16 MiB and 100,000 rows.' }),
      fromDate: t.arg({ type: 'Date', description: 'The first day of its period; left out: the first day that its rows have.' }),
      toDate: t.arg({ type: 'Date', description: 'The last day of its period; left out: the last day that its rows have.' }),
    },
    resolve: (_query, _root, args, call) => reconcileStatement(call, args),
    answerAgain: getRun,
  }),
  rerunReconciliation: t.prismaField({
    type: 'ReconciliationRun',
    description: `Compares the statement of an earlier run with what is recorded now. ${writers} \`not_found\`.`,
    ...needs('operations.write'),
    args: { name: t.arg.id({ required: true, description: 'The docname of the earlier run.', ...docname('reconciliation') }) },
    resolve: (_query, _root, { name }, call) => rerunReconciliation(call, name),
    answerAgain: getRun,
  }),
}));
