import express, { type RequestHandler } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { type GraphiqlPage, PAGE_POLICY } from './graphiql/page.ts';
import { type Plugin, createYoga } from 'graphql-yoga';
import { readBody } from '../../platform/call/body.ts';
import { fingerprintOf } from '../../platform/change/idempotency.ts';
import { refusalHeaders } from '../../platform/call/limits/limits.ts';
import type { Answer } from '../../platform/call/answers.ts';
import { type Requests, toHandler, inboundOf } from '../../platform/call/requests.ts';
import { type Call, type Rail, sayAsOf } from '../../platform/call/call.ts';
import { Refusal, statusOf } from '../../kernel/refusal.ts';
import { holds } from '../../platform/access/viewer.ts';
import { bounds } from './bounds.ts';
import { type Naming, browserKeys } from './browser-keys.ts';
import { ACCEPTABLE, clientProtocols, refuseUnacceptable } from './clients.ts';
import { costs } from './cost.ts';
import { Documents } from './documents.ts';
import { explain, mask, refusalOf } from '../errors.ts';
import { executorOf } from '../prepared.ts';
import { nameOperation } from '../operations/named.ts';
import { type Replayable, once } from './once.ts';
import { type Shareable, sharedReads } from './shared.ts';
import { PersistedQueries, type Sent, asSent } from './persisted.ts';
import { fittingVariables } from '../input/variables.ts';

const MOST_BODY_BYTES = 256 * 1024;

interface ServerContext extends Replayable, Sent, Naming, Omit<Shareable, 'request'> {
  readonly call: Call;
  /** Refusals of fields: the first, the headers of all, and if they left nothing to answer. */
  readonly refused: { first: Refusal | null; headers: Readonly<Record<string, string>>; whole: boolean };
}

/** `/graphql`: the same viewer, scopes and rules as the REST API, within bounds on what one operation may ask. */
export function graphqlEndpoint(
  schema: GraphQLSchema,
  rail: Rail,
  requests: Requests,
  page: GraphiqlPage | null,
): RequestHandler {
  // The call that is being answered: the server masks errors without telling whose request they are of.
  const answered = new AsyncLocalStorage<Call>();
  const persisted = new PersistedQueries();
  const execute = executorOf(rail.config);
  // Operations are executed as those of the REST layer are.
  const executing: Plugin = {
    onExecute: ({ setExecuteFn, args: { contextValue } }) => {
      const hideSuggestions = !introspects(contextValue as unknown as Call);
      setExecuteFn((args) => execute({ ...args, hideSuggestions }));
    },
  };
  const documents = new Documents();
  const yoga = createYoga<ServerContext, Call>({
    schema,
    context: ({ call }) => call,
    plugins: [
      persisted.plugin,
      bounds(introspects),
      clientProtocols,
      executing,
      fittingVariables,
      asSent,
      costs((args) => {
        documents.keep(args);
        persisted.keep(args);
      }),
      browserKeys,
      once(),
      sharedReads(),
      maskedResults,
    ],
    // Errors thrown by resolvers are left to `maskedResults`.
    maskedErrors: { maskError: (error) => (isThrown(error) ? error : mask(error, answered.getStore()!)) },
    ...(page ? { graphiql: true, renderGraphiQL: page.render } : { graphiql: false }),
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    parserAndValidationCache: documents.caches,
    // The reader of the body has limited it.
    maxRequestBodySize: false,
    logging: false,
  });
  const reader = express.raw({ type: () => true, limit: MOST_BODY_BYTES });

  return toHandler(async (req, res) => {
    const inbound = inboundOf(req);
    inbound.endpoint = `${req.method} /graphql`;
    let call = requests.openAnonymously(req);
    let answer: Answer;
    try {
      call = await requests.open(req);
      await requests.admit(call, res);
      await requests.reading(req, () => readBody(req, res, reader, MOST_BODY_BYTES));
      const body: Buffer = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      refuseUnacceptable(req);
      refuseSimpleRequests(req.method, req.headers['content-type']);
      const key = req.headers['idempotency-key'];
      const url = new URL(req.originalUrl, 'http://rail.invalid');
      const reads = req.method === 'GET' || req.method === 'HEAD';
      const operation = reads ? url.searchParams.get('operation') : null;
      const named = reads && (await nameOperation(call, url));
      const context: ServerContext = {
        call,
        inbound,
        operation,
        replayed: { yes: false },
        takesKnown: !/\bno-cache\b/.test(req.headers['cache-control'] ?? ''),
        shared: { freshSeconds: null },
        refused: { first: null, headers: {}, whole: false },
        fingerprint: fingerprintOf(req.method, '/graphql', body),
        idempotencyKey: typeof key === 'string' ? key : undefined,
      };
      const sent = {
        method: named ? 'GET' : req.method,
        headers: headersOf(req.headers),
        signal: inbound.over,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      };
      const response = await answered.run(call, () => yoga.fetch(url, sent, context));
      if (response.status === 406 && !response.headers.has('content-type'))
        throw new Refusal('not_acceptable', ACCEPTABLE);
      if (isStream(response)) {
        // Not a stream of Node's own: only that it can be iterated is sure.
        const stream = response.body as AsyncIterable<Uint8Array>;
        // A stream that never began has the status of its refusal, so that readers know whether to come back.
        const refusal = context.refused.whole ? context.refused.first : null;
        const headers = { ...Object.fromEntries(response.headers), ...context.refused.headers };
        const status = refusal ? statusOf[refusal.code] : response.status;
        return await answered.run(call, () =>
          requests.stream(req, res, call, { status, headers, body: refusal ? stream : beginAt(call, stream) }),
        );
      }
      const { freshSeconds } = context.shared;
      answer = {
        status: response.status,
        headers: {
          ...Object.fromEntries(response.headers),
          'Cache-Control': 'no-store',
          ...sayAsOf(call),
          ...(context.replayed.yes && { 'Idempotent-Replayed': 'true' }),
          ...context.refused.headers,
        },
        body: await response.text(),
        ...(freshSeconds !== null && { passing: { kept: true, compressed: true, freshSeconds } }),
      };
      if (response.headers.get('content-type')?.startsWith('text/html'))
        res.setHeader('Content-Security-Policy', PAGE_POLICY);
    } catch (error) {
      answer = answerFailure(error, call);
    }
    await requests.close(req, res, call, answer, (error) => answerFailure(error, call));
  });
}

