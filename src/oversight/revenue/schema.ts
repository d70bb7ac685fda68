import { builder } from '../../graphql/builder.ts';
import { dataset } from '../../graphql/files/rows.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { anyOf, between, freeText, integratorCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import {
  agenciesArg,
  agencyListArg,
  channelsArg,
  countryListArg,
  currencyArg,
  figuresSpan,
  groupsPaging,
  pricedByPayments,
  sectorListArgs,
  serviceListArg,
  zoneArg,
} from '../root/arguments.ts';
import { codeOf } from '../root/codes.ts';
import { Oversight } from '../root/oversight.ts';
import { compareRevenue } from './comparison.ts';
import {
  ComparisonOrderEnum,
  ComparisonConnection,
  ConcentrationType,
  DaysInput,
  PeriodEnum,
} from './comparison-schema.ts';
import { readConcentration } from './concentration.ts';
import { periodsOf } from './periods.ts';
import { findRecordedSince } from './recorded-since.ts';
import { GroupingEnum, OrderEnum, RevenueConnection, StationEnum } from './revenue-schema.ts';
import { MOST_GROUP_ROWS, listRevenue } from './revenue.ts';

const revenueFilters = {
  ...figuresSpan,
  ...zoneArg,
  ...agenciesArg,
  ...sectorListArgs,
  ...serviceListArg,
  ...channelsArg,
  ...countryListArg,
  ...builder.args((t) => ({
    region: t.stringList({
      description: "Filter by the agencies' regions: any of them.",
      ...codeOf('region', anyOf(freeText(LONGEST_LABEL))),
    }),
    district: t.stringList({
      description: "Filter by the agencies' districts: any of them.",
      ...codeOf('district', anyOf(freeText(LONGEST_LABEL))),
    }),
    station: t.field({
      type: [StationEnum],
      description: 'Filter by where it was taken: any of them.',
      ...shape({ minItems: 1, maxItems: 100 }),
    }),
    counter: t.stringList({
      description: 'Filter by counters: any of them. Each is the code of its agency, a space, and its label.',
      ...codeOf('counter', anyOf(freeText(2 * LONGEST_LABEL))),
    }),
    integrator: t.idList({
      description: 'Filter by integrators (codes): any of them. Requires the scope `oversight.audit`.',
      ...codeOf('integrator', anyOf(integratorCode)),
    }),
  })),
  ...currencyArg,
};

builder.objectFields(Oversight, (t) => ({
  revenue: t.field({
    description:
      'Revenue, grouped by any combination of dimensions, in the order of the groups by default. Always exact, including the most recent payments.',
    ...connection(RevenueConnection, {
      ...groupsPaging(20),
      args: {
        groupBy: t.arg({
          type: [GroupingEnum],
          required: true,
          defaultValue: [],
          description: 'The dimensions to group by. Default: none, one row per currency.',
          ...shape({ maxItems: 20 }),
        }),
        shareWithin: t.arg({
          type: [GroupingEnum],
          required: true,
          defaultValue: [],
          description:
            'What `share` is a share within, of the dimensions that are grouped by: with `counter`, of what its counter took. Default: of all in its currency.',
          ...shape({ maxItems: 20 }),
        }),
        ...revenueFilters,
        period: t.arg({
          type: PeriodEnum,
          required: true,
          defaultValue: 'asked',
          description: 'Of which period: that which the days are of, or one that it is compared with.',
        }),
        orderBy: t.arg({
          type: OrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    complexity: pricedByPayments(),
    // Each page groups the whole span anew.
    ...dataset(MOST_GROUP_ROWS),
    resolve: async (_root, { groupBy, shareWithin, orderBy, period, ...args }, call) => {
      const days = period === 'asked' ? args : (await periodsOf(call, args))[period];
      return listRevenue(call, { groupBy, shareWithin, filter: { ...args, ...days }, orderBy }, args);
    },
  }),
  revenueComparison: t.field({
    description:
      'Net revenue of a period compared with another period and with the same period a year earlier, in the order of its groups by default.',
    ...connection(ComparisonConnection, {
      ...groupsPaging(60),
      args: {
        groupBy: t.arg({
          type: [GroupingEnum],
          required: true,
          defaultValue: [],
          description: 'What to compare: any dimensions but periods. Default: none, one row per currency.',
          ...shape({ maxItems: 20 }),
        }),
        byAgency: t.arg.boolean({
          required: true,
          defaultValue: false,
          description: 'Whether to compare by agency; the same as `groupBy: [mda]`.',
        }),
        compareWith: t.arg({
          type: DaysInput,
          description: 'The days to compare with. Default: as many days as the period has, just before it.',
        }),
        ...revenueFilters,
        orderBy: t.arg({
          type: ComparisonOrderEnum,
          required: true,
          defaultValue: 'key',
          description: 'The sort order of the rows.',
        }),
      },
    }),
    // Three periods are read.
    complexity: pricedByPayments(3),
    resolve: (_root, { byAgency, groupBy, ...asked }, call) =>
      compareRevenue(call, { groupBy: byAgency ? [...groupBy, 'mda'] : groupBy, ...asked }, asked),
  }),
  recordedSince: t.field({
    type: 'Date',
    nullable: true,
    description:
      "The first day with a recorded payment, in the time zones of the agencies' countries; null if there is none. Figures of earlier days are 0 because nothing was recorded, not because nothing was collected: a comparison with them says nothing.",
    args: agencyListArg,
    complexity: 20,
    resolve: (_root, { agency }, call) => findRecordedSince(call, agency ?? null),
  }),
  concentration: t.field({
    type: [ConcentrationType],
    description: 'The share of the largest services and agencies in net revenue, by currency, largest currency first.',
    args: {
      top: t.arg.int({
        required: true,
        defaultValue: 10,
        description: 'How many of the largest to add up, 1 to 1,000.',
        ...between(1, 1_000),
      }),
      ...revenueFilters,
    },
    complexity: pricedByPayments(1, 10),
    resolve: (_root, args, call) => readConcentration(call, args),
  }),
}));
