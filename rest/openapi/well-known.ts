import { type RequestHandler, Router } from 'express';
import type { Rail } from '../../src/platform/call/call.ts';
import { serveMade } from '../../src/platform/call/fixed.ts';
import { LANGUAGES } from '../../src/graphql/input/languages.ts';

const CATALOGUE = '/.well-known/api-catalog';
const SECURITY = '/.well-known/security.txt';
/** For how many months after the one that it is asked in, a statement of contacts holds: under a year. */
const MONTHS_IT_HOLDS = 6;

/** Answers programs and researchers at the addresses that every host has. */
export function routeWellKnown(rail: Pick<Rail, 'origin' | 'config' | 'now'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const linked: RequestHandler = (_req, res, next) => {
    res.setHeader('Link', `<${rail.origin}${CATALOGUE}>; rel="api-catalog"`);
    next();
  };
  router.get(
    CATALOGUE,
    linked,
    serveMade(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      () => rail.origin,
      (origin) => JSON.stringify(catalogueOf(origin)),
    ),
  );
  const { securityContact } = rail.config;
  if (securityContact !== null)
    router.get(
      SECURITY,
      serveMade(
        'text/plain; charset=utf-8',
        () => securityOf(rail.origin, securityContact, rail.now()),
        (text) => text,
      ),
    );
  return router;
}

/** The interfaces of a rail and what describes each (RFC 9727), as a set of links (RFC 9264). */
function catalogueOf(origin: string) {
  const link = (path: string, type: string) => ({ href: origin + path, type });
  const shared = { status: [link('/status', 'text/html')], 'version-history': [link('/v1/changelog', JSON_TYPE)] };
  return {
    linkset: [
      { anchor: origin + CATALOGUE, item: [{ href: `${origin}/v1` }, { href: `${origin}/graphql` }] },
      {
        anchor: `${origin}/v1`,
        'service-desc': [link('/v1/openapi.json', JSON_TYPE), link('/v1/asyncapi.json', JSON_TYPE)],
        'service-doc': [link('/docs/api', 'text/html'), link('/docs/events', 'text/html')],
        ...shared,
      },
      {
        anchor: `${origin}/graphql`,
        'service-desc': [link('/graphql/schema.graphql', 'application/graphql')],
        'service-doc': [link('/docs/analysts', 'text/html')],
        ...shared,
      },
    ],
  };
}

const JSON_TYPE = 'application/json';

/** Contact for reports of vulnerabilities (RFC 9116). It stays the same all month, so that caches keep it. */
function securityOf(origin: string, contact: string, at: Date): string {
  const expires = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + MONTHS_IT_HOLDS, 1));
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${Object.keys(LANGUAGES).join(', ')}`,
    `Canonical: ${origin}${SECURITY}`,
    `Policy: ${origin}/docs/security`,
    '',
  ].join('\n');
}
