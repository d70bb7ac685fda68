import { builder, needs } from '../graphql/builder.ts';
import { pageArgs } from '../graphql/paging.ts';
import { type AgencyEndpoint, listAgencyEndpoints } from './find.ts';
import { integrations } from './integrations.ts';

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
    lastProbeStatus: t.exposeString('probeStatus', { nullable: true, description: 'What came of it.' }),
    lastProbeMs: t.exposeInt('probeMs', { nullable: true, description: 'How long the answer took, in milliseconds.' }),
  }),
});

builder.queryFields((t) => ({
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
