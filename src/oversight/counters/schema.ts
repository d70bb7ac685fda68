import { builder } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { between, currencyCode } from '../../graphql/input/forms.ts';
import { FEWEST_PEOPLE } from '../figures/small-cells.ts';
import { money } from '../revenue/revenue-schema.ts';
import { agencyListArg, currencyArg, figuresSpan, groupsPaging } from '../root/arguments.ts';
import { addAgencyOf } from '../root/edges.ts';
import { Oversight } from '../root/oversight.ts';
import { type CounterVariances, listCounterVariances } from './find.ts';

const ofMany = `Null unless, in at least one month, ${FEWEST_PEOPLE} clerks or more worked at the counter; only such months count, and none from which figures about fewer clerks could be derived.`;

const CounterType = builder.objectRef<CounterVariances>('CounterVariances').implement({
  description:
    'Differences between cash counted and cash expected at one counter, over whole months (UTC). Material ones are told of any counter, since each is an anomaly. Whose shifts they were is in the audit trail of operators.',
  fields: (t) => ({
    counter: t.exposeString('counter', {
      nullable: true,
      description: 'The label of the counter; null for all shifts that were opened without a label.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    material: t.exposeInt('material', {
      description: 'The number of material variances: those beyond the tolerance, raised as `cash_variance`.',
    }),
    unresolved: t.exposeInt('unresolved', { description: 'How many of those anomalies are open.' }),
    materialShortage: t.expose('materialShortage', money('The cash missing in material variances.')),
    materialSurplus: t.expose('materialSurplus', money('The cash in excess in material variances.')),
    shifts: t.exposeInt('shifts', { nullable: true, description: `The number of closed shifts. ${ofMany}` }),
    withVariance: t.exposeInt('withVariance', {
      nullable: true,
      description: `The number of shifts with any variance. ${ofMany}`,
    }),
    variance: t.expose('variance', {
      type: 'Decimal',
      nullable: true,
      description: `The total variance; negative if cash was missing. ${ofMany}`,
    }),
    mostByOneClerk: t.exposeInt('mostByOneClerk', {
      nullable: true,
      description: `How many of the shifts with a variance were of one and the same clerk, at most. ${ofMany}`,
    }),
  }),
});

addAgencyOf(CounterType, 'at whose counter it was');

const CounterConnection = defineConnection('CounterVariances', CounterType, 'counters');

builder.objectFields(Oversight, (t) => ({
  counterVariances: t.field({
    description:
      'Counters at which cash differed repeatedly, the most often first. The period is widened to whole months.',
    ...connection(CounterConnection, {
      ...groupsPaging(100),
      args: {
        ...figuresSpan,
        ...agencyListArg,
        ...currencyArg,
        least: t.arg.int({
          required: true,
          defaultValue: 2,
          description: 'From how many variances on a counter is listed, 1 to 1,000.',
          ...between(1, 1_000),
        }),
      },
    }),
    resolve: (_root, args, call) => listCounterVariances(call, args, args),
  }),
}));
