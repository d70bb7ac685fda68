import { builder } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { currencyCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { FEWEST_PEOPLE, IN_STEPS } from '../common/small-cells.ts';
import { agencyListArg, currenciesArg, groupsPaging } from '../common/arguments.ts';
import { holdSlice } from '../figures/held.ts';
import { AgeBandEnum } from '../common/ages.ts';
import { addAgency } from '../common/edges.ts';
import { Oversight } from '../figures/oversight.ts';
import { type UnpaidAssessment, type UnpaidListOrder, listUnpaid } from './find.ts';

const ENOUGH = `Months of assessment and age in which fewer than ${FEWEST_PEOPLE} people still owe an agency are excluded. ${IN_STEPS}`;

const UnpaidListOrderEnum = builder.enumType('UnpaidAssessmentOrder', {
  description: 'A sort order for unpaid assessments.',
  values: {
    oldest: { description: 'By month of assessment, earliest first.' },
    newest: { description: 'By month of assessment, most recent first.' },
    largest: {
      description: 'By the amount shown, largest first. Amounts of different currencies are compared as numbers.',
    },
  } satisfies Record<UnpaidListOrder, object>,
});

const UnpaidAssessmentType = builder.objectRef<UnpaidAssessment>('UnpaidAssessment').implement({
  description: `Amount that one unpaid assessment owes to one agency. ${ENOUGH} At least ${FEWEST_PEOPLE} people owe it the same month and amount as a row shows.`,
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The unique identifier, `DUE-<24 hex digits>`. It is another one each day (UTC), and leads to neither the assessment nor the person.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: `The amount owed to the agency, or somewhat less. The debts of one month and age are taken from the largest on, of ${FEWEST_PEOPLE} people or more at a time. Each shows the smallest amount of those taken with it, rounded down to two digits. The sum is therefore at most that of \`unpaidAmount\`.`,
    }),
    assessedOn: t.expose('assessedOn', {
      type: 'Date',
      description: 'The first day of the month of the assessment (UTC).',
    }),
    days: t.exposeInt('days', {
      description:
        'Number of whole days that have passed since that day, or since the first day of the month in which it was due.',
    }),
    age: t.expose('age', { type: AgeBandEnum, description: 'The band that these days fall in.' }),
  }),
});
addAgency(UnpaidAssessmentType, 'that is owed');

const UnpaidAssessmentConnection = defineConnection('UnpaidAssessment', UnpaidAssessmentType, 'unpaid assessments');

builder.objectField(Oversight, 'unpaidAssessments', (t) =>
  t.field({
    description: 'Assessments that are unpaid, without their payers.',
    ...connection(UnpaidAssessmentConnection, {
      ...groupsPaging(1_500),
      args: {
        ...agencyListArg,
        age: t.arg({
          type: [AgeBandEnum],
          description:
            'Filter by age: how long ago the month began in which it was due, or else made. Any of several bands.',
          ...shape({ minItems: 1, maxItems: 5 }),
        }),
        ...currenciesArg,
        orderBy: t.arg({
          type: UnpaidListOrderEnum,
          required: true,
          defaultValue: 'oldest',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    resolve: (held, args, call) =>
      listUnpaid(
        call,
        holdSlice(held, args, { agency: 'agency', age: 'age', currency: 'currency' }),
        args.orderBy,
        args,
      ),
  }),
);
