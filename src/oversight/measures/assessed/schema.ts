import { builder } from '../../../graphql/builder.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { selectsField } from '../../../graphql/graph/edge.ts';
import { currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { ChannelEnum } from '../../../collection/payments/schema/intent-schema.ts';
import { WHOLE_MONTHS } from '../../figures/small-cells.ts';
import {
  agencyListArg,
  channelsArg,
  countryListArg,
  currencyArg,
  figuresSpan,
  groupsPaging,
  pricedBySpan,
  sectorListArgs,
  serviceListArg,
} from '../../root/arguments.ts';
import { addAgency, addService } from '../../root/edges.ts';
import { Oversight } from '../../root/oversight.ts';
import { SMALLER_GROUPS } from '../../root/few.ts';
import { type AssessedGrouping, type AssessedOrder, type AssessedRow, readAssessed } from './assessed.ts';
import {
  PERCENTILES,
  type PaymentTimes,
  type Percentile,
  type TimesGrouping,
  type TimesOrder,
  readPaymentTimes,
} from './times.ts';

const nullable = { nullable: true } as const;
const amount = (description: string) => ({ type: 'Decimal' as const, ...nullable, description });

const AssessedGroupingEnum = builder.enumType('AssessedGrouping', {
  description: 'A dimension by which assessed amounts are grouped. Amounts in different currencies are never added.',
  values: {
    agency: { description: 'The agency that is owed.' },
    country: { description: 'The country of the agency.' },
    service: { description: 'The service that is owed for.' },
    sector: { description: 'The sector of the service.' },
    family: { description: 'The family of the service.' },
    month: { description: 'The month of the assessment (UTC).' },
  } satisfies Record<AssessedGrouping, object>,
});
const AssessedOrderEnum = builder.enumType('AssessedOrder', {
  description: 'A sort order for assessed amounts.',
  values: {
    key: { description: 'By the values of the groups.' },
    assessments: { description: 'By number of assessments, most first.' },
    assessed: { description: 'By amount assessed, largest first.' },
    paid: { description: 'By amount paid, largest first.' },
    outstanding: { description: 'By amount awaiting payment, largest first.' },
    cancelled: { description: 'By amount cancelled, largest first.' },
  } satisfies Record<AssessedOrder, object>,
});

const AssessedRowType = builder.objectRef<AssessedRow>('AssessedRow').implement({
  description: `What was assessed of one group in one currency, and what became of it. Dimensions that were not asked for are null. The people counted are those who owe. ${WHOLE_MONTHS} ${SMALLER_GROUPS}`,
  fields: (t) => ({
    country: t.exposeString('country', {
      ...nullable,
      description: "The agency's country (ISO 3166-1); null if not grouped by it.",
    }),
    sector: t.exposeString('sector', {
      ...nullable,
      description: 'The sector of the services; null if not grouped by it.',
    }),
    family: t.exposeString('family', { ...nullable, description: 'The family of services.' }),
    month: t.exposeString('month', {
      ...nullable,
      description: 'The month, `YYYY-MM`; null if not grouped by it.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    assessments: t.exposeInt('assessments', {
      ...nullable,
      description:
        'The number of assessments. One counts once for each agency that it owes; where services are told apart, once for each service.',
    }),
    assessed: t.expose('assessed', amount('The amount assessed: paid, outstanding and cancelled together.')),
    paid: t.expose('paid', amount('The amount of paid assessments.')),
    outstanding: t.expose('outstanding', amount('The amount awaiting payment.')),
    cancelled: t.expose('cancelled', amount('The amount of cancelled assessments.')),
  }),
});
addAgency(AssessedRowType);
addService(AssessedRowType);

const TimesGroupingEnum = builder.enumType('PaymentTimesGrouping', {
  description: 'A dimension by which times to payment are grouped.',
  values: {
    agency: { description: 'The agency that was owed.' },
    channel: { description: 'The channel through which it was paid.' },
    service: { description: 'The service that was owed for.' },
    month: { description: 'The month of the assessment (UTC).' },
  } satisfies Record<TimesGrouping, object>,
});
const TimesOrderEnum = builder.enumType('PaymentTimesOrder', {
  description: 'A sort order for times to payment.',
  values: {
    key: { description: 'By the values of the groups.' },
    payments: { description: 'By number of payments, most first.' },
    p50: { description: 'By the time within which half was paid, longest first.' },
    p90: { description: 'By the time within which 90 % was paid, longest first.' },
    p99: { description: 'By the time within which 99 % was paid, longest first.' },
  } satisfies Record<TimesOrder, object>,
});

/** In which field of a row each percentile is told. */
const FIELDS = { p50: 'secondsP50', p90: 'secondsP90', p99: 'secondsP99' } as const satisfies Record<
  Percentile,
  string
>;
const within = (part: string) => ({
  ...nullable,
  description: `The time in seconds from assessment to payment within which ${part} of payments were made.`,
});
const PaymentTimesType = builder.objectRef<PaymentTimes>('PaymentTimes').implement({
  description: `How long it took from assessment to payment, of what was assessed in a period and has been paid. Dimensions that were not asked for are null. The people counted are the payers. ${WHOLE_MONTHS} ${SMALLER_GROUPS}`,
  fields: (t) => ({
    channel: t.field({
      type: ChannelEnum,
      ...nullable,
      description: 'The payment channel; null if not grouped by it.',
      resolve: (row) => row.channel ?? null,
    }),
    month: t.exposeString('month', {
      ...nullable,
      description: 'The month, `YYYY-MM`; null if not grouped by it.',
    }),
    payments: t.exposeInt('payments', {
      ...nullable,
      description:
        'The number of paid assessments. One counts once for each agency that it paid; where services are told apart, once for each service.',
    }),
    [FIELDS.p50]: t.float({ ...within('half'), resolve: ({ p50 }) => p50 }),
    [FIELDS.p90]: t.float({ ...within('90 %'), resolve: ({ p90 }) => p90 }),
    [FIELDS.p99]: t.float({ ...within('99 %'), resolve: ({ p99 }) => p99 }),
  }),
});
addAgency(PaymentTimesType);
addService(PaymentTimesType);

const AssessedRowConnection = defineConnection('AssessedRow', AssessedRowType, 'groups of assessed amounts');

const PaymentTimesConnection = defineConnection('PaymentTimes', PaymentTimesType, 'groups of times to payment');

builder.objectFields(Oversight, (t) => ({
  assessed: t.field({
    description:
      'What was assessed in a period and how much of it is paid, outstanding and cancelled, grouped by any combination of dimensions.',
    ...connection(AssessedRowConnection, {
      ...groupsPaging(100),
      args: {
        groupBy: t.arg({
          type: [AssessedGroupingEnum],
          required: true,
          defaultValue: [],
          description: 'The dimensions to group by. Default: none, one row per currency.',
          ...shape({ maxItems: 10 }),
        }),
        ...figuresSpan,
        ...agencyListArg,
        ...countryListArg,
        ...serviceListArg,
        ...sectorListArgs,
        ...currencyArg,
        orderBy: t.arg({
          type: AssessedOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    complexity: pricedBySpan(100, 5),
    resolve: (_root, { currency, ...args }, call) =>
      readAssessed(call, args, { ...args, filter: { ...args, currency: currency == null ? null : [currency] } }),
  }),
  paymentTimes: t.field({
    description: 'How long it took from assessment to payment, grouped by any combination of dimensions.',
    ...connection(PaymentTimesConnection, {
      ...groupsPaging(100),
      args: {
        groupBy: t.arg({
          type: [TimesGroupingEnum],
          required: true,
          defaultValue: [],
          description: 'The dimensions to group by. Default: none, one row.',
          ...shape({ maxItems: 10 }),
        }),
        ...figuresSpan,
        ...agencyListArg,
        ...channelsArg,
        ...serviceListArg,
        orderBy: t.arg({
          type: TimesOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    complexity: (asked) => pricedBySpan(100, asked.groupBy?.includes('service') ? 25 : 12)(asked),
    resolve: (_root, args, call, info) => {
      const percentiles = PERCENTILES.filter((one) => selectsField(info, FIELDS[one]));
      return readPaymentTimes(call, args, { ...args, filter: args }, percentiles);
    },
  }),
}));
