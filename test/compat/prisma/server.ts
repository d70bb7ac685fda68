// A server of the same stack as a user would build it: Yoga over `by-client.ts`, for one account; or (AROUND=yes) for callers
// with a key, with limits, audit rows and log lines around each request. Prisma's adapter prepares no statements unless
// it is told how to name them (PREPARED=yes), which its guide does not.
import { PrismaPg } from '@prisma/adapter-pg';
import { type Plugin, createYoga } from 'graphql-yoga';
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { PrismaClient } from '../../../src/generated/prisma/client.ts';
import { Around } from '../peers/audit.ts';
import { type Asker, schemaByClient } from './by-client.ts';

/** Connections stay open, as the rail's do. */
const poolConfig = {
  connectionString: process.env['DATABASE_URL']!,
  max: Number(process.env['DATABASE_POOL']),
  idleTimeoutMillis: 0,
};
const nameOf = ({ sql }: { sql: string }) => createHash('sha1').update(sql).digest('base64url');
const prisma = new PrismaClient({
  adapter: new PrismaPg(poolConfig, process.env['PREPARED'] === 'yes' ? { statementNameGenerator: nameOf } : {}),
});

/** The caller of each request. */
const askers = new WeakMap<Request, Asker>();

function aroundRequests(): Plugin {
  const around = new Around(
    new pg.Pool(poolConfig),
    poolConfig.connectionString,
    Number(process.env['RATE_LIMIT_KEY']),
  );
  const finishes = new WeakMap<Request, (response: Response) => void>();
  return {
    async onRequest({ request, endResponse, fetchAPI }) {
      const startedAt = performance.now();
      const id = request.headers.get('x-request-id') ?? randomUUID();
      const caller = await around.authenticate(request.headers.get('authorization') ?? undefined);
      const quota = caller ? await around.admit(caller) : {};
      finishes.set(request, ({ headers, status }) => {
        const own = { 'X-Request-Id': id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...quota };
        for (const [name, value] of Object.entries(own)) headers.set(name, value);
        around.book({ id, endpoint: 'POST /graphql', status, startedAt }, caller);
      });
      if (caller) askers.set(request, { integrator: caller.integrator, agencies: null });
      else endResponse(new fetchAPI.Response('{"errors":[{"message":"The key does not hold"}]}', { status: 401 }));
    },
    onResponse: ({ request, response }) => finishes.get(request)!(response),
  };
}

const around = process.env['AROUND'] === 'yes';
const account: Asker = { integrator: process.env['INTEGRATOR'] ?? null, agencies: null };
const yoga = createYoga<object, Asker>({
  schema: schemaByClient(prisma),
  context: ({ request }) => (around ? askers.get(request)! : account),
  plugins: around ? [aroundRequests()] : [],
  graphiql: false,
  landingPage: false,
  cors: false,
  logging: false,
});
// oxlint-disable-next-line typescript/no-misused-promises -- Yoga is a request listener.
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit());
