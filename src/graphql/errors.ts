import { GraphQLError } from 'graphql';
import { AdapterFailure } from '../adapters/failure.ts';
import type { Call } from '../platform/call/call.ts';
import { faultOf } from '../platform/database/errors.ts';
import { SideTable } from '../kernel/side-table.ts';
import { Refusal, rootOf, statusOf } from '../kernel/refusal.ts';
import { say } from '../kernel/text/said.ts';

/** Log of a fault, with the ID of its request. */
type Reporter = Pick<Call, 'log' | 'requestId'>;

/**
 * Shows a caller an error. A refusal is shown as it is; an outside system's failure and a lost database are named;
 * everything else is a fault of the rail, which the log knows by the request's ID.
 */
export function explain(error: unknown, { log, requestId: request_id }: Reporter): Refusal {
  const cause = rootOf(error);
  if (cause instanceof Refusal) return cause;
  if (cause instanceof AdapterFailure) {
    log.warn({ request_id, adapter: cause.adapter, kind: cause.kind }, cause.message);
    if (cause.kind === 'refused') return new Refusal('validation_failed', cause.message);
    return new Refusal(
      cause.kind === 'timeout' ? 'adapter_timeout' : 'adapter_failed',
      `${cause.message}. Nothing was changed; it is safe to try again`,
    );
  }
  const fault = faultOf(cause);
  if (fault === 'bad_input') {
    // The reader of the input should have found it.
    log.warn({ request_id, err: cause }, 'the database refused a value');
    return new Refusal('validation_failed', say`A value is out of range or contains a character that cannot be stored`);
  }
  if (fault) {
    log.error({ request_id, err: cause, fault }, 'the database is not available');
    return new Refusal('unavailable', 'The service is temporarily unavailable; try again shortly');
  }
  // A GraphQL error of its own making: the document or its variables do not fit the schema.
  if (cause instanceof GraphQLError) return new Refusal('validation_failed', cause.message);
  log.error({ request_id, err: cause }, 'a request failed');
  return new Refusal(
    'internal_error',
    say`The request failed because of an internal error; quote the request id when you report it`,
  );
}

/** Codes that clients wait for after sending the hash of an operation: their protocol has its own. */
const PERSISTED_QUERY_CODES: readonly string[] = [
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_MISMATCH',
  'PERSISTED_QUERY_NOT_SUPPORTED',
];

function isKnown(code: string): boolean {
  return Object.hasOwn(statusOf, code) || PERSISTED_QUERY_CODES.includes(code);
}

/** Refusals behind errors that clients see, apart from them: the server takes an error with a cause for a fault. */
const refusals = new SideTable<GraphQLError, Refusal>();

/** The refusal behind a masked error; null if it says what is wrong with a document. */
export function refusalOf(error: GraphQLError): Refusal | null {
  return refusals.get(error) ?? null;
}

/** The error as GraphQL clients see it, with `extensions.code`. */
export function mask(error: unknown, call: Reporter): GraphQLError {
  if (error instanceof GraphQLError && !error.originalError && isKnown(String(error.extensions['code']))) return error;
  const refusal = explain(error, call);
  const { code, message, details } = refusal;
  const where = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path } : {};
  const http = error instanceof GraphQLError ? httpOf(error) : undefined;
  const masked = new GraphQLError(message, {
    ...where,
    extensions: { code, ...(details.length > 0 && { details }), ...(http !== undefined && { http }) },
  });
  if (!(rootOf(error) instanceof GraphQLError)) refusals.set(masked, refusal);
  return masked;
}

/**
 * The HTTP status that Yoga gives an error. Of a request that was none at all it holds for every client (GraphQL over
 * HTTP).
 */
function httpOf({ extensions }: GraphQLError): object | undefined {
  const http = extensions['http'];
  if (typeof http !== 'object' || http === null) return undefined;
  return 'originalError' in extensions ? { ...http, spec: false } : http;
}
