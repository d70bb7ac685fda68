import { builder } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { currencyCode } from '../../graphql/input/forms.ts';
import type { Comparison, ComparisonOrder } from './comparison.ts';
import type { Concentration } from './concentration.ts';
import type { Period } from './periods.ts';
import { RevenueGroupType, money } from './revenue-schema.ts';

export const DaysInput = builder.inputType('DaysInput', {
  description: 'Some days, in the time zone that the question is about.',
  fields: (t) => ({
    fromDate: t.field({ type: 'Date', required: true, description: 'The first day of the span.' }),
    toDate: t.field({ type: 'Date', required: true, description: 'The last day of the span, included.' }),
  }),
});

export const PeriodEnum = builder.enumType('RevenuePeriod', {
  description: 'A period, or one of those that it is compared with.',
  values: {
    asked: { description: 'The days that are asked for.' },
    before: { description: 'As many days just before them.' },
    yearAgo: { description: 'The same days a year earlier.' },
  } satisfies Record<Period, object>,
});

export const ComparisonOrderEnum = builder.enumType('RevenueComparisonOrder', {
  description: 'A sort order for compared revenue.',
  values: {
    key: { description: 'By currency and by the values of the groups.' },
    current: { description: 'By net revenue of the period, largest first.' },
    growth: { description: 'By relative change, fastest growth first; last what did not bring anything before.' },
    decline: { description: 'By relative change, steepest decline first; last what did not bring anything before.' },
    gain: { description: 'By the difference in money, largest gain first.' },
    loss: { description: 'By the difference in money, largest loss first.' },
  } satisfies Record<ComparisonOrder, object>,
});

const ComparisonType = builder.objectRef<Comparison>('RevenueComparison').implement({
  description: 'Net revenue of a period compared with another period and with the same period a year earlier.',
  interfaces: [RevenueGroupType],
  fields: (t) => ({
    serviceCode: t.exposeString('serviceCode', {
      nullable: true,
      description: "The agency's own code for the service, if compared by service.",
    }),
    serviceName: t.exposeString('serviceName', {
      nullable: true,
      description: 'The name of the service, if compared by service.',
    }),
    current: t.expose('current', money('Net revenue of the period.')),
    before: t.expose(
      'before',
      money('Net revenue of the period that it is compared with: by default the preceding one of the same length.'),
    ),
    yearAgo: t.expose('yearAgo', money('Net revenue of the same period a year earlier.')),
    difference: t.field({
      ...money('The difference in money between both periods; negative where revenue fell.'),
      resolve: ({ current, before }) => current.minus(before),
    }),
    changeOnBefore: t.exposeFloat('changeOnBefore', {
      nullable: true,
      description: 'The relative change from the period that it is compared with; null if that was zero.',
    }),
    changeOnYearAgo: t.exposeFloat('changeOnYearAgo', {
      nullable: true,
      description: 'The relative change from a year earlier; null if that was zero.',
    }),
  }),
});

export const ComparisonConnection = defineConnection('RevenueComparison', ComparisonType, 'compared groups of revenue');

export const ConcentrationType = builder.objectRef<Concentration>('RevenueConcentration').implement({
  description: 'How much of net revenue in a currency the largest services and agencies bring.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    net: t.expose('net', money('Net revenue of all services and agencies.')),
    services: t.exposeInt('services', {
      description: 'The number of services with revenue. What belongs to no service counts as one.',
    }),
    topServicesNet: t.expose('topServicesNet', money('Net revenue of the largest services.')),
    topServicesShare: t.exposeFloat('topServicesShare', {
      nullable: true,
      description: 'The share of the largest services in net revenue, 0 to 1; null if that is zero.',
    }),
    agencies: t.exposeInt('agencies', { description: 'The number of agencies with revenue.' }),
    topAgenciesNet: t.expose('topAgenciesNet', money('Net revenue of the largest agencies.')),
    topAgenciesShare: t.exposeFloat('topAgenciesShare', {
      nullable: true,
      description: 'The share of the largest agencies in net revenue, 0 to 1; null if that is zero.',
    }),
  }),
});
