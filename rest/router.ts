import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { COOKIES, type CookieName, clearingCookie } from '../src/platform/access/cookies.ts';
import {
  type StoredAnswer,
  answeredMeanwhile,
  beginOnce,
  fingerprintOf,
  isOutcome,
  keepAnswer,
  lostKey,
  principalNamed,
  requireKey,
  storedMeanwhile,
} from '../src/platform/call/idempotency.ts';
import { quotaHeaders } from '../src/platform/call/limits.ts';
import { type Answer, type Requests, handler, inboundOf } from '../src/platform/call/requests.ts';
import { isAccountNeed, refusalFor, staffAlone } from '../src/platform/access/viewer.ts';
import type { Call } from '../src/platform/call/call.ts';
import { accessOf } from '../src/graphql/builder.ts';
import { explain } from '../src/graphql/errors.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import { jsonMembers, rawBody } from './body.ts';
import { BOM, CSV, type ExportFormat, PARQUET, exportFormat, exported, pagesOf } from './exports.ts';
import { type Outcome, refused, represent } from './errors.ts';
import type { Endpoint } from './load.ts';
import { type Variables, answerOf, resultOf } from './run.ts';
import { collectVariables, isUnfit } from './variables.ts';

/** Publishes the operation documents under their paths. It adds no behaviour: an endpoint is its document. */
export function restRouter(schema: GraphQLSchema, endpoints: readonly Endpoint[], requests: Requests): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const serve = (endpoint: Endpoint) =>
    handler((req, res) => answering(requests, req, res, endpoint, (call) => perform(schema, endpoint, requests, call, req, res)));

  for (const [path, methods] of byPath(endpoints)) {
    const route = router.route(expressPath(path));
    const allow = methods.flatMap(({ method, changes }) => (method === 'GET' && !changes ? ['GET', 'HEAD'] : [method])).join(', ');
    // What changes something under GET is not to be changed by looking at its headers; Express would take HEAD for GET.
    if (!allow.includes('HEAD')) route.head(refuseMethod(requests, path, allow));
    for (const endpoint of methods) route[endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch'](serve(endpoint));
    route.options((_req, res) => void res.status(204).setHeader('Allow', allow).end());
    route.all(refuseMethod(requests, path, allow));
  }
  router.use(handler((req, res) => answering(requests, req, res, null, () => Promise.reject(new Refusal('not_found', 'There is no such path')))));
  return router;
}

/** The colon of an action may arrive encoded, which Express would take for a part of the name. */
export const decodeColons: RequestHandler = (req, _res, next) => {
  const [path, ...query] = req.url.split('?');
  if (/%3a/i.test(path!)) req.url = [path!.replace(/%3a/gi, ':'), ...query].join('?');
  next();
};

/** Answers what Express itself throws: a path that cannot be decoded, or a fault after all else. */
export function lastResort(requests: Requests): ErrorRequestHandler {
  return async (error: unknown, req: Request, res: Response, next) => {
    if (res.headersSent) return next(error);
    const call = requests.callOf(req);
    const undecodable = error instanceof URIError && new Refusal('malformed_request', 'The path is not properly percent-encoded');
    // Its row need not be durable first: what changed nothing, or is answered as a failure, may be sent again.
    inboundOf(req).changes = false;
    await finish(requests, req, res, call, refused(undecodable || explain(error, call)));
  };
}

/** Answers with an outcome. */
function finish(requests: Requests, req: Request, res: Response, call: Call, outcome: Outcome): Promise<void> {
  if (outcome.stream) return requests.stream(req, res, call, { status: outcome.status, headers: { ...outcome.headers }, body: outcome.stream });
  return requests.close(req, res, call, written(outcome, req, call), (error) => written(refused(explain(error, call)), req, call));
}

/** Whether a client would rather have problem details (RFC 9457) than the error envelope, by the weights of its `Accept`. */
function prefersProblem(req: Request): boolean {
  return req.accepts(['application/json', 'application/problem+json']) === 'application/problem+json';
}

/** An outcome in the form that the client asked for. */
function written(outcome: Outcome, req: Request, call: Call): Answer {
  const { type, body } = represent(outcome, prefersProblem(req), call.requestId);
  return { status: outcome.status, headers: { ...outcome.headers, 'Content-Type': type, 'Cache-Control': 'no-store' }, body };
}

