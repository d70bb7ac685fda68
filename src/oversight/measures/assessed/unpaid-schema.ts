import { builder } from '../../../graphql/builder.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { FEWEST_PEOPLE, IN_STEPS } from '../../figures/small-cells.ts';
import { agencyListArg, countryListArg, currencyArg, groupsPaging } from '../../root/arguments.ts';
import { AgeBandEnum } from '../../root/ages.ts';
import { addAgency } from '../../root/edges.ts';
import { Oversight } from '../../root/oversight.ts';
import {
  type UnpaidAssessment,
  type UnpaidGrouping,
  type UnpaidListOrder,
  type UnpaidOrder,
  type UnpaidRow,
  listUnpaid,
  readUnpaid,
} from './unpaid.ts';

const nullable = { nullable: true } as const;
const ENOUGH = `Months of assessment in which fewer than ${FEWEST_PEOPLE} people still owe an agency are excluded. ${IN_STEPS}`;

const UnpaidGroupingEnum = builder.enumType('UnpaidGrouping', {
  description: 'A dimension by which unpaid amounts are grouped. Amounts in different currencies are never added.',
  values: {
    age: { description: 'How long ago they were assessed.' },
    agency: { description: 'The agency that is owed.' },
    country: { description: 'The country of the agency.' },
    month: { description: 'The month of the assessment (UTC).' },
  } satisfies Record<UnpaidGrouping, object>,
});
const UnpaidOrderEnum = builder.enumType('UnpaidOrder', {
  description: 'A sort order for unpaid amounts.',
  values: {
    key: { description: 'By the values of the groups.' },
    assessments: { description: 'By number of assessments, most first.' },
    amount: { description: 'By amount, largest first.' },
  } satisfies Record<UnpaidOrder, object>,
});
const UnpaidListOrderEnum = builder.enumType('UnpaidAssessmentOrder', {
  description: 'A sort order for unpaid assessments.',
  values: {
    oldest: { description: 'By time of assessment, earliest first.' },
    newest: { description: 'By time of assessment, most recent first.' },
    largest: { description: 'By amount, largest first. Amounts of different currencies are compared as numbers.' },
  } satisfies Record<UnpaidListOrder, object>,
});

const UnpaidRowType = builder.objectRef<UnpaidRow>('UnpaidRow').implement({
  description: `What is unpaid, of one group in one currency. Dimensions that were not asked for are null. ${ENOUGH} Null if no month remains.`,
  fields: (t) => ({
    age: t.field({
      type: AgeBandEnum,
      ...nullable,
      description: 'How long ago it was assessed.',
      resolve: (row) => row.age ?? null,
    }),
    country: t.exposeString('country', {
      ...nullable,
      description: "The agency's country (ISO 3166-1); null if not grouped by it.",
    }),
    month: t.exposeString('month', {
      ...nullable,
      description: 'The month of the assessment, `YYYY-MM`.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    assessments: t.exposeInt('assessments', {
      ...nullable,
      description: 'The number of assessments. One counts once for each agency that it owes.',
    }),
    amount: t.expose('amount', { type: 'Decimal', ...nullable, description: 'The amount awaiting payment.' }),
  }),
});
addAgency(UnpaidRowType);

const UnpaidAssessmentType = builder.objectRef<UnpaidAssessment>('UnpaidAssessment').implement({
  description: `What one agency is owed by one assessment that is unpaid. ${ENOUGH}`,
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The unique identifier, `DUE-<24 hex digits>`. It stays the same, and leads to neither the assessment nor the person.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amount (ISO 4217).', ...currencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount owed to the agency.' }),
    assessedOn: t.expose('assessedOn', { type: 'Date', description: 'The day of the assessment (UTC).' }),
    days: t.exposeInt('days', { description: 'For how many whole days it has been unpaid.' }),
    age: t.expose('age', { type: AgeBandEnum, description: 'The band that these days fall in.' }),
  }),
});
addAgency(UnpaidAssessmentType, 'that is owed');

const UnpaidRowConnection = defineConnection('UnpaidRow', UnpaidRowType, 'groups of unpaid amounts');

const UnpaidAssessmentConnection = defineConnection('UnpaidAssessment', UnpaidAssessmentType, 'unpaid assessments');

builder.objectFields(Oversight, (t) => ({
  unpaid: t.field({
    description: 'What is assessed and unpaid, grouped by any combination of dimensions.',
    ...connection(UnpaidRowConnection, {
      ...groupsPaging(1_500),
      args: {
        groupBy: t.arg({
          type: [UnpaidGroupingEnum],
          required: true,
          defaultValue: ['age'],
          description: 'The dimensions to group by. Default: by age.',
          ...shape({ maxItems: 10 }),
        }),
        ...agencyListArg,
        ...countryListArg,
        ...currencyArg,
        orderBy: t.arg({
          type: UnpaidOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    resolve: (_root, { currency, ...args }, call) =>
      readUnpaid(call, { ...args, filter: { ...args, currency: currency == null ? null : [currency] } }),
  }),
  unpaidAssessments: t.field({
    description: 'Which assessments are unpaid, without whose they are.',
    ...connection(UnpaidAssessmentConnection, {
      ...groupsPaging(1_500),
      args: {
        ...agencyListArg,
        age: t.arg({
          type: [AgeBandEnum],
          description: 'Filter by how long ago they were assessed: any of several bands.',
          ...shape({ minItems: 1, maxItems: 5 }),
        }),
        ...currencyArg,
        orderBy: t.arg({
          type: UnpaidListOrderEnum,
          required: true,
          defaultValue: 'oldest',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    resolve: (_root, args, call) => listUnpaid(call, args, args.orderBy, args),
  }),
}));
