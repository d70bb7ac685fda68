import type { Json } from './schemas.ts';

/** The headings of the description, and what is under them. */
export const TAGS: Readonly<Record<string, string>> = {
  'Sign-up': 'How an integrator gets its first key. No credential is needed.',
  'Sign-in': 'Magic links by mail, and the session that they open.',
  Account: "An integrator's own profile, keys and log, by session cookie or by any of its keys.",
  Identity: 'Citizens: local registry entries, linked to the national identity authority by NIN.',
  Catalogue: 'Agencies and their priced services. Open to everyone.',
  Assessments: 'What citizens owe: multi-line, multi-agency, priced from the fee schedule.',
  Payments: 'Intents, their collection by an aggregator, and the events that prove it.',
  Webhooks: 'What integrators are told, and how that went.',
  Settlement: 'Counter shifts: opened with a float, closed with the cash that was counted.',
  Counter: 'For staff at a counter, with a session of theirs.',
  Supervision: 'Review of closed shifts, by supervisors or by keys that operators granted that.',
  Operations: "The operator's console: accounts, keys, sessions, anomalies, notices, and who changed what.",
  Reconciliation: 'Settlement statements of aggregators, compared with what is recorded.',
  Oversight:
    'For auditors, the finance ministry and the statistics bureau: revenue, events, anomalies and seals, and nothing that leads to a person.',
  Notices: 'What the service has to tell its users.',
  Callbacks: 'What payment providers call.',
  Reference: 'This description.',
};

/** What has to be known of every endpoint. */
export const INTRODUCTION = `Records and orchestrates the collection of public revenue; never holds the money.

Success is \`{ "data": … }\`, an error \`{ "error": { "code", "message", "details"? } }\`, or problem details (RFC 9457) with
\`Accept: application/problem+json\`. Money is a JSON number, exact to its currency's minor unit. Times are RFC 3339 in UTC. Lists take
\`start\`, \`limit\` and \`after\`, and link to their next page. Every answer carries \`X-Request-Id\`.`;

const page = (operationId: string, summary: string, type: string, schema: Json): Json => ({
  get: {
    operationId,
    tags: ['Reference'],
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
