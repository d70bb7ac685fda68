import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { builder } from '../../../graphql/builder.ts';
import { FEWEST_PEOPLE, IN_STEPS } from '../../figures/small-cells.ts';
import { agencyListArg, figuresSpan, groupsPaging } from '../../root/arguments.ts';
import { addAgency } from '../../root/edges.ts';
import { Oversight } from '../../root/oversight.ts';
import { type PayerFigures, type PayersOrder, readPayers } from './payers.ts';

const PayersOrderEnum = builder.enumType('PayersOrder', {
  description: 'A sort order for numbers of payers.',
  values: {
    key: { description: 'By agency and month.' },
    payers: { description: 'By number of payers, most first.' },
    firstTimePayers: { description: 'By number of first-time payers, most first.' },
  } satisfies Record<PayersOrder, object>,
});

const PayerFiguresType = builder.objectRef<PayerFigures>('PayerFigures').implement({
  description: `How many different people paid an agency in a whole month. Somebody who paid two agencies, or in two months, counts for each. ${IN_STEPS}`,
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, `YYYY-MM` (UTC).' }),
    payers: t.exposeInt('payers', {
      nullable: true,
      description: `The number of people who paid, whether or not it was reversed later; null if fewer than ${FEWEST_PEOPLE}.`,
    }),
    firstTimePayers: t.exposeInt('firstTimePayers', {
      nullable: true,
      description: `How many of them had not paid the agency in any month before; null if they or the others are fewer than ${FEWEST_PEOPLE}, and not none.`,
    }),
  }),
});
addAgency(PayerFiguresType, 'that was paid');

const PayerFiguresConnection = defineConnection('PayerFigures', PayerFiguresType, 'numbers of payers');

builder.objectFields(Oversight, (t) => ({
  payers: t.field({
    description: 'How many different people paid, and how many for the first time, by agency and month.',
    ...connection(PayerFiguresConnection, {
      ...groupsPaging(200),
      args: {
        ...figuresSpan,
        ...agencyListArg,
        orderBy: t.arg({
          type: PayersOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    resolve: (_root, args, call) => readPayers(call, args, args, args),
  }),
}));
