// PostGraphile over the rail's tables: bare, or (AROUND=yes) with what the rail does around every
// request added by its own hooks. It does not look whose a row is, which favours it.
import './one-graphql.ts';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Around } from './audit.ts';

const { postgraphile } = await import('postgraphile');
const { PostGraphileAmberPreset } = await import('postgraphile/presets/amber');
const { makePgService } = await import('postgraphile/adaptors/pg');
const { grafserv } = await import('postgraphile/grafserv/node');

const connectionString = process.env['DATABASE_URL']!;
/** Connections stay open, as the rail's do. */
const poolConfig = { max: Number(process.env['DATABASE_POOL']), idleTimeoutMillis: 0 };

/** Keys, limits, audit rows and log lines around each request. */
function aroundRequests(): GraphileConfig.Plugin {
  const around = new Around(
    new pg.Pool({ connectionString, ...poolConfig }),
    connectionString,
    Number(process.env['RATE_LIMIT_KEY']),
  );
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return {
    name: 'AroundRequestsPlugin',
    version: '1.0.0',
    grafserv: {
      middleware: {
        async processRequest(next, { requestDigest: { method, path, headers } }) {
          const startedAt = performance.now();
          const id = headers['x-request-id'] ?? randomUUID();
          const own = { 'X-Request-Id': id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };
          const caller = await around.authenticate(headers['authorization']);
          const request = { id, endpoint: `${method} ${path}`, startedAt };
          if (!caller) {
            around.book({ ...request, status: 401 }, null);
            const buffer = Buffer.from('{"errors":[{"message":"The key is unknown, revoked or expired"}]}');
            return { type: 'buffer', statusCode: 401, headers: { ...own, ...type }, buffer };
          }
          const quota = await around.admit(caller);
          const result = await next();
          if (!result) return result;
          Object.assign(result.headers, own, quota);
          around.book({ ...request, status: result.statusCode }, caller);
          return result;
        },
      },
    },
  };
}

const server = createServer();
await postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: process.env['AROUND'] === 'yes' ? [aroundRequests()] : [],
  pgServices: [makePgService({ connectionString, schemas: ['public'], poolConfig })],
  grafserv: { graphiql: false, watch: false, outputDataAsString: true },
  grafast: { explain: false },
})
  .createServ(grafserv)
  .addTo(server);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit());
