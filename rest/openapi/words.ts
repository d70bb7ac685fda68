import type { Audience } from '../documents.ts';
import type { Json } from './schemas.ts';

interface Tag {
  readonly name: string;
  readonly description: string;
}

const COUNTER: Tag = { name: 'Counter', description: 'Staff at counters, cash shifts and their supervision.' };

/** The headings of the description, by the audience that they are for, and what is under them. */
export const TAGS: Readonly<Record<Audience | 'reference', Tag>> = {
  collection: {
    name: 'Collection',
    description:
      'Agencies and their services with fees, citizens, assessments and payments. For integrators with a key; the catalogue needs no authentication.',
  },
  counter: COUNTER,
  // For those who read the description, to log in is a part of the work at a counter.
  identity: COUNTER,
  accounts: {
    name: 'Accounts',
    description:
      "An integrator's own account: sign-up, sign-in with an e-mailed link, profile, keys, request log and webhooks.",
  },
  console: {
    name: 'Console',
    description:
      "The operators' console: accounts, keys, sessions, agencies, anomalies, settlement statements, notices and the audit trail.",
  },
  oversight: {
    name: 'Oversight',
    description:
      'For auditors, the finance ministry and the statistics bureau: revenue, events, anomalies and seals, without personal data.',
  },
  reference: { name: 'Reference', description: 'This API description.' },
};

/**
 * The version of the description, by its own changes: the middle number grows with what is new in it, the first with
 * what breaks a caller. `docs/decisions/0018-version-of-the-description.md` says from where it is counted.
 */
export const VERSION = '1.6.0';

export const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** Introduction to all endpoints. */
export const INTRODUCTION = `Records and orchestrates the collection of public revenue; never holds the money.

A success is \`{ "data": … }\`, an error \`{ "error": { "code", "message", "details"? } }\`, or problem details (RFC 9457) with
\`Accept: application/problem+json\`. Money is a JSON number, exact to its currency's minor unit. Times are RFC 3339 in UTC. Lists take
\`start\`, \`limit\` and \`after\`, and link to their next page. Every response carries \`X-Request-Id\`.`;

const page = (operationId: string, summary: string, type: string, schema: Json, others: Json = {}): Json => ({
  get: {
    operationId,
    tags: [TAGS.reference.name],
    summary,
    security: [],
    responses: {
      200: { description: 'Success.', content: { [type]: { schema } } },
      304: { description: 'Not modified since the `ETag` in `If-None-Match`.' },
      ...others,
    },
  },
});

/** The description of the API is a part of it, though no operation. */
export const REFERENCE: Json = {
  '/v1/openapi.json': page('openapi', 'Get the OpenAPI description', 'application/json', { type: 'object' }),
  '/v1/asyncapi.json': page('asyncapi', 'Get the AsyncAPI description of webhooks', 'application/json', {
    type: 'object',
  }),
  '/v1/docs': page(
    'docs',
    'Get the API reference as a page',
    'text/html',
    { type: 'string' },
    { 308: { description: 'The pages of the reference are at `Location`.' } },
  ),
};
