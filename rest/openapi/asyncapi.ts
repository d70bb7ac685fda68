import type { Json } from './schemas.ts';
import { SIGNATURES, type WebhookEventType, componentOf, eventSchemasOf } from './webhooks.ts';
import { LICENSE, VERSION } from './words.ts';

/** Describes what integrators are sent in AsyncAPI 3.0, from the same catalogue of events as the rest of the description. */
export function describeMessages(origin: string, events: readonly WebhookEventType[]): Json {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Revenue Collection Rail webhooks',
      version: VERSION,
      description: `The messages that ${origin} sends to webhook endpoints.`,
      license: { name: LICENSE.name },
      externalDocs: { url: `${origin}/docs/events`, description: 'The same as pages' },
    },
    defaultContentType: 'application/json',
    channels: {
      webhook: {
        // Each account and agency has its own.
        address: null,
        title: 'Webhook',
        description:
          'An endpoint of an account or an agency: the `webhook_endpoint` of `PATCH /v1/me`, or one of `POST /v1/me/webhook-endpoints`.',
        messages: Object.fromEntries(events.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: {
      sendWebhook: {
        action: 'send',
        channel: { $ref: '#/channels/webhook' },
        summary: 'Send a message to an endpoint',
        description:
          'Sent at least once, and in order for each object. Unless the endpoint responds with 2xx within 10 s, the message is retried.',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages: Object.fromEntries(
        events.map(({ type, description, example }) => [
          type,
          {
            name: type,
            title: type,
            summary: description,
            headers: { $ref: '#/components/schemas/SignatureHeaders' },
            payload: { $ref: `#/components/schemas/${componentOf(type)}` },
            examples: [{ name: 'example', payload: example }],
          },
        ]),
      ),
      schemas: { SignatureHeaders: signatureHeaders(), ...eventSchemasOf(events) },
    },
  };
}

/** The headers by which a receiver knows who sent a message, as the schema of an object. */
function signatureHeaders(): Json {
  return {
    type: 'object',
    required: SIGNATURES.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(SIGNATURES.map(({ name, description }) => [name, { type: 'string', description }])),
  };
}