/** True if a caller learns the schema from the endpoint: on a live rail, those whose tools ask for figures. */
function introspects({ config, viewer }: Call): boolean {
  return config.introspection || holds(viewer, 'oversight.read');
}

/** The answer to a request of which nothing else came than an error. */
function answerFailure(error: unknown, call: Call): Answer {
  const refusal = explain(error, call);
  const { code, message, details } = refusal;
  const extensions = { code, ...(details.length > 0 && { details }) };
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  return {
    status: statusOf[code],
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...refusalHeaders(refusal) },
    body,
  };
}

/** Says first where a stream begins, so that a reader that has to reconnect before anything happens misses nothing. */
async function* beginAt({ transport: { stream } }: Call, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (stream.cursor !== null) yield Buffer.from(`${writeId(stream.cursor)}\n\n`);
  yield* body;
}

/** The line of a server-sent event that its reader names as `Last-Event-ID` when it reconnects. */
const writeId = (cursor: string) => `id: ${cursor}`;

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** Only JSON: what a page of another origin can send without the browser asking first is never an operation. */
function refuseSimpleRequests(method: string, contentType: string | undefined): void {
  if (method === 'POST' && !/^application\/(graphql\+)?json\b/i.test(contentType ?? '')) {
    throw new Refusal('unsupported_media_type', 'The body must be application/json');
  }
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}

function isThrown(error: unknown): error is GraphQLError {
  return error instanceof GraphQLError && error.originalError !== undefined;
}

/** An event of a stream as its lines: what the server writes after `data: `, and the id. */
const withId = (cursor: string) => (result: ExecutionResult) => `${JSON.stringify(result)}\n${writeId(cursor)}`;

/**
 * Masks errors while it is known whose request they are of, those of validation and of a stream's every event among
 * them.
 */
const maskedResults: Plugin = {
  onSubscribe({ args }) {
    const call = args.contextValue as unknown as Call;
    return {
      onSubscribeResult: () => ({
        onNext({ result, setResult }) {
          const errors = result.errors?.map((error) => mask(error, call));
          const event = { ...result, ...(errors && { errors }), stringify: withId(call.transport.stream.cursor!) };
          setResult(event);
        },
      }),
    };
  },
  onExecutionResult({ result, context, setResult }) {
    if (!result || !('errors' in result) || !result.errors) return;
    const call = context as unknown as Call & ServerContext;
    const errors = result.errors.map((error) => mask(error, call));
    const refusals = errors.map(refusalOf).filter((refusal) => refusal !== null);
    call.refused.first = refusals[0] ?? null;
    call.refused.headers = Object.assign({}, ...refusals.toReversed().map(refusalHeaders)) as Record<string, string>;
    call.refused.whole = !('data' in result) || result.data == null;
    setResult({ ...result, errors });
  },
};
