import type { Json } from './schemas.ts';
import { TAGS } from './words.ts';

/** A type of message that integrators are sent, with its JSON Schema. */
export interface WebhookEventType {
  readonly type: string;
  readonly description: string;
  readonly schema: unknown;
  readonly example: unknown;
}

/** The name under which a description knows the message of a type: `PaymentIntentConfirmedEvent`. */
export function componentOf(type: string): string {
  return `${type.replace(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Event`;
}

/** The messages that integrators are sent, as components. */
export function eventSchemasOf(events: readonly WebhookEventType[]): Json {
  return Object.fromEntries(
    events.map(({ type, description, schema, example }) => {
      const { $schema: _dialect, ...message } = schema as Json;
      return [componentOf(type), { ...message, description, examples: [example] }];
    }),
  );
}

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

/** What shows a receiver who sent a message. */
export const SIGNATURES = [
  header('X-Service-Signature', 'HMAC-SHA256 (hex) of the body, with the secret exactly as shown.'),
  header('X-Service-Signature-Previous', 'The same with the previous secret, for 24 hours after a rotation.', false),
  header('webhook-id', "The message's ID, the same for every attempt (Standard Webhooks)."),
  header('webhook-timestamp', 'The time of sending, in seconds since 1970 (Standard Webhooks).'),
  header('webhook-signature', '`v1,` and a base64 HMAC-SHA256, one for each secret that holds (Standard Webhooks).'),
];

/** What the rail sends to the `webhook_endpoint` of an integrator. */
export function webhooksOf(events: readonly WebhookEventType[]): Json {
  return Object.fromEntries(
    events.map(({ type, description }) => [
      type,
      {
        post: {
          operationId: `on${componentOf(type)}`,
          tags: [TAGS.accounts.name],
          summary: description,
          description:
            'Sent at least once, and in order for each object. Unless the endpoint responds with 2xx within 10 s, the message is retried.',
          security: [],
          parameters: SIGNATURES,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${componentOf(type)}` } } },
          },
          responses: {
            '2XX': { description: 'Accepted.' },
            410: { description: 'The endpoint is gone and will be disabled.' },
            '4XX': { description: 'Not accepted; retried later.' },
          },
        },
      },
    ]),
  );
}
