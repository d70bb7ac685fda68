import { builder } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { anyOf, currencyCode, docname, providerName } from '../../graphql/input/forms.ts';
import { OutcomeEnum } from '../../collection/reconciliation/schema.ts';
import { listSpan } from '../common/arguments.ts';
import { holdDays, holdSlice } from '../figures/held.ts';
import { Oversight } from '../figures/oversight.ts';
import { type SettledOutcome, type Settlement, listSettlements, readOutcomes, settlementLoader } from './find.ts';

const currency = {
  nullable: true as const,
  description: 'The currency of the amounts (ISO 4217); null of rows that name none and fit no payment.',
  ...currencyCode,
};

const OutcomeType = builder.objectRef<SettledOutcome>('SettledOutcome').implement({
  description: 'Rows of a statement with one outcome, in one currency.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: OutcomeEnum, description: 'The outcome of the rows.' }),
    currency: t.exposeString('currency', currency),
    count: t.exposeInt('count', { description: 'The number of rows, or of payments missing from the statement.' }),
    settled: t.expose('settled', {
      type: 'Decimal',
      nullable: true,
      description: 'The sum of the amounts in the statement; null for payments missing from it.',
    }),
    recorded: t.expose('recorded', {
      type: 'Decimal',
      nullable: true,
      description: 'The sum of the amounts recorded here; null for rows that fit no payment.',
    }),
  }),
});

const SettlementType = builder.objectRef<Settlement>('OverseenSettlement').implement({
  description: "A provider's settlement statement, as it was reconciled with the payments recorded at that time.",
  fields: (t) => ({
    id: t.exposeID('name', { description: 'The docname of the reconciliation run.', ...docname('reconciliation') }),
    provider: t.exposeString('provider', { description: 'The provider whose statement it is.' }),
    from: t.expose('fromAt', { type: 'DateTime', description: 'The start of the period of the statement.' }),
    to: t.expose('toAt', { type: 'DateTime', description: 'The end of the period, exclusive.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was reconciled.' }),
    rerunOfId: t.exposeID('rerunOf', {
      nullable: true,
      description: 'The docname of the run whose statement was reconciled again by this one; null for a first run.',
      ...docname('reconciliation'),
    }),
    latest: t.exposeBoolean('latest', { description: 'True if the same statement was not reconciled again later.' }),
    ignored: t.exposeInt('ignored', {
      description: 'The number of rows that are not payments: failures, fees and refunds.',
    }),
    outcomes: t.field({
      type: [OutcomeType],
      description: 'Results of its rows, by outcome and currency.',
      complexity: { field: 10, multiplier: 5 },
      resolve: async ({ name }, _args, call) => [...(await readOutcomes(call, name))],
    }),
  }),
});

builder.objectField(SettlementType, 'rerunOf', (t) =>
  t.field({
    type: SettlementType,
    nullable: true,
    description: 'The run whose statement was reconciled again by this one; null for a first run.',
    resolve: ({ rerunOf }, _args, call, info) => followIfAny(call, info, settlementLoader, rerunOf),
  }),
);

const SettlementConnection = defineConnection('OverseenSettlement', SettlementType, 'settlement statements');

builder.objectFields(Oversight, (t) => {
  const provider = t.arg.idList({
    description: 'Only statements of these providers. Default: of any.',
    ...anyOf(providerName),
  });
  return {
    settlements: t.field({
      description: 'Settlement statements of providers whose period touches the span, the last reconciled first.',
      ...connection(SettlementConnection, {
        most: 200,
        args: {
          provider,
          latest: t.arg.boolean({
            description: 'Only statements that were not reconciled again later, or only those that were.',
          }),
          ...listSpan,
        },
      }),
      resolve: async (held, args, call) =>
        listSettlements(call, await holdDays(call, held, holdSlice(held, args, { provider: 'provider' })), args),
    }),
  };
});
