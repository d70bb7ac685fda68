import { type Json, allowNull } from './schemas.ts';
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
      return [componentOf(type), { ...generable(schema as Schema), description, examples: [example] }];
    }),
  );
}

interface Schema extends Json {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly [Schema, Schema];
  readonly additionalProperties?: Schema | false;
}

/**
 * A schema as generators of clients take it: what may be null by its type, integers without the bounds of JavaScript, and
 * UUIDs without their pattern. It is open, since messages get further members.
 */
function generable({ $schema: _dialect, propertyNames: _text, anyOf, ...schema }: Schema): Json {
  if (anyOf) return { ...allowNull(generable(anyOf[0])), ...schema };
  const { minimum, maximum, pattern, properties, items, additionalProperties, ...others } = schema;
  return {
    ...others,
    ...(additionalProperties && { additionalProperties }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(pattern !== undefined && schema['format'] !== 'uuid' && { pattern }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, generable(member)])),
    }),
    ...(items && { items: generable(items) }),
  };
}

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

/** Headers that show a receiver who sent a message. */
export const SIGNATURES = [
  header('X-Service-Signature', 'HMAC-SHA256 (hex) of the body, with the secret exactly as shown.'),
  header('X-Service-Signature-Previous', 'The same with the previous secret, for 24 hours after a rotation.', false),
  header('webhook-id', "The message's ID, the same for every attempt (Standard Webhooks)."),
  header('webhook-timestamp', 'The time of sending, in seconds since 1970 (Standard Webhooks).'),
  header('webhook-signature', '`v1,` and a base64 HMAC-SHA256, one for each secret that holds (Standard Webhooks).'),
];

/** Messages of the rail to the `webhook_endpoint` of an integrator. */
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
