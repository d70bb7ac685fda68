import type { Audience } from '../documents.ts';
import type { Json } from './schemas.ts';

interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The headings of the description, by the audience that they are for, and what is under them. */
export const TAGS: Readonly<Record<Audience | 'reference', Tag>> = {
  collection: {
    name: 'Collection',
    description:
      'Agencies and their priced services, citizens, assessments, and the payments that settle them. For integrators with a key; the catalogue is open to everyone.',
  },
  counter: { name: 'Counter', description: 'Staff at counters, their shifts of cash, and the supervision of both.' },
  accounts: {
    name: 'Accounts',
    description: "An integrator's own account: sign-up, sign-in by a link in a mail, profile, keys, log of requests, and webhooks.",
  },
  console: {
    name: 'Console',
    description: 'What operators see and do: accounts, keys, sessions, agencies, anomalies, settlement statements, notices, and who changed what.',
  },
  oversight: {
    name: 'Oversight',
    description:
      'For auditors, the finance ministry and the statistics bureau: revenue, events, anomalies and seals, and nothing that leads to a person.',
  },
  reference: { name: 'Reference', description: 'This description.' },
};

/** What has to be known of every endpoint. */
export const INTRODUCTION = `Records and orchestrates the collection of public revenue; never holds the money.

Success is \`{ "data": … }\`, an error \`{ "error": { "code", "message", "details"? } }\`, or problem details (RFC 9457) with
\`Accept: application/problem+json\`. Money is a JSON number, exact to its currency's minor unit. Times are RFC 3339 in UTC. Lists take
\`start\`, \`limit\` and \`after\`, and link to their next page. Every answer carries \`X-Request-Id\`.`;

const page = (operationId: string, summary: string, type: string, schema: Json): Json => ({
  get: {
    operationId,
    tags: [TAGS.reference.name],
    summary,
    security: [],
    responses: { 200: { description: 'Done.', content: { [type]: { schema } } }, 304: { description: 'As it was when it had this `ETag`.' } },
  },
});

/** What describes the API is a part of it, though no operation. */
export const REFERENCE: Json = {
  '/v1/openapi.json': page('openapi', 'Read this description', 'application/json', { type: 'object' }),
  '/v1/docs': page('docs', 'Read it as a page', 'text/html', { type: 'string' }),
};
