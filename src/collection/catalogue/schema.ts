import { endOf } from './accounts/request.ts';
import { readCatalogueVersion } from './version.ts';
import { requireWithin } from '../../platform/access/owned.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import { InteractionMode, AgencyStatus, ServiceStatus } from '../../generated/prisma/enums.ts';
import { builder, needs, versionedBy } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { languageArg } from '../../graphql/input/languages.ts';
import { agencyCode, countryCode, currencyCode, docnameArg, freeText, ownDocname } from '../../graphql/input/forms.ts';
import { isAnyDocname, isDocname } from '../../platform/database/docnames.ts';
import {
  calendarLoader,
  countryLoader,
  getAgency,
  getService,
  listActiveAgencies,
  listAgencies,
  listOwnAgencies,
  listServices,
  listServicesOf,
  agencyLoader,
  serviceLoader,
} from './find.ts';
import { type Holiday, listHolidays } from './holidays.ts';
import { type Term, listTerms, nameIn } from './names.ts';
import { LONGEST_LABEL, LONGEST_NAME } from '../../kernel/text/free-text.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';
import { agencyField } from './edges.ts';

export const InteractionModeEnum = builder.enumType(InteractionMode, {
  name: 'InteractionMode',
  description: 'The way in which an agency uses the rail.',
  values: {
    A: { description: "System of record: the agency's clerks work directly in the rail." },
    B: { description: "Integration: the agency's own system is notified of payments." },
    C: { description: 'Oversight: it reads, and collects nothing.' },
  },
});

export const AgencyStatusEnum = builder.enumType(AgencyStatus, {
  name: 'AgencyStatus',
  description: 'The status of an agency.',
  values: {
    Active: { description: 'Collects through the rail.' },
    Sandbox: { description: 'Being set up: listed, but its services cannot be assessed yet.' },
    Inactive: { description: 'No longer collects through the rail.' },
  },
});

export const ServiceStatusEnum = builder.enumType(ServiceStatus, {
  name: 'ServiceStatus',
  description: 'The status of a service.',
  values: {
    Active: { description: 'Offered; can be assessed.' },
    Inactive: { description: 'No longer offered; cannot be assessed.' },
  },
});

export const AgencyType = builder.prismaObject('Agency', {
  description: 'A ministry, department, agency or local government that collects through the rail.',
  interfaces: [NodeType],
  // The full account is shown to nobody.
  fields: (t) => ({
    id: t.exposeID('name', { description: "The agency's short code, such as `URA`." }),
    name: t.string({
      description: 'The full name of the agency.',
      args: languageArg,
      resolve: (agency, { language }) => nameIn(language, agency.mdaName, agency),
    }),
    interactionMode: t.expose('interactionMode', {
      type: InteractionModeEnum,
      description: "The agency's way of using the rail.",
    }),
    country: t.exposeString('country', {
      description: 'The code of its country profile (ISO 3166-1 alpha-2).',
      ...countryCode,
    }),
    timeZone: t.string({
      description:
        'The time zone of its country profile, such as `Africa/Kampala`, by which its days are told; `UTC` where there is none.',
      resolve: async ({ name }, _args, call) => (await calendarLoader.load(call, name))?.timeZone ?? 'UTC',
    }),
    fiscalYearMonth: t.int({
      description:
        'The month with which its fiscal year begins, 1 to 12, by its country profile; 1 where there is none.',
      resolve: async ({ name }, _args, call) => (await calendarLoader.load(call, name))?.fiscalYearMonth ?? 1,
    }),
    type: t.exposeString('mdaType', { description: 'The type of agency, such as `tax_authority`.' }),
    status: t.expose('status', { type: AgencyStatusEnum, description: 'State of the agency.' }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'The region of the country where the agency is; null where its country profile does not say.',
    }),
    district: t.exposeString('district', {
      nullable: true,
      description: 'The district where the agency is; null where its country profile does not say.',
    }),
    cashLimit: t.expose('cashLimit', {
      type: 'Decimal',
      nullable: true,
      description:
        'The most cash of one payment that has a line of the agency, in the currency of its country. Null: what its country profile has.',
    }),
    shiftCashLimit: t.expose('shiftCashLimit', {
      type: 'Decimal',
      nullable: true,
      description:
        'The most cash that one shift at the agency collects, in the currency of its country. Null: what its country profile has.',
    }),
    countryCashLimit: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The most cash of one payment by its country profile, which holds where `cashLimit` is null. Null: any amount.',
      resolve: async ({ country }, _args, call) => (await countryLoader.load(call, country))?.cashLimit ?? null,
    }),
    countryShiftCashLimit: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'The most cash of one shift by its country profile, which holds where `shiftCashLimit` is null. Null: any amount.',
      resolve: async ({ country }, _args, call) => (await countryLoader.load(call, country))?.shiftCashLimit ?? null,
    }),
    currency: t.string({
      nullable: true,
      description:
        'The currency of its country profile (ISO 4217), which limits of cash are in; null where it has none.',
      ...currencyCode,
      resolve: async ({ country }, _args, call) => (await countryLoader.load(call, country))?.currency ?? null,
    }),
    collectionAccountLast4: t.string({
      nullable: true,
      description:
        'The last four characters of the collection account. Null if there is none yet, and unless the caller is an admin or a system manager.',
      resolve: ({ collectionAccount }, _args, call) =>
        findRefusal(call.viewer, 'operations.write') ? null : endOf(collectionAccount),
    }),
    revision: t.exposeInt('revision', {
      description: 'The number of its changes, by which a change of it says what was read.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the record was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'Agency',
  needs: [],
  matches: (id) => AGENCY_CODE.test(id) && !isAnyDocname(id),
  loader: agencyLoader,
});

