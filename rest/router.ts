import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { type Requests, toHandler, inboundOf } from '../src/platform/call/requests.ts';
import { explain } from '../src/graphql/errors.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import { answerRefusal } from './outcomes.ts';
import type { Endpoint } from './load.ts';
import { perform } from './perform.ts';
import { OVERLOADED } from '../src/platform/call/concurrency/limiter.ts';
import { RememberedAnswers } from './repeated/remembered.ts';
import { finish, respond } from './respond.ts';
import { wordingOf } from './wording.ts';

/**
 * Publishes the operation documents under their paths. It adds no behaviour: an endpoint is its document. `direct`
 * answers what asks for one, and comes first; `router` has the last word on everything.
 */
export function publishEndpoints(
  endpoints: readonly Endpoint[],
  requests: Requests,
): { direct: RequestHandler; router: Router } {
  const router = Router(AS_WRITTEN);
  /** One router for each collection, so that a request is matched against a few paths instead of all. */
  const collections = new Map<string, Router>();
  const direct: RequestHandler = (req, res, next) => {
    const collection = collections.get(collectionOf(req.path));
    return collection ? collection(req, res, next) : next();
  };
  const wording = wordingOf(endpoints);
  const remembered = new RememberedAnswers();
  const serve = (endpoint: Endpoint): RequestHandler => {
    const answer = toHandler((req, res) =>
      respond(requests, req, res, endpoint, (call) =>
        perform({ endpoint, wording, requests, remembered, call, req, res }),
      ),
    );
    return (req, res, next) =>
      !asksForProblem(req) && requests.isOverloaded(req, endpoint.begins) ? turnAway(req, res) : answer(req, res, next);
  };

  for (const [path, methods] of sortByPath(endpoints)) {
    const allow = methods
      .flatMap(({ method, changes }) => (method === 'GET' && !changes ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    const name = collectionOf(path);
    const collection = collections.get(name) ?? Router(AS_WRITTEN);
    collections.set(name, collection);
    const route = collection.route(toExpressPath(path));
    // A HEAD request must not run a GET endpoint that changes something; Express would take HEAD for GET.
    if (!allow.includes('HEAD')) route.head(leaveRouter);
    for (const endpoint of methods)
      route[endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](serve(endpoint));
    route.all(leaveRouter);
    router
      .route(toExpressPath(path))
      .options((_req, res) => void res.status(204).setHeader('Allow', allow).end())
      .all(refuseMethod(requests, path, allow));
  }
  router.use(
    toHandler((req, res) =>
      respond(requests, req, res, null, () => Promise.reject(new Refusal('not_found', 'The path does not exist'))),
    ),
  );
  return { direct, router };
}

/** `/v1/assessments` of each path below it. */
function collectionOf(path: string): string {
  return path.split(/[/:]/, 3).join('/');
}

const AS_WRITTEN = { caseSensitive: true, strict: true };

/** A path with a method that it does not have is no other path. */
const leaveRouter: RequestHandler = (_req, _res, next) => next('router');

function asksForProblem({ headers }: Request): boolean {
  return headers.accept?.includes('problem') ?? false;
}

const OVERLOADED_ANSWER = answerRefusal(OVERLOADED);
const OVERLOADED_HEADERS = {
  ...OVERLOADED_ANSWER.headers,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Length': Buffer.byteLength(OVERLOADED_ANSWER.body),
};

/** Answers what is turned away at once, with as little as that can be done: of these there are many. */
function turnAway(req: Request, res: Response): void {
  res.writeHead(OVERLOADED_ANSWER.status, OVERLOADED_HEADERS);
  res.end(req.method === 'HEAD' ? undefined : OVERLOADED_ANSWER.body);
}

/** The colon of an action may arrive encoded, which Express would take for a part of the name. */
export const decodeColons: RequestHandler = (req, _res, next) => {
  const [path, ...query] = req.url.split('?');
  if (/%3a/i.test(path!)) req.url = [path!.replace(/%3a/gi, ':'), ...query].join('?');
  next();
};

/** Answers what Express itself throws: a path that cannot be decoded, or a fault after all else. */
export function answerLastResort(requests: Requests): ErrorRequestHandler {
  return async (error: unknown, req: Request, res: Response, next) => {
    if (res.headersSent) return next(error);
    const call = requests.callOf(req);
    const undecodable =
      error instanceof URIError && new Refusal('malformed_request', 'The path is not properly percent-encoded');
    await finish(requests, req, res, call, answerRefusal(undecodable || explain(error, call)));
  };
}

/**
 * Methods under which a path is logged that does not have them; the dozens of others that Node.js knows count as one.
 */
const PLAIN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function refuseMethod(requests: Requests, path: string, allow: string): RequestHandler {
  return toHandler((req, res) => {
    if (PLAIN_METHODS.has(req.method)) inboundOf(req).endpoint = `${req.method} ${path}`;
    return respond(requests, req, res, null, async () => {
      // An unknown action looks like a name with a colon in it.
      if (Object.values(req.params).some((value) => value?.includes(':')))
        throw new Refusal('not_found', 'The path does not exist');
      return { ...answerRefusal(new Refusal('method_not_allowed', `Use ${allow}`)), headers: { Allow: allow } };
    });
  });
}

/**
 * Endpoints by path, those with more fixed words first: `/citizens/search` before `/citizens/{name}`, `{name}:assess`
 * before `{name}`.
 */
function sortByPath(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const sorted = endpoints.toSorted(
    (a, b) => Number(shapeOf(a.path) > shapeOf(b.path)) - Number(shapeOf(a.path) < shapeOf(b.path)),
  );
  return Map.groupBy(sorted, ({ path }) => path);
}

/** A path with its parameters as characters that sort after all others, bare ones last. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}(?=:)/g, '~').replace(/\{\w+\}/g, '~~');
}

function toExpressPath(path: string): string {
  return path.replace(/:/g, String.raw`\:`).replace(/\{(\w+)\}/g, ':$1');
}
