import { builder } from '../../graphql/builder.ts';
import { dataset } from '../../graphql/files/rows.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { anyOf, freeText, integratorCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import {
  agenciesArg,
  channelsArg,
  countryListArg,
  currencyArg,
  figuresSpan,
  groupsPaging,
  sectorListArgs,
  serviceListArg,
  zoneArg,
} from '../root/arguments.ts';
import { Oversight } from '../root/oversight.ts';
import { compareRevenue } from './comparison.ts';
import { ComparisonType, GroupingEnum, OrderEnum, RevenueConnection, StationEnum } from './revenue-schema.ts';
import { MOST_GROUP_ROWS, listRevenue } from './revenue.ts';

builder.objectFields(Oversight, (t) => ({
  revenue: t.field({
    description: 'Revenue, grouped by any combination of dimensions. Always exact, including the most recent payments.',
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
        ...figuresSpan,
        ...zoneArg,
        ...agenciesArg,
        ...sectorListArgs,
        ...serviceListArg,
        ...channelsArg,
        ...countryListArg,
        region: t.arg.stringList({
          description: "Filter by the agencies' regions: any of them.",
          ...anyOf(freeText(LONGEST_LABEL)),
        }),
        district: t.arg.stringList({
          description: "Filter by the agencies' districts: any of them.",
          ...anyOf(freeText(LONGEST_LABEL)),
        }),
        station: t.arg({
          type: [StationEnum],
          description: 'Filter by where it was taken: any of them.',
          ...shape({ minItems: 1, maxItems: 100 }),
        }),
        counter: t.arg.stringList({
          description: 'Filter by counters: any of them. Each is the code of its agency, a space, and its label.',
          ...anyOf(freeText(2 * LONGEST_LABEL)),
        }),
        integrator: t.arg.idList({
          description: 'Filter by integrators (codes): any of them. Requires the scope `oversight.audit`.',
          ...anyOf(integratorCode),
        }),
        ...currencyArg,
        orderBy: t.arg({ type: OrderEnum, required: true, defaultValue: 'key', description: 'The sort order.' }),
      },
    }),
    // Each page groups the whole span anew.
    ...dataset(MOST_GROUP_ROWS),
    resolve: (_root, { groupBy, orderBy, ...args }, call) =>
      listRevenue(call, { groupBy, filter: args, orderBy }, args),
  }),
  revenueComparison: t.field({
    type: [ComparisonType],
    description: 'Net revenue of a period compared with the preceding period and with the same period a year earlier.',
    args: {
      byAgency: t.arg.boolean({ required: true, defaultValue: false, description: 'Whether to compare by agency.' }),
      ...figuresSpan,
      ...zoneArg,
      ...agenciesArg,
      ...channelsArg,
      ...currencyArg,
    },
    complexity: { field: 60, multiplier: 10 },
    resolve: (_root, args, call) => compareRevenue(call, args),
  }),
}));
