// Three endpoints as a good engineer would write them by hand: Fastify and prepared statements through `pg`.
import etag from 'etag';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Around, type Caller } from './audit.ts';

pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    startedAt: number;
  }
}

const HEAD = `name, citizen, status, currency, total_amount, shift, cancel_reason, assessed_at, paid_at, cancelled_at,
  created_at, updated_at, reference, metadata`;
const READ = {
  one: `select ${HEAD}, (
      select json_agg(json_build_object('idx', l.idx, 'service', l.service, 'service_name', l.service_name, 'mda', l.mda,
        'quantity', l.quantity, 'rate', l.rate::float8, 'amount', l.amount::float8) order by l.idx)
      from assessment_line l where l.assessment = r.name) as lines, null as pending_approval
    from assessment r where r.name = $1 and r.integrator = $2`,
  assessments: `select ${HEAD}, line_count from assessment
    where integrator = $1 order by created_at desc, name desc limit $2`,
  version: `select concat(version, (select max(next_fee_from) from service where next_fee_from <= now())) as name
    from catalogue_version`,
  services: `select name, service_name, code, mda, sector, family, status, fee_amount, currency, created_at, updated_at
    from service where status = 'Active' order by name limit $1`,
} as const;

/** True if answers about the catalogue are cached, as the rail does. */
const REMEMBERS = process.env['REMEMBER'] === 'yes';

const url = process.env['DATABASE_URL']!;
const pool = new pg.Pool({ connectionString: url, max: Number(process.env['DATABASE_POOL']), idleTimeoutMillis: 0 });
const around = new Around(pool, url, Number(process.env['RATE_LIMIT_KEY']));

async function read<Row extends { readonly name: string }>(name: keyof typeof READ, values: unknown[]): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name, text: READ[name], values });
  return rows;
}

const app = Fastify({ genReqId: ({ headers }) => sane(headers['x-request-id']) ?? randomUUID() });
app.decorateRequest('caller', null);
app.decorateRequest('startedAt', 0);

function sane(sent: string | string[] | undefined): string | null {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : null;
}

function refuse(reply: FastifyReply, status: number, code: string, message: string) {
  return reply.code(status).send({ error: { code, message } });
}

app.addHook('onRequest', async (req, reply) => {
  req.startedAt = performance.now();
  reply.headers({ 'X-Request-Id': req.id, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  req.caller = await around.authenticate(req.headers.authorization);
  if (!req.caller) return refuse(reply, 401, 'unauthenticated', 'The key is unknown, revoked or expired');
  reply.headers(await around.admit(req.caller));
});

app.addHook('onResponse', async (req, reply) => {
  const endpoint = `${req.method} ${req.routeOptions.url ?? '(none)'}`;
  around.book({ id: req.id, endpoint, status: reply.statusCode, startedAt: req.startedAt }, req.caller);
});

function mayRead(req: FastifyRequest): boolean {
  return req.caller!.scopes.some((scope) => scope === 'assessments.read' || scope === 'assessments.write');
}

/** The size of the page that a request asks for; null where it is out of bounds. */
function pageSize({ query }: FastifyRequest, usual: number, most: number): number | null {
  const limit = Number((query as { limit?: string }).limit ?? usual);
  return Number.isInteger(limit) && limit >= 1 && limit <= most ? limit : null;
}

function page<Row extends { readonly name: string }>(
  req: FastifyRequest,
  reply: FastifyReply,
  rows: Row[],
  limit: number,
) {
  if (rows.length <= limit) return { data: rows };
  rows.pop();
  const path = req.routeOptions.url;
  reply.header('Link', `<http://${req.host}${path}?limit=${limit}&after=${rows.at(-1)!.name}>; rel="next"`);
  return { data: rows };
}

app.get<{ Params: { name: string } }>('/v1/assessments/:name', async (req, reply) => {
  if (!mayRead(req)) return refuse(reply, 403, 'forbidden', 'This key lacks the scope assessments.read');
  const [row] = await read('one', [req.params.name, req.caller!.integrator]);
  return row ? { data: row } : refuse(reply, 404, 'not_found', 'The assessment does not exist');
});

app.get('/v1/assessments', async (req, reply) => {
  if (!mayRead(req)) return refuse(reply, 403, 'forbidden', 'This key lacks the scope assessments.read');
  const limit = pageSize(req, 50, 200);
  if (!limit) return refuse(reply, 422, 'validation_failed', 'limit: must be between 1 and 200');
  return page(req, reply, await read('assessments', [req.caller!.integrator, limit + 1]), limit);
});

interface Tagged {
  readonly body: string;
  readonly tag: string;
  readonly link: string | undefined;
}

function tagged(answer: object, link: string | undefined): Tagged {
  const body = JSON.stringify(answer);
  return { body, tag: etag(body), link };
}

/** Sends a public answer with its `ETag`: a client that already has it gets a 304. */
function sendTagged(req: FastifyRequest, reply: FastifyReply, { body, tag, link }: Tagged) {
  if (link !== undefined) reply.header('Link', link);
  reply.headers({
    ETag: tag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-Service-Authorization, Cookie, Accept, Accept-Encoding',
  });
  if (req.headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

/** Answers of a version of the catalogue, by what was asked. */
const answers = new Map<string, Tagged>();
let version = '';

/** The cached answer, unless the catalogue has changed since. */
async function remembered(asked: string, answerAnew: () => Promise<Tagged>): Promise<Tagged> {
  const [row] = await read('version', []);
  if (row!.name !== version) {
    answers.clear();
    version = row!.name;
  }
  const before = answers.get(asked);
  if (before) return before;
  const answer = await answerAnew();
  answers.set(asked, answer);
  return answer;
}

app.get('/v1/services', async (req, reply) => {
  const limit = pageSize(req, 100, 500);
  if (!limit) return refuse(reply, 422, 'validation_failed', 'limit: must be between 1 and 500');
  const readAnew = async () => {
    const answer = page(req, reply, await read('services', [limit + 1]), limit);
    return tagged(answer, reply.getHeader('Link')?.toString());
  };
  return sendTagged(req, reply, REMEMBERS ? await remembered(req.url, readAnew) : await readAnew());
});

const origin = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening on ${origin}\n`);
process.on('SIGTERM', () => process.exit());