/** Finds out who calls, runs what the endpoint does, and answers whatever comes of it. */
async function answering(
  requests: Requests,
  req: Request,
  res: Response,
  endpoint: Endpoint | null,
  run: (call: Call) => Promise<Outcome>,
): Promise<void> {
  const inbound = inboundOf(req);
  if (endpoint) inbound.endpoint = `${endpoint.method} ${endpoint.path}`;
  inbound.changes = endpoint?.changes ?? false;
  let call = requests.anonymously(req);
  let outcome: Outcome;
  try {
    // Whatever else comes of it; but a page of another origin cannot sign anybody out.
    if (endpoint?.clears && !call.source.foreign) res.setHeader('Set-Cookie', clearingCookie(endpoint.clears));
    call = await requests.open(req, endpoint ? cookiesFor(endpoint) : undefined);
    const { addressLimit, provenByItself } = accessOf(endpoint?.field);
    await requests.admit(call, res, { countsItself: addressLimit || provenByItself });
    outcome = await run(call);
  } catch (error) {
    outcome = refused(explain(error, call));
  }
  await finish(requests, req, res, call, outcome);
}

/** The cookies that count at an endpoint: an account has its own, staff have theirs. */
function cookiesFor({ field }: Endpoint): readonly CookieName[] | undefined {
  const { need, welcomes } = accessOf(field);
  if ((need && isAccountNeed(need)) || welcomes === 'integrators') return [COOKIES.integrator];
  return welcomes === 'staff' ? [COOKIES.staff] : undefined;
}

function refuseMethod(requests: Requests, path: string, allow: string): RequestHandler {
  return handler((req, res) => {
    inboundOf(req).endpoint = `${req.method} ${path}`;
    return answering(requests, req, res, null, async () => {
      // An unknown action looks like a name with a colon in it.
      if (Object.values(req.params).some((value) => value?.includes(':'))) throw new Refusal('not_found', 'There is no such path');
      return { ...refused(new Refusal('method_not_allowed', `Use ${allow}`)), headers: { Allow: allow } };
    });
  });
}

async function perform(schema: GraphQLSchema, endpoint: Endpoint, requests: Requests, call: Call, req: Request, res: Response): Promise<Outcome> {
  // Before the input is looked at: who may not do this at all learns nothing of how it is done.
  const { need, addressLimit } = accessOf(endpoint.field);
  if (endpoint.staffOnly && call.viewer.kind === 'key') throw staffAlone();
  const refusal = need && refusalFor(call.viewer, need);
  if (refusal) throw refusal;
  if (addressLimit) {
    res.set(quotaHeaders(await call.limits.countAddress(call.source.address)));
    call.admitted = true;
  }
  const raw = endpoint.method === 'GET' ? Buffer.alloc(0) : await requests.reading(req, () => rawBody(req, res, endpoint));
  const key = req.headers['idempotency-key'];
  const operate = () => runOperation(schema, endpoint, call, req, raw);
  if (!endpoint.changes || typeof key !== 'string') return operate();
  const principal = principalOf(call, endpoint, req, raw);
  if (principal !== null) return runOnce(call, { principal, key, fingerprint: fingerprintOf(req.method, req.originalUrl, raw) }, operate);
  // What a provider sends is known by its own id.
  if (endpoint.raw === null) requireKey(key);
  return operate();
}

/** Whose the stored answer of a request is; null where neither a credential nor the body says. */
function principalOf({ viewer, vault }: Call, { namedBy }: Endpoint, req: Request, raw: Buffer): string | null {
  if (viewer.credential !== null || namedBy === null) return viewer.credential;
  const named = jsonMembers(req, raw)[namedBy];
  return typeof named === 'string' ? principalNamed(vault, named) : null;
}

async function runOperation(schema: GraphQLSchema, endpoint: Endpoint, call: Call, req: Request, raw: Buffer): Promise<Outcome> {
  const query = endpoint.redirects ? lenientQueryOf(req, endpoint) : queryOf(req);
  const body = endpoint.raw || endpoint.method === 'GET' ? {} : jsonMembers(req, raw);
  const { callbackHeaders } = call.config;
  const input = { path: req.params, query, headers: req.headers, callbackHeaders, body, raw };
  const variables = collectVariables(endpoint.parameters, input, endpoint.strict);
  const format = endpoint.method === 'GET' && !endpoint.redirects ? exportFormat(req, endpoint) : null;
  if (format) {
    const file = await exporting(schema, endpoint, call, variables, format);
    return { ...file, headers: { ...file.headers, ...('limit' in variables && linkTo(call, req, query)) } };
  }
  const data = await resultOf(schema, endpoint, call, variables);
  if (endpoint.redirects) return redirected(data);
  return { status: 200, body: JSON.stringify(envelopeOf(data, endpoint)), headers: linkTo(call, req, query) };
}

