import { refusalFor } from '../../platform/access/viewer.ts';
import { InteractionMode, MdaStatus, ServiceStatus } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, countryCode, currencyCode, docname, freeText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { getMda, getService, activeMdas, listMdas, listServices } from './find.ts';
import { LONGEST_LABEL, LONGEST_NAME } from '../../kernel/text.ts';

const InteractionModeEnum = builder.enumType(InteractionMode, {
  name: 'InteractionMode',
  description: 'How an agency takes part.',
  values: {
    A: { description: 'System of record: clerks work directly in the rail.' },
    B: { description: "Integration: the agency's own system is told of payments and calls back." },
    C: { description: 'Oversight: reads only.' },
  },
});

const MdaStatusEnum = builder.enumType(MdaStatus, {
  name: 'MdaStatus',
  description: 'Whether an agency takes part.',
  values: {
    Active: { description: 'Collects through the rail.' },
    Sandbox: { description: 'Being set up; shown, but not open for assessments.' },
    Inactive: { description: 'No longer collects through the rail.' },
  },
});

const ServiceStatusEnum = builder.enumType(ServiceStatus, {
  name: 'ServiceStatus',
  description: 'Whether a service is offered.',
  values: { Active: { description: 'Can be assessed.' }, Inactive: { description: 'No longer offered.' } },
});

builder.prismaObject('Mda', {
  description: 'A ministry, department, agency or local government that collects through the rail.',
  // Where its money goes is shown to nobody whole.
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its short code.' }),
    mdaName: t.exposeString('mdaName', { description: 'Its full name.' }),
    interactionMode: t.expose('interactionMode', { type: InteractionModeEnum, description: 'How it takes part.' }),
    country: t.exposeString('country', { description: 'The code of its country profile (ISO 3166-1 alpha-2).', ...countryCode }),
    mdaType: t.exposeString('mdaType', { description: 'What kind of agency it is, such as `tax_authority`.' }),
    status: t.expose('status', { type: MdaStatusEnum, description: 'Whether it takes part.' }),
    collectionAccountLast4: t.string({
      nullable: true,
      description: 'What its collection account ends in, for admins and system managers; null for others.',
      select: { collectionAccount: true },
      resolve: ({ collectionAccount }, _args, call) => (refusalFor(call.viewer, 'operations.write') ? null : collectionAccount.slice(-4)),
    }),
    services: t.relation('services', { description: 'Its services.', query: { orderBy: { name: 'asc' } }, complexity: { multiplier: 10 } }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was entered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.prismaObject('Service', {
  description: 'A service of an agency, with the official fee that every assessment line is priced from.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `SVC-<yyyy>-<6 digits>`.', ...docname('service') }),
    serviceName: t.exposeString('serviceName', { description: 'What it is called.' }),
    code: t.exposeString('code', { description: "The agency's own code for it." }),
    mda: t.exposeID('mda', { description: 'The short code of the agency that offers it.', ...agencyCode }),
    agency: t.relation('agency', { description: 'The agency that offers it.' }),
    sector: t.exposeString('sector', { description: 'The part of public life it belongs to, such as `transport`.' }),
    family: t.exposeString('family', { description: 'What kind of revenue it is, such as `licence` or `tax`.' }),
    status: t.expose('status', { type: ServiceStatusEnum, description: 'Whether it is offered.' }),
    feeAmount: t.expose('feeAmount', { type: 'Decimal', description: 'The official fee for one, in `currency`.' }),
    currency: t.exposeString('currency', { description: 'The currency of the fee (ISO 4217).', ...currencyCode }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was entered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.queryFields((t) => ({
  mdas: t.prismaField({
    type: ['Mda'],
    description: 'Agencies, by code. Open to everyone.',
    args: {
      mode: t.arg({ type: InteractionModeEnum, description: 'Only those that take part in this way.' }),
      country: t.arg.string({ description: 'Only those of this country profile.', ...countryCode }),
      mdaType: t.arg.string({ description: 'Only those of this kind.', ...freeText(LONGEST_LABEL) }),
      status: t.arg({ type: MdaStatusEnum, required: true, defaultValue: 'Active', description: 'Only those of this status.' }),
      ...pageArgs(100, 500),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listMdas(call, args, args),
  }),
  counterMdas: t.prismaField({
    type: ['Mda'],
    description: 'All Active agencies, by code. For clerks, supervisors and admins.',
    ...needs('counter'),
    resolve: (_query, _root, _args, call) => activeMdas(call),
  }),
  mda: t.prismaField({
    type: 'Mda',
    description: 'One agency. Open to everyone. `not_found` where there is none.',
    args: { name: t.arg.id({ required: true, description: 'Its short code.', ...agencyCode }) },
    resolve: (_query, _root, { name }, call) => getMda(call, name),
  }),
  services: t.prismaField({
    type: ['Service'],
    description: 'Services, by docname. Open to everyone.',
    args: {
      mda: t.arg.string({ description: 'Only those of this agency.', ...agencyCode }),
      sector: t.arg.string({ description: 'Only those of this sector.', ...freeText(LONGEST_LABEL) }),
      family: t.arg.string({ description: 'Only those of this family.', ...freeText(LONGEST_LABEL) }),
      code: t.arg.string({ description: "Only the one with this agency's code.", ...freeText(LONGEST_LABEL) }),
      q: t.arg.string({ description: 'Only those with this text in their name or code; case is ignored.', ...freeText(LONGEST_NAME) }),
      status: t.arg({ type: ServiceStatusEnum, required: true, defaultValue: 'Active', description: 'Only those of this status.' }),
      ...pageArgs(100, 500),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listServices(call, args, args),
  }),
  service: t.prismaField({
    type: 'Service',
    description: 'One service. Open to everyone. `not_found` where there is none.',
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('service') }) },
    resolve: (_query, _root, { name }, call) => getService(call, name),
  }),
}));
