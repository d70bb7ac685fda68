import { builder } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { agencyCode, currencyCode, docname } from '../../graphql/input/forms.ts';
import { EventKindEnum } from '../../collection/payments/schema/event-schema.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { mdaLoader, serviceLoader } from '../../collection/catalogue/find.ts';
import { agencyEdgeIfAny } from '../root/edges.ts';
import { type Dimensions, type RevenueRow, type Station, averageOf, netOf, shareOf } from './revenue.ts';

export const StationEnum = defineEnum<Station>('RevenueStation', 'Where revenue is taken.', {
  counter:
    'Within a shift at a counter of an agency, through whichever channel: cash, or mobile money of who stands there.',
  integrator: 'By an integrator, online and by its own means.',
  other: 'Neither at a counter nor by an integrator, such as what staff took outside a shift.',
});
/** An amount in the currency beside it. */
export const money = (description: string) => ({ type: 'Decimal' as const, description });

/** The code of the agency of a counter, which its label follows: a code has no blanks. */
function agencyOfCounter(counter: string | null | undefined): string | null {
  return counter?.split(' ')[0] ?? null;
}

/** What a row of figures is about. */
export const RevenueGroupType = builder
  .interfaceRef<Dimensions & { readonly currency: string }>('RevenueGroup')
  .implement({
    description: 'What a row of revenue is about. Dimensions that were not asked for are null.',
    fields: (t) => ({
      agencyId: t.id({
        nullable: true,
        description: 'The code of the agency.',
        ...agencyCode,
        resolve: (row) => row.mda ?? null,
      }),
      agency: t.field(agencyEdgeIfAny('The agency that the amounts are owed to.')),
      sector: t.exposeString('sector', {
        nullable: true,
        description: 'The sector of the services; also null for amounts that belong to no service.',
      }),
      family: t.exposeString('family', {
        nullable: true,
        description: 'The family of the services.',
      }),
      serviceId: t.id({
        nullable: true,
        description: 'The docname of the service; also null for amounts that belong to no service.',
        ...docname('service'),
        resolve: (row) => row.service ?? null,
      }),
      service: t.field({
        type: 'Service',
        nullable: true,
        description: 'The service, as the catalogue has it now; also null for amounts that belong to no service.',
        resolve: ({ service = null }, _args, call, info) => followIfAny(call, info, serviceLoader, service),
      }),
      channel: t.field({
        type: ChannelEnum,
        nullable: true,
        description: 'The payment channel; null if not grouped by it.',
        resolve: (row) => row.channel ?? null,
      }),
      country: t.exposeString('country', {
        nullable: true,
        description: "The agency's country (ISO 3166-1); null if not grouped by it.",
      }),
      region: t.exposeString('region', {
        nullable: true,
        description: "The agency's region; also null where its country profile does not say.",
      }),
      district: t.exposeString('district', {
        nullable: true,
        description: "The agency's district; also null where its country profile does not say.",
      }),
      station: t.field({
        type: StationEnum,
        nullable: true,
        description: 'Where it was taken.',
        resolve: (row) => row.station ?? null,
      }),
      counterAgencyId: t.id({
        nullable: true,
        description:
          'The code of the agency at whose counter it was taken; also null for what was taken at no counter.',
        resolve: ({ counter }) => agencyOfCounter(counter),
      }),
      counterAgency: t.field({
        type: 'Mda',
        nullable: true,
        description: 'The agency at whose counter it was taken; also null for what was taken at no counter.',
        resolve: ({ counter }, _args, call, info) => followIfAny(call, info, mdaLoader, agencyOfCounter(counter)),
      }),
      counter: t.string({
        nullable: true,
        description:
          'The label of that counter; also null for what was taken at no counter, or at one without a label.',
        resolve: ({ counter }) => counter?.split(' ').slice(1).join(' ') || null,
      }),
      integratorId: t.id({
        nullable: true,
        description:
          'The code of the integrator that collected it; also null for what staff took. Its account names people, and is not shown to oversight; operators look it up by `node`.',
        resolve: (row) => row.integrator ?? null,
      }),
      weekday: t.exposeInt('weekday', {
        nullable: true,
        description: 'The day of the week, 1 (Monday) to 7 (Sunday).',
      }),
      hour: t.exposeInt('hour', {
        nullable: true,
        description: 'The hour of the day that it was taken in, 0 to 23.',
      }),
      kind: t.field({
        type: EventKindEnum,
        nullable: true,
        description: 'The kind of event: `payment` or `reversal`.',
        resolve: (row) => row.kind ?? null,
      }),
      currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    }),
  });

export const RevenueType = builder.objectRef<RevenueRow>('RevenueRow').implement({
  description: 'Revenue of one group in one currency. Dimensions that were not asked for are null.',
  interfaces: [RevenueGroupType],
  fields: (t) => ({
    fiscalYear: t.exposeString('fiscal_year', {
      nullable: true,
      description: 'The fiscal year, `YYYY/YY`; `YYYY` where fiscal years are calendar years.',
    }),
    quarter: t.exposeString('quarter', {
      nullable: true,
      description: 'The calendar quarter, `YYYY-Qn`.',
    }),
    day: t.field({
      type: 'Date',
      nullable: true,
      description: 'The day in the time zone that was asked for.',
      resolve: ({ day }) => (day == null ? null : new Date(`${day}T00:00:00Z`)),
    }),
    week: t.exposeString('week', { nullable: true, description: 'The ISO week, `YYYY-Www`.' }),
    month: t.exposeString('month', {
      nullable: true,
      description: 'The month, `YYYY-MM`; null if not grouped by it.',
    }),
    collected: t.expose('collected', money('The amount collected, before reversals.')),
    reversed: t.expose('reversed', money('The amount reversed, as a positive number.')),
    net: t.field({ ...money('Net revenue: collected less reversed.'), resolve: netOf }),
    count: t.int({
      description:
        'The number of payment events. If grouped by service, an event counts once for each service that it pays.',
      resolve: ({ payments, reversals }) => payments + reversals,
    }),
    average: t.field({
      ...money('The average amount per payment; null if there was none.'),
      nullable: true,
      resolve: averageOf,
    }),
    share: t.float({
      nullable: true,
      description:
        'The share of net revenue in this currency, 0 to 1: of all that was asked about, or within what `shareWithin` says. Null if that is zero.',
      resolve: shareOf,
    }),
  }),
});
