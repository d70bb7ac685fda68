/** Programs as an integrator would write them against a generated client; each prints what it got. */

/** With the types of openapi-typescript. */
export const BY_OPENAPI_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const rail = createClient<paths, 'application/json'>({ baseUrl: process.env.RAIL!, headers: { Authorization: \`Bearer \${process.env.KEY}\` } });
const must = <T>({ data, error }: { data?: { data: T }; error?: components['schemas']['Error'] | components['schemas']['Problem'] }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.data;
};

const [citizen] = must(await rail.GET('/v1/citizens', { params: { query: { limit: 1 } } }));
const [service] = must(await rail.GET('/v1/services', { params: { query: { code: 'URA-PAYE' } } }));
const draft = must(await rail.POST('/v1/assessments', { body: { citizen: citizen!.name, lines: [{ service: service!.name, quantity: 2 }] } }));
const assessed = must(await rail.POST('/v1/assessments/{name}:assess', { params: { path: { name: draft.name } } }));
const refused = await rail.GET('/v1/citizens', { params: { query: { limit: 0 } } });
if (!refused.error || !('error' in refused.error)) throw new Error('not refused');
console.log(JSON.stringify({ status: assessed.status, total: assessed.total_amount, code: refused.error.error.code, path: refused.error.error.details?.[0]?.path }));
`;

/** With the client of hey-api. */
export const BY_HEY_API = `
import { client } from './client/client.gen.js';
import { assessAssessment, createAssessment, listCitizens, listServices, type Error as RailError } from './client/index.js';

const asked: string[] = [];
client.setConfig({ baseUrl: process.env.RAIL!, auth: ({ scheme }) => (scheme === 'bearer' ? process.env.KEY : undefined) });
client.interceptors.request.use((request) => {
  asked.push([...request.headers.keys()].filter((name) => /authorization|cookie/.test(name)).join());
  return request;
});

const citizens = await listCitizens({ query: { limit: 1 }, throwOnError: true });
const services = await listServices({ query: { code: 'URA-PAYE' }, throwOnError: true });
const lines = [{ service: services.data.data[0]!.name, quantity: 2 }];
const draft = await createAssessment({ body: { citizen: citizens.data.data[0]!.name, lines }, throwOnError: true });
const assessed = await assessAssessment({ path: { name: draft.data.data.name }, throwOnError: true });
const { error } = await listCitizens({ query: { limit: 0 } });
const refused = error as RailError;
console.log(JSON.stringify({ status: assessed.data.data.status, total: assessed.data.data.total_amount, code: refused.error.code, path: refused.error.details?.[0]?.path, credentials: [...new Set(asked)] }));
`;

/** With the client of hey-api: endpoints of webhooks with a key, and a field that is cleared by null. */
export const WEBHOOKS_BY_HEY_API = `
import { client } from './client/client.gen.js';
import { createMyWebhookEndpoint, listMyWebhookEndpoints, removeMyWebhookEndpoint, updateMe } from './client/index.js';

client.setConfig({ baseUrl: process.env.RAIL!, auth: ({ scheme }) => (scheme === 'bearer' ? process.env.KEY : undefined) });
const throwOnError = true;
const url = 'https://hooks.example.org/rail';

const created = await createMyWebhookEndpoint({ body: { url, types: ['payment_event.*'], label: 'Reports' }, throwOnError });
const { name, secret } = created.data.data;
const listed = await listMyWebhookEndpoints({ throwOnError });
await removeMyWebhookEndpoint({ path: { name }, throwOnError });
const left = await listMyWebhookEndpoints({ throwOnError });
const set = await updateMe({ body: { webhook_endpoint: url }, throwOnError });
const cleared = await updateMe({ body: { webhook_endpoint: null }, throwOnError });
console.log(JSON.stringify({
  secret: secret.slice(0, 6),
  listed: listed.data.data.map(({ label }) => label),
  left: left.data.data.length,
  set: set.data.data.webhook_endpoint,
  cleared: cleared.data.data.webhook_endpoint,
}));
`;
