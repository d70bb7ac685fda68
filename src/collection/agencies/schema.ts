import { builder, needs } from '../../graphql/builder.ts';
import { nin, someText, taxNumber } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { type AgencyEndpoint, getAgencyEndpoint, listAgencyEndpoints } from './find.ts';
import { integrations } from './integrations.ts';
import { probeAgencyEndpoint } from './probe.ts';
import { type Business, type Taxpayer, registerBusiness, searchBusinesses, verifyTin } from './registries.ts';
import { LONGEST_NAME } from '../../kernel/text.ts';

const AgencyEndpointType = builder.objectRef<AgencyEndpoint>('AgencyEndpoint').implement({
  description: 'An endpoint of a connected agency.',
  fields: (t) => ({
    id: t.exposeID('name', { description: 'Its id.' }),
    method: t.exposeString('method', { description: 'The HTTP method.' }),
    path: t.exposeString('path', { description: 'The path below the base address.' }),
    agencyKind: t.exposeString('agencyKind', { description: 'What kind of agency offers it.' }),
    version: t.exposeString('version', { description: 'The version of its interface.' }),
    authMode: t.exposeString('authMode', { description: 'How the rail shows who it is: `OAuth2`, `mTLS` or `API Key`.' }),
    baseUrl: t.exposeString('baseUrl', { nullable: true, description: 'Where agencies of this kind are reached; null where none is connected.' }),
    lastProbeAt: t.expose('probedAt', { type: 'DateTime', nullable: true, description: 'When it was last probed; null: never.' }),
    lastProbeStatus: t.exposeString('probeStatus', {
      nullable: true,
      description:
        'What came of it: `ok`, `refused (401)`, `failed (503)`, `timeout`, `failed` where it cannot be reached, or `unavailable` where it is left alone after many failures.',
    }),
    lastProbeMs: t.exposeInt('probeMs', { nullable: true, description: 'How long the answer took, in milliseconds.' }),
  }),
});

const TaxpayerType = builder.objectRef<Taxpayer>('Taxpayer').implement({
  description: 'Somebody who pays taxes, as the tax authority knows them.',
  fields: (t) => ({
    tin: t.exposeID('tin', { description: 'The taxpayer identification number.' }),
    fullName: t.exposeString('fullName', { description: 'A person or a business.' }),
    status: t.exposeString('status', { description: "The authority's word on them, such as `active`." }),
  }),
});

const BusinessType = builder.objectRef<Business>('Business').implement({
  description: 'A business, as the business registry knows it.',
  fields: (t) => ({
    registrationNumber: t.exposeID('registrationNumber', { description: "The registry's number for it." }),
    businessName: t.exposeString('businessName', { description: 'Its name.' }),
    status: t.exposeString('status', { description: "The registry's word on it, such as `active`." }),
  }),
});

builder.queryFields((t) => ({
  taxpayer: t.field({
    type: TaxpayerType,
    description:
      'The taxpayer with a number, at the tax authority. For clerks, supervisors and admins. `not_found`, `adapter_failed`, `adapter_timeout`.',
    ...needs('counter', { outside: true, missing: true }),
    args: { tin: t.arg.id({ required: true, description: 'The taxpayer identification number.', ...taxNumber }) },
    resolve: (_root, args, call) => verifyTin(call, args),
  }),
  businesses: t.field({
    type: [BusinessType],
    description:
      'Businesses by a part of their name, at the business registry. For clerks, supervisors and admins. `adapter_failed`, `adapter_timeout`.',
    ...needs('counter', { outside: true }),
    args: {
      name: t.arg.string({ required: true, description: 'A part of the name, at least 2 characters.', ...someText(LONGEST_NAME, { minLength: 2 }) }),
    },
    resolve: (_root, args, call) => searchBusinesses(call, args),
  }),
  integrations: t.field({
    type: 'JSON',
    description:
      'What is connected: by country code, `identity` and `fiscal` as `{status}`, `payment` as a list of `{status, channels}`. A status is `live`, `sandbox` or `unavailable`. Scope `catalogue.read`.',
    ...needs('catalogue.read'),
    resolve: (_root, _args, call) => integrations(call),
  }),
  agencyEndpoints: t.field({
    type: [AgencyEndpointType],
    description: 'The registry of agency endpoints, by kind and path. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: pageArgs(100, 200),
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listAgencyEndpoints(call, args),
  }),
}));

builder.mutationFields((t) => ({
  registerBusiness: t.field({
    type: BusinessType,
    description:
      'Registers a business at the business registry. For clerks, supervisors and admins. `validation_failed` where the registry refuses; `adapter_failed`, `adapter_timeout`.',
    ...needs('counter', { outside: true }),
    args: {
      name: t.arg.string({ required: true, description: 'The name that it is to have.', ...someText(LONGEST_NAME) }),
      ownerNin: t.arg.id({ required: true, description: 'The NIN of whom it belongs to.', ...nin }),
    },
    resolve: (_root, args, call) => registerBusiness(call, args),
  }),
  probeAgencyEndpoint: t.field({
    type: AgencyEndpointType,
    description:
      "Calls an agency's endpoint, and keeps what came of it. A read asks for what nobody has; a write sends an empty body, which the agency has to refuse. For admins and system managers.",
    ...needs('operations.write', { outside: true }),
    args: { id: t.arg.id({ required: true, description: 'The id of the endpoint.' }) },
    resolve: (_root, { id }, call) => probeAgencyEndpoint(call, id),
    answerAgain: getAgencyEndpoint,
  }),
}));
