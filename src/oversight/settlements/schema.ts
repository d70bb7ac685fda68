import { builder } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { currencyCode, docname, providerName } from '../../graphql/input/forms.ts';
import { OutcomeEnum } from '../../collection/reconciliation/schema.ts';
import { money } from '../revenue/revenue-schema.ts';
import { figuresSpan, listSpan } from '../root/arguments.ts';
import { Oversight } from '../root/oversight.ts';
import { MOST_DAYS, type SettlementFigures, compareSettlements } from './compare.ts';
import { type SettledOutcome, type Settlement, listSettlements, readOutcomes, settlementLoader } from './find.ts';

const currency = {
  nullable: true as const,
  description: 'The currency of the amounts (ISO 4217); null of rows that name none and fit no payment.',
  ...currencyCode,
};

const OutcomeType = builder.objectRef<SettledOutcome>('SettledOutcome').implement({
  description: 'What came of the rows of a statement with one outcome, in one currency.',
  fields: (t) => ({
    outcome: t.field({ type: OutcomeEnum, description: 'The outcome of the rows.', resolve: ({ outcome }) => outcome }),
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
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was reconciled.' }),
    rerunOfId: t.exposeID('rerunOf', {
      nullable: true,
      description: 'The docname of the run whose statement was reconciled again by this one; null for a first run.',
      ...docname('reconciliation'),
    }),
    latest: t.exposeBoolean('latest', { description: 'Whether the same statement was not reconciled again later.' }),
    ignored: t.exposeInt('ignored', {
      description: 'The number of rows that are not payments: failures, fees and refunds.',
    }),
    outcomes: t.field({
      type: [OutcomeType],
      description: 'What came of its rows, by outcome and currency.',
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

const ComparedType = builder.objectRef<SettlementFigures>('SettlementComparison').implement({
  description: 'What a provider says that it settled in a period, beside what is recorded, in one currency.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'The provider that collected.' }),
    currency: t.exposeString('currency', currency),
    statements: t.exposeInt('statements', { description: 'The number of statements whose period lies in this one.' }),
    settled: t.expose('settled', money('The amount of the paid rows of these statements, each collection once.')),
    recorded: t.expose('recorded', money('The amount recorded as collected through the provider.')),
    difference: t.field({
      ...money('Settled less recorded; negative where payments are recorded that no statement of the period has.'),
      resolve: ({ settled, recorded }) => settled.minus(recorded),
    }),
    matched: t.exposeInt('matched', { description: 'The number of rows confirmed here with the same amount.' }),
    missingHere: t.exposeInt('missingHere', { description: 'The number of paid rows not confirmed here.' }),
    missingThere: t.exposeInt('missingThere', {
      description: "The number of payments of the statements' periods that they lack.",
    }),
    amountDiffers: t.exposeInt('amountDiffers', {
      description: 'The number of rows confirmed here with a different amount or currency.',
    }),
    duplicate: t.exposeInt('duplicate', { description: 'The number of rows that repeat an earlier row.' }),
  }),
});

const SettlementConnection = defineConnection('OverseenSettlement', SettlementType, 'settlement statements');

builder.objectFields(Oversight, (t) => {
  const provider = t.arg.id({ description: 'Only statements of this provider. Default: of any.', ...providerName });
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
      resolve: (_root, args, call) => listSettlements(call, args, args),
    }),
    settlementComparison: t.field({
      type: [ComparedType],
      description: `What providers settled beside what is recorded, by provider and currency. Statements count whose period lies within the span of UTC days, each as it was reconciled last; statements that overlap count each. At most ${MOST_DAYS} days.`,
      args: { provider, ...figuresSpan },
      complexity: { field: 200, multiplier: 10 },
      resolve: (_root, args, call) => compareSettlements(call, args),
    }),
  };
});
