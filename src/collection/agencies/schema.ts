import type { AuthMode, RegisteredEndpoint } from '../../adapters/agencies/port.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { nin, requiredText, taxNumber } from '../../graphql/input/forms.ts';
import { type AgencyEndpoint, endpointLoader, getAgencyEndpoint, listAgencyEndpoints } from './find.ts';
import { listIntegrations } from './integrations.ts';
import { probeAgencyEndpoint } from './probes/probe.ts';
import { type Business, type Taxpayer, registerBusiness, searchBusinesses, verifyTin } from './registries.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';

/** An endpoint's ID: words in lower case. */
const ENDPOINT_ID = /^[a-z]+(-[a-z]+)*$/;

const AuthModeEnum = defineEnum<AuthMode>('AgencyAuthMode', 'Authentication of the rail towards an agency.', {
  OAuth2: 'By an access token that the agency issues for client credentials.',
  mTLS: 'By a client certificate.',
  'API Key': 'By a key in the header `X-API-Key`.',
});

const EndpointMethodEnum = defineEnum<RegisteredEndpoint['method']>(
  'AgencyEndpointMethod',
  "The HTTP method of an agency's endpoint.",
  { GET: 'The endpoint reads, and changes nothing.', POST: 'The endpoint writes: it registers or is told something.' },
);

export const AgencyEndpointType = builder.objectRef<AgencyEndpoint>('AgencyEndpoint').implement({
  description: 'An endpoint of a connected agency.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', { description: "The endpoint's ID in the registry, such as `tin-verify`." }),
    method: t.field({
      type: EndpointMethodEnum,
      description: 'The HTTP method: reads are `GET`, writes `POST`.',
      resolve: ({ method }) => method as RegisteredEndpoint['method'],
    }),
    path: t.exposeString('path', { description: 'The path, relative to the base address.' }),
    agencyKind: t.exposeString('agencyKind', { description: 'The kind of agency that offers the endpoint.' }),
    version: t.exposeString('version', { description: "The version of the agency's interface." }),
    authMode: t.field({
      type: AuthModeEnum,
      description: 'Authentication of the rail: `OAuth2`, `mTLS` or `API Key`.',
      resolve: ({ authMode }) => authMode as AuthMode,
    }),
    baseUrl: t.exposeString('baseUrl', {
      nullable: true,
      description: 'The base address of the connected agency; null if none is connected.',
    }),
    lastProbeAt: t.expose('probedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the endpoint was last probed; null if never.',
    }),
    lastProbeStatus: t.exposeString('probeStatus', {
      nullable: true,
      description:
        'The result of the last probe: `ok`, `refused (401)`, `failed (503)`, `timeout`, `failed` if the agency cannot be reached, or `unavailable` while calls are suspended after repeated failures.',
    }),
    lastProbeMs: t.exposeInt('probeMs', { nullable: true, description: 'Duration of the answer, in milliseconds.' }),
  }),
});

defineNode({
  typename: 'AgencyEndpoint',
  needs: ['operations.read'],
  matches: (id) => ENDPOINT_ID.test(id),
  loader: endpointLoader,
});

const EndpointConnection = defineConnection('AgencyEndpoint', AgencyEndpointType, 'agency endpoints');

export const TaxpayerType = builder.objectRef<Taxpayer>('Taxpayer').implement({
  description: 'A taxpayer, as recorded by the tax authority.',
  fields: (t) => ({
    tin: t.exposeID('tin', { description: 'The taxpayer identification number.' }),
    fullName: t.exposeString('fullName', { description: 'The name of the person or business.' }),
    status: t.exposeString('status', { description: 'The status at the authority, such as `active`.' }),
  }),
});

const BusinessType = builder.objectRef<Business>('Business').implement({
  description: 'A business, as recorded by the business registry.',
  fields: (t) => ({
    registrationNumber: t.exposeID('registrationNumber', {
      description: 'The number under which the registry keeps it.',
    }),
    businessName: t.exposeString('businessName', { description: 'The name, as it is registered.' }),
    status: t.exposeString('status', { description: 'The status in the registry, such as `active`.' }),
  }),
});

builder.queryFields((t) => ({
  taxpayer: t.field({
    type: TaxpayerType,
    description:
      'Looks up a taxpayer at the tax authority. For clerks, supervisors and admins. `not_found`, `adapter_failed`, `adapter_timeout`.',
    ...needs('counter', { outside: true, missing: true }),
    args: { tin: t.arg.id({ required: true, description: 'The taxpayer identification number.', ...taxNumber }) },
    resolve: (_root, args, call) => verifyTin(call, args),
  }),
  businesses: t.field({
    type: [BusinessType],
    description:
      'Searches the business registry by part of the name, in the order in which the registry answers. For clerks, supervisors and admins. `adapter_failed`, `adapter_timeout`.',
    ...needs('counter', { outside: true }),
    args: {
      name: t.arg.string({
        required: true,
        description: 'Part of the name, at least 2 characters.',
        ...requiredText(LONGEST_NAME, { minLength: 2 }),
      }),
    },
    resolve: (_root, args, call) => searchBusinesses(call, args),
  }),
  integrations: t.field({
    type: 'JSON',
    description:
      'The status of integrations: by country code, `identity` and `fiscal` as `{status}` and `payment` as a list of `{status, channels}`. A status is `live`, `sandbox` or `unavailable`. Scope `catalogue.read`.',
    ...needs('catalogue.read'),
    resolve: (_root, _args, call) => listIntegrations(call),
  }),
  agencyEndpoints: t.field({
    description:
      'The registry of agency endpoints, by kind and path. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    ...connection(EndpointConnection, { most: 200, args: {} }),
    resolve: (_root, args, call) => listAgencyEndpoints(call, args),
  }),
}));

builder.mutationFields((t) => ({
  registerBusiness: t.field({
    type: BusinessType,
    description:
      'Registers a business with the business registry. For clerks, supervisors and admins. `validation_failed` if the registry rejects it; `adapter_failed`, `adapter_timeout`.',
    ...needs('counter', { people: 'alone', outside: true }),
    args: {
      name: t.arg.string({ required: true, description: 'The name of the business.', ...requiredText(LONGEST_NAME) }),
      ownerNin: t.arg.id({ required: true, description: 'The NIN of the owner.', ...nin }),
    },
    resolve: (_root, args, call) => registerBusiness(call, args),
  }),
  probeAgencyEndpoint: t.field({
    type: AgencyEndpointType,
    description:
      "Calls an agency's endpoint and records the result. Reads ask for a record that does not exist; writes send an empty body, which the agency has to reject. For admins and system managers.",
    ...needs('operations.write', { people: 'alone', outside: true }),
    args: { id: t.arg.id({ required: true, description: "The endpoint's ID in the registry, such as `tin-verify`." }) },
    resolve: (_root, { id }, call) => probeAgencyEndpoint(call, id),
    answerAgain: getAgencyEndpoint,
  }),
}));
