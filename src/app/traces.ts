import { SpanStatusCode, context } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { beginRequest } from '../adapters/tracing/tracing.ts';
import { inboundOf } from '../platform/call/requests.ts';

/** Addresses that are requested every few seconds, and say nothing of other requests. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Answers each request in a span of its own, which goes by its route: its path would name records, and its query what
 * is searched for.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  if (PROBES.has(req.path)) return next();
  const { span, within } = beginRequest(req.method, req.headers);
  res.once('close', () => {
    const { endpoint } = inboundOf(req);
    span.updateName(endpoint);
    span.setAttributes({
      'http.route': endpoint.slice(endpoint.indexOf(' ') + 1),
      'http.response.status_code': res.statusCode,
    });
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(within, next);
};