export const ServiceType = builder.prismaObject('Service', {
  description: 'A service of an agency, with its official fee.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('service')),
    serviceName: t.string({
      description: 'The name of the service.',
      args: languageArg,
      resolve: (service, { language }) => nameIn(language, service.serviceName, service),
    }),
    code: t.exposeString('code', { description: "The agency's own code for it." }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that offers the service.', ...agencyCode }),
    agency: t.field(agencyField('The agency that offers the service.')),
    sector: t.exposeString('sector', { description: 'The sector, such as `transport`.' }),
    family: t.exposeString('family', { description: 'The kind of revenue, such as `licence` or `tax`.' }),
    status: t.expose('status', { type: ServiceStatusEnum, description: 'The status of the service.' }),
    feeAmount: t.expose('feeAmount', {
      type: 'Decimal',
      description:
        'The official fee per unit, in `currency`. Under a tariff it is the least that its category `standard` costs, or 0.',
    }),
    feeInForce: t.exposeBoolean('feeInForce', {
      description:
        'True if the fee can be charged. False of a new service whose fee has yet to be approved: it cannot be assessed (`fee_not_approved`).',
    }),
    nextFeeAmount: t.expose('nextFeeAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The fee per unit that holds from `nextFeeFrom` on, in `currency`; null if none is set.',
    }),
    nextFeeFrom: t.expose('nextFeeFrom', {
      type: 'DateTime',
      nullable: true,
      description: "Time at which the coming fee begins to hold: the start of a day in the agency's country.",
    }),
    nextTariff: t.expose('nextTariff', {
      type: 'JSON',
      nullable: true,
      description: 'The tariff that holds from `nextFeeFrom` on; null if none is set, or a fee per unit.',
    }),
    currency: t.exposeString('currency', { description: 'The currency of the fee (ISO 4217).', ...currencyCode }),
    revision: t.exposeInt('revision', {
      description: 'The number of its changes, by which a change of it says what was read.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the record was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'Service',
  needs: [],
  matches: (id) => isDocname('service', id),
  loader: serviceLoader,
});

export const AgencyConnection = defineConnection('Agency', AgencyType, 'agencies');
const ServiceConnection = defineConnection('Service', ServiceType, 'services');

builder.prismaObjectField('Agency', 'services', (t) =>
  t.field({
    description: "The agency's services, by docname.",
    ...connection(ServiceConnection, {
      most: 500,
      args: { status: t.arg({ type: ServiceStatusEnum, description: 'Filter by status. Default: all.' }) },
    }),
    resolve: ({ name }, args, call) => listServicesOf(call, name, args, args),
  }),
);

const TermKindEnum = defineEnum<Term['kind']>('CatalogueTermKind', 'Kind of a term of the catalogue.', {
  sector: 'A sector of services, such as `transport`.',
  family: 'A kind of revenue, such as `licence`.',
});

const TermType = builder.objectRef<Term>('CatalogueTerm').implement({
  description: 'A sector or family of services that country profiles name in several languages.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: TermKindEnum,
      description: 'Kind of term: a sector or a family.',
    }),
    code: t.exposeString('code', { description: 'The word that services and filters have for it.' }),
    name: t.string({
      description: 'Name of the term as people say it.',
      args: languageArg,
      resolve: (term, { language }) => nameIn(language, term.code, term),
    }),
  }),
});