/** A whole list as a file: its pages one after another, the first of them before anything is answered. */
async function exporting(schema: GraphQLSchema, endpoint: Endpoint, call: Call, variables: Variables, format: ExportFormat): Promise<Outcome> {
  call.places.exports.take(call);
  const name = endpoint.path.split('/').at(-1)!;
  const headers = {
    'Content-Type': format === CSV ? 'text/csv; charset=utf-8; header=present' : PARQUET,
    'Content-Disposition': `attachment; filename="${name}.${format === CSV ? 'csv' : 'parquet'}"`,
  };
  return {
    status: 200,
    body: '',
    headers,
    stream: exported(endpoint, format, await pagesOf(schema, endpoint, call, variables), { bom: variables[BOM.name] === true }),
  };
}

function redirected(result: unknown): Outcome {
  return { status: 302, body: '', headers: { Location: (result as { location: string }).location } };
}

/** The envelope of what is answered, without those members of it that are left out where they are null. */
function envelopeOf(result: unknown, { answers, optional }: Endpoint): object {
  const data = answerOf(result, { answers });
  return { data: optional.size === 0 ? data : Array.isArray(data) ? data.map((row) => withoutNulls(row, optional)) : withoutNulls(data, optional) };
}

function withoutNulls(object: unknown, optional: ReadonlySet<string>): unknown {
  if (typeof object !== 'object' || object === null) return object;
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || !optional.has(name)));
}

/** Runs what carries an `Idempotency-Key`, and keeps its outcome for repetitions. */
async function runOnce(call: Call, request: { principal: string; key: string; fingerprint: string }, run: () => Promise<Outcome>): Promise<Outcome> {
  const opened = await beginOnce(call, request);
  if ('stored' in opened) return replayed(opened.stored);
  call.once = opened.once;
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    if (lostKey(error)) return replayed(await storedMeanwhile(call, opened.once));
    outcome = refused(explain(error, call));
  }
  const faster = outcome.status === 409 ? await answeredMeanwhile(call, opened.once) : null;
  if (faster) return replayed(faster);
  if (!isOutcome(outcome.status)) return outcome;
  const answer: StoredAnswer = { httpStatus: outcome.status, body: outcome.body };
  const kept = await keepAnswer(call, opened.once, answer);
  return kept === answer ? outcome : replayed(kept);
}

function replayed({ httpStatus, body }: StoredAnswer): Outcome {
  return { status: httpStatus, body, headers: { 'Idempotent-Replayed': 'true' } };
}

function queryOf(req: Request): URLSearchParams {
  const text = queryText(req);
  try {
    if (text.includes('%')) decodeURIComponent(text);
  } catch {
    throw new Refusal('malformed_request', 'The query is not properly percent-encoded');
  }
  return new URLSearchParams(text);
}

/** A query without what is wrong with it: for those whose answer is a redirect whatever they ask. */
function lenientQueryOf(req: Request, { parameters }: Endpoint): URLSearchParams {
  const query = new URLSearchParams(queryText(req));
  const given = parameters.filter(({ name }) => query.getAll(name).length === 1);
  const fitting = given.filter((parameter) => !isUnfit(query.get(parameter.name)!, parameter));
  return new URLSearchParams(fitting.map(({ name }) => [name, query.get(name)!]));
}

function queryText({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

function linkTo(call: Call, req: Request, query: URLSearchParams): Record<string, string> {
  if (!call.nextAfter) return {};
  const next = new URLSearchParams(query);
  next.delete('start');
  next.set('after', call.nextAfter);
  return { Link: `<${call.origin}${req.path}?${next}>; rel="next"` };
}

/** Endpoints by path, those with more fixed words first: `/citizens/search` before `/citizens/{name}`, `{name}:assess` before `{name}`. */
function byPath(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const sorted = endpoints.toSorted((a, b) => (shape(a.path) < shape(b.path) ? -1 : 1));
  return Map.groupBy(sorted, ({ path }) => path);
}

/** A path with its parameters as characters that sort after all others, bare ones last. */
function shape(path: string): string {
  return path.replace(/\{\w+\}(?=:)/g, '~').replace(/\{\w+\}/g, '~~');
}

function expressPath(path: string): string {
  return path.replace(/:/g, String.raw`\:`).replace(/\{(\w+)\}/g, ':$1');
}
