import type { Request, RequestHandler, Response } from 'express';
import type { Rail } from './call.ts';
import type { Viewer } from '../access/viewer.ts';
import { sql } from '../database/sql.ts';
import { Refusal, forbidBecause } from '../../kernel/refusal.ts';

/** Paths that pages of other origins may request, with a key that is bound to them. */
export const CROSS_ORIGIN_PATHS = ['/graphql', '/v1/oversight/*path'];

/** For how long a browser remembers that it may ask. */
const REMEMBERED_SECONDS = 600;

/** Lets a page of another origin read the answer to its key, and refuses that key anywhere else. */
export function holdToOrigins(req: Request, res: Response, { browser }: Viewer): void {
  if (!browser) return;
  const overGraphql = req.path === '/graphql';
  if (!overGraphql && !req.path.startsWith('/v1/oversight/'))
    throw new Refusal(
      'unauthenticated',
      'This is a browser key: it works over GraphQL, and for reads of oversight, alone',
    );
  const { origin } = req.headers;
  if (origin === undefined || !browser.origins.includes(origin))
    throw forbidBecause(
      'origin_not_allowed',
      `This is a browser key: it works only in pages of ${browser.origins.join(', ')}`,
      'Origin',
    );
  res.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'As-Of, ETag, Link, Retry-After, X-Request-Id',
    Vary: 'Origin',
  });
  if (!overGraphql && (browser.operations.length > 0 || browser.agencies.length > 0))
    throw new Refusal('forbidden', 'This browser key is bound to operations or agencies: it works over GraphQL alone');
}

/** Answers browsers that ask whether a page of another origin may ask: it may where some key is bound to its origin. */
export function answerPreflights({ db, limits, now }: Rail): RequestHandler {
  return async (req, res, next) => {
    const { origin } = req.headers;
    if (origin === undefined || req.headers['access-control-request-method'] === undefined) return next();
    await limits.countAnonymous(req.ip ?? '');
    const bound = await db.row(sql`
      select 1 from api_key k join integrator i on i.code = k.integrator
      where k.origins @> array[${origin}] and k.status = 'active' and k.expires_at > ${now()} and i.status = 'Active'
      limit 1`);
    if (!bound) return next();
    res.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match',
      'Access-Control-Max-Age': String(REMEMBERED_SECONDS),
      Vary: 'Origin',
    });
    res.status(204).end();
  };
}
