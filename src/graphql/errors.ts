import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { AdapterFailure } from '../adapters/failure.ts';
import { isOutage } from '../database/errors.ts';
import { Refusal, rootOf } from '../refusal.ts';

/**
 * What a caller learns of an error. A refusal says what it says; an outside system's failure and a lost database are named;
 * everything else is a fault of the rail, which the log knows by the request's id.
 */
export function explain(error: unknown, log: Logger): Refusal {
  const cause = rootOf(error);
  if (cause instanceof Refusal) return cause;
  if (cause instanceof AdapterFailure) {
    log.warn({ adapter: cause.adapter, kind: cause.kind }, cause.message);
    return new Refusal(cause.kind === 'timeout' ? 'adapter_timeout' : 'adapter_failed', `${cause.message}. Nothing was changed; it is safe to try again`);
  }
  if (isOutage(cause)) {
    log.error({ err: cause }, 'the database cannot be reached');
    return new Refusal('unavailable', 'The service is unavailable for the moment; try again shortly');
  }
  // A GraphQL error of its own making: the document or its variables do not fit the schema.
  if (cause instanceof GraphQLError) return new Refusal('validation_failed', cause.message);
  log.error({ err: cause }, 'a request failed');
  return new Refusal('internal_error', 'The request failed for a reason of ours; quote the request id when you report it');
}

/** The error as GraphQL clients see it, with `extensions.code`. */
export function masked(error: unknown, log: Logger): GraphQLError {
  const { code, message, details } = explain(error, log);
  const where = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path } : {};
  const http = error instanceof GraphQLError ? error.extensions['http'] : undefined;
  return new GraphQLError(message, {
    ...where,
    extensions: { code, ...(details.length > 0 && { details }), ...(http !== undefined && { http }) },
  });
}