const HolidayType = builder.objectRef<Holiday>('Holiday').implement({
  description: 'A public holiday, as a country profile has it.',
  fields: (t) => ({
    country: t.exposeString('country', {
      description: 'The code of its country (ISO 3166-1 alpha-2).',
      ...countryCode,
    }),
    day: t.exposeString('day', { description: 'The day: `YYYY-MM-DD`, or `MM-DD` for that day of each year.' }),
    name: t.string({
      description: 'The name of the holiday.',
      args: languageArg,
      resolve: (holiday, { language }) => nameIn(language, holiday.name, holiday),
    }),
  }),
});

builder.queryFields((t) => ({
  holidays: t.field({
    type: [HolidayType],
    description: 'The public holidays of all countries, as their profiles have them. No authentication required.',
    ...versionedBy(readCatalogueVersion),
    resolve: (_root, _args, call) => listHolidays(call),
  }),
  catalogueTerms: t.field({
    type: [TermType],
    description:
      'The sectors and families of services that country profiles name in several languages. No authentication required.',
    ...versionedBy(readCatalogueVersion),
    resolve: (_root, _args, call) => listTerms(call),
  }),
  agencies: t.field({
    description: 'Agencies, by code. No authentication required.',
    ...versionedBy(readCatalogueVersion),
    ...connection(AgencyConnection, {
      most: 500,
      args: {
        mode: t.arg({ type: InteractionModeEnum, description: 'Filter by interaction mode.' }),
        country: t.arg.string({ description: 'Filter by country code.', ...countryCode }),
        type: t.arg.string({ description: 'Filter by type of agency.', ...freeText(LONGEST_LABEL) }),
        status: t.arg({
          type: AgencyStatusEnum,
          required: true,
          defaultValue: 'Active',
          description: 'Only those in this status. Default: `Active`.',
        }),
      },
    }),
    resolve: (_root, args, call) => listAgencies(call, args, args),
  }),
  counterAgencies: t.field({
    type: ['Agency'],
    description:
      'All Active agencies, by code; of those that the caller is bound to, if they are. For clerks, supervisors and admins.',
    ...needs('counter'),
    resolve: (_root, _args, call) => listActiveAgencies(call),
  }),
  ownAgencies: t.field({
    type: ['Agency'],
    description:
      'The agencies whose figures the caller may read, by code. These are those that staff are bound to, all for other staff, and the agency itself by its token. For supervisors, finance officers, admins and the oversight role, agency tokens with `payments.read`, and keys with `oversight.read`.',
    ...needs('agency.read'),
    resolve: (_root, _args, call) => listOwnAgencies(call),
  }),
  ownAgency: t.field({
    type: 'Agency',
    nullable: true,
    description:
      'One of `ownAgencies`: the one that is named, or the first. `forbidden` if it is not one of them, null if there are none.',
    ...needs('agency.read'),
    args: { id: t.arg.id({ description: "The agency's short code. Default: the first.", ...agencyCode }) },
    resolve: async (_root, { id }, call) => {
      if (id == null) return (await listOwnAgencies(call))[0] ?? null;
      requireWithin(call.viewer, id);
      return getAgency(call, id);
    },
  }),
  agency: t.field({
    type: 'Agency',
    description: 'Returns an agency. No authentication required. `not_found` if it does not exist.',
    args: { id: t.arg.id({ required: true, description: "The agency's short code, such as `URA`.", ...agencyCode }) },
    resolve: (_root, { id }, call) => getAgency(call, id),
  }),
  services: t.field({
    description: 'Services, by docname. No authentication required.',
    ...versionedBy(readCatalogueVersion),
    ...connection(ServiceConnection, {
      most: 500,
      args: {
        agency: t.arg.string({ description: 'Filter by agency code.', ...agencyCode }),
        sector: t.arg.string({
          description: 'Only services of this sector, such as `transport`.',
          ...freeText(LONGEST_LABEL),
        }),
        family: t.arg.string({
          description: 'Only services of this kind of revenue, such as `licence`.',
          ...freeText(LONGEST_LABEL),
        }),
        code: t.arg.string({
          description: "Filter by the agency's own code for the service.",
          ...freeText(LONGEST_LABEL),
        }),
        q: t.arg.string({
          description: 'Search by part of the name, in any language, or code; not case-sensitive.',
          ...freeText(LONGEST_NAME),
        }),
        status: t.arg({
          type: ServiceStatusEnum,
          required: true,
          defaultValue: 'Active',
          description: 'Only those in this status. Default: `Active`.',
        }),
      },
    }),
    resolve: (_root, args, call) => listServices(call, args, args),
  }),
  service: t.field({
    type: 'Service',
    description: 'Returns a service. No authentication required. `not_found` if it does not exist.',
    args: { id: t.arg.id(docnameArg('service')) },
    resolve: (_root, { id }, call) => getService(call, id),
  }),
}));
