// The rail's schema in plain Yoga, for a caller that is known already: no keys, limits, audit rows or log lines.
import { type Plugin, createYoga } from 'graphql-yoga';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRail } from '../../../src/app/open-rail.ts';
import { schema } from '../../../src/app/schema.ts';
import { executorOf } from '../../../src/graphql/prepared.ts';
import { costs } from '../../../src/graphql/endpoint/cost.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { EVERY_AGENCY } from '../../../src/platform/access/grants.ts';
import { viewKey } from '../../../src/platform/access/viewer.ts';
import { type Call, callOf } from '../../../src/platform/call/call.ts';
import { readConfig } from '../../../src/platform/config/config.ts';

const { rail } = await openRail(readConfig(process.env), createLog('silent'));
const viewer = viewKey({
  name: 'KEY-2026-000001',
  lineage: 'KEY-2026-000001',
  integrator: process.env['INTEGRATOR']!,
  scopes: process.env['SCOPES']!.split(','),
  issuedBy: null,
  supervises: EVERY_AGENCY,
  counters: [],
  managesAccount: false,
});
const execute = executorOf(rail.config);
/** The executor that the rail uses. */
const executing: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };
const yoga = createYoga<object, Call>({
  schema,
  context: () => callOf(rail, viewer, 'bench'),
  plugins: [executing, costs(() => {})],
  graphiql: false,
  landingPage: false,
  cors: false,
  maxRequestBodySize: false,
  logging: false,
});
// oxlint-disable-next-line typescript/no-misused-promises -- Yoga is a request listener.
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit());
