import { builder } from '../../../graphql/builder.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { ChannelEnum } from '../../../collection/payments/schema/intent-schema.ts';
import {
  READ_WITH_ROW,
  agencyListArg,
  channelsArg,
  currencyArg,
  figuresSpan,
  groupsPaging,
  pricedByPayments,
  sectorListArgs,
  serviceListArg,
  zoneArg,
} from '../../root/arguments.ts';
import { addAgency, addService } from '../../root/edges.ts';
import { Oversight } from '../../root/oversight.ts';
import { type PiecesGrouping, type PiecesOrder, type PiecesRow, readPieces } from './pieces.ts';
import {
  type PaymentSizes,
  type SizeClass,
  type SizesGrouping,
  type SizesOrder,
  listSizeClasses,
  readPaymentSizes,
} from './sizes.ts';

const nullable = { nullable: true } as const;
const amount = (description: string) => ({ type: 'Decimal' as const, description });

const SizesGroupingEnum = builder.enumType('PaymentSizesGrouping', {
  description:
    'A dimension by which sizes of payments are grouped. Amounts in different currencies are never compared.',
  values: {
    agency: { description: 'The agency that was paid.' },
    channel: { description: 'The payment channel, such as mobile money.' },
    month: { description: 'The month of the payment.' },
  } satisfies Record<SizesGrouping, object>,
});
const SizesOrderEnum = builder.enumType('PaymentSizesOrder', {
  description: 'A sort order for sizes of payments.',
  values: {
    key: { description: 'By the values of the groups.' },
    payments: { description: 'By number of payments, most first.' },
    median: { description: 'By median, largest first.' },
  } satisfies Record<SizesOrder, object>,
});
const SizeClassType = builder.objectRef<SizeClass>('PaymentSizeClass').implement({
  description: 'The payments of one order of magnitude.',
  fields: (t) => ({
    from: t.expose('from', amount('The smallest amount of the class: a power of ten, or 0.')),
    to: t.expose('to', amount('The amount below which the class ends: ten times as much.')),
    payments: t.exposeInt('payments', { description: 'The number of payments.' }),
    amount: t.expose('amount', amount('The sum of their amounts.')),
  }),
});
const PaymentSizesType = builder.objectRef<PaymentSizes>('PaymentSizes').implement({
  description:
    'How large the payments of one group in one currency were: what each agency got of each, whether or not it was reversed later. Dimensions that were not asked for are null.',
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
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    payments: t.exposeInt('payments', { description: 'The number of payments.' }),
    lowerQuartile: t.expose('lowerQuartile', amount('The smallest amount that a quarter of payments do not exceed.')),
    median: t.expose('median', amount('The smallest amount that half of the payments do not exceed.')),
    upperQuartile: t.expose(
      'upperQuartile',
      amount('The smallest amount that three quarters of the payments do not exceed.'),
    ),
    classes: t.field({
      type: [SizeClassType],
      description: 'The payments by order of magnitude, smallest first, without classes that have none.',
      ...READ_WITH_ROW,
      resolve: listSizeClasses,
    }),
  }),
});
addAgency(PaymentSizesType);

const PiecesGroupingEnum = builder.enumType('PiecesGrouping', {
  description: 'A dimension by which pieces are grouped.',
  values: {
    service: { description: 'The service that was paid for.' },
    agency: { description: 'The agency of the service.' },
    sector: { description: 'The sector of the service.' },
    family: { description: 'The family of the service.' },
    channel: { description: 'The payment channel, such as mobile money.' },
    month: { description: 'The month of the payment or reversal.' },
    day: { description: 'The day of the payment or reversal.' },
  } satisfies Record<PiecesGrouping, object>,
});
const PiecesOrderEnum = builder.enumType('PiecesOrder', {
  description: 'A sort order for pieces.',
  values: {
    key: { description: 'By the values of the groups.' },
    pieces: { description: 'By number of pieces, most first.' },
    returned: { description: 'By number of pieces given back, most first.' },
  } satisfies Record<PiecesOrder, object>,
});
const PiecesRowType = builder.objectRef<PiecesRow>('PiecesRow').implement({
  description:
    'How many pieces of services, such as passports, were sold: the quantities of the lines that payments paid for. Dimensions that were not asked for are null.',
  fields: (t) => ({
    sector: t.exposeString('sector', {
      ...nullable,
      description: 'The sector of the services; null if not grouped by it.',
    }),
    family: t.exposeString('family', { ...nullable, description: 'The family of services.' }),
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
    day: t.field({
      type: 'Date',
      ...nullable,
      description: 'The day; null if not grouped by it.',
      resolve: ({ day }) => (day === undefined ? null : new Date(`${day}T00:00:00Z`)),
    }),
    pieces: t.int({
      description: 'The number of pieces sold, less those given back; negative where more came back than were sold.',
      resolve: ({ sold, returned }) => sold - returned,
    }),
    sold: t.exposeInt('sold', { description: 'The number of pieces that payments paid for.' }),
    returned: t.exposeInt('returned', { description: 'The number of pieces whose payments were reversed.' }),
  }),
});
addAgency(PiecesRowType);
addService(PiecesRowType);

const PaymentSizesConnection = defineConnection('PaymentSizes', PaymentSizesType, 'groups of payment sizes');

const PiecesRowConnection = defineConnection('PiecesRow', PiecesRowType, 'groups of pieces');

builder.objectFields(Oversight, (t) => ({
  paymentSizes: t.field({
    description: 'How large payments were: median, quartiles and orders of magnitude, grouped by any dimensions.',
    ...connection(PaymentSizesConnection, {
      ...groupsPaging(100),
      args: {
        groupBy: t.arg({
          type: [SizesGroupingEnum],
          required: true,
          defaultValue: [],
          description: 'The dimensions to group by. Default: none, one row per currency.',
          ...shape({ maxItems: 10 }),
        }),
        ...figuresSpan,
        ...zoneArg,
        ...agencyListArg,
        ...channelsArg,
        ...currencyArg,
        orderBy: t.arg({
          type: SizesOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    complexity: pricedByPayments(),
    resolve: (_root, args, call) => readPaymentSizes(call, args),
  }),
  piecesSold: t.field({
    description: 'How many pieces of services were sold, grouped by any dimensions. Always exact.',
    ...connection(PiecesRowConnection, {
      ...groupsPaging(100),
      args: {
        groupBy: t.arg({
          type: [PiecesGroupingEnum],
          required: true,
          defaultValue: ['service'],
          description: 'The dimensions to group by. Default: by service.',
          ...shape({ maxItems: 10 }),
        }),
        ...figuresSpan,
        ...zoneArg,
        ...agencyListArg,
        ...serviceListArg,
        ...sectorListArgs,
        ...channelsArg,
        orderBy: t.arg({
          type: PiecesOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    complexity: pricedByPayments(),
    resolve: (_root, args, call) => readPieces(call, args, { ...args, filter: args }),
  }),
}));
