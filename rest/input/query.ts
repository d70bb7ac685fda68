import type { Request } from 'express';
import type { Call } from '../../src/platform/call/call.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import type { Endpoint } from '../load.ts';
import { isUnfit } from './variables.ts';

/**
 * Reads the query of a request for an endpoint: as it is, or without what is wrong with it where the answer is a
 * redirect in any case.
 */
export function readQuery(req: Request, { handler, parameters }: Endpoint): URLSearchParams {
  const text = queryTextOf(req);
  if (handler.answers === 'redirect') return dropUnfit(new URLSearchParams(text), parameters);
  try {
    if (text.includes('%')) decodeURIComponent(text);
  } catch {
    throw new Refusal('malformed_request', 'The query is not properly percent-encoded');
  }
  return new URLSearchParams(text);
}

function dropUnfit(query: URLSearchParams, parameters: Endpoint['parameters']): URLSearchParams {
  const given = parameters.filter(({ name }) => query.getAll(name).length === 1);
  const fitting = given.filter((parameter) => !isUnfit(query.get(parameter.name)!, parameter));
  return new URLSearchParams(fitting.map(({ name }) => [name, query.get(name)!]));
}

function queryTextOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

/** The headers that lead to the next page, which begins after a cursor; none after the last one. */
export function makeNextLink(
  { origin }: Call,
  req: Request,
  query: URLSearchParams,
  after: string | null,
): Record<string, string> {
  if (after === null) return {};
  const next = new URLSearchParams(query);
  next.delete('start');
  next.set('after', after);
  return { Link: `<${origin}${req.path}?${next}>; rel="next"` };
}
