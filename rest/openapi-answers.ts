/** How the API answers, and what every request may carry: the parts of its description that are the same for all endpoints. */
import { REASONS } from '../src/reasons.ts';

type Json = { readonly [member: string]: unknown };

const DETAIL: Json = {
  type: 'object',
  required: ['path', 'message'],
  properties: {
    path: { type: 'string', description: 'Where it is, as the caller wrote it.' },
    message: { type: 'string', description: 'For people.' },
    code: { type: 'string', enum: Object.keys(REASONS), description: 'Which of several reasons it is, for programs.' },
  },
};

export const ERROR: Json = {
  type: 'object',
  description: 'Why a request was turned down.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'For programs.' },
        message: { type: 'string', description: 'For people.' },
        details: {
          type: 'array',
          description: 'What exactly is wrong with which value.',
          items: DETAIL,
        },
      },
    },
  },
};

export const PROBLEM: Json = {
  type: 'object',
  description: 'The same as problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: "The request's id." },
    code: { type: 'string' },
    details: { type: 'array', items: DETAIL },
  },
};

export const RESPONSE_NAMES: Readonly<Record<number, string>> = {
  400: 'MalformedRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'ValidationFailed',
  429: 'RateLimited',
  500: 'InternalError',
  502: 'AdapterFailed',
  503: 'Unavailable',
  504: 'AdapterTimeout',
};

const MEANINGS: Readonly<Record<string, string>> = {
  MalformedRequest: '`malformed_request`: the body is not JSON, or the address is not properly percent-encoded.',
  Unauthenticated:
    '`unauthenticated`: no key or session, or one that is unknown, revoked or expired; `invalid_otp` for a wrong code; `invalid_signature` for callbacks.',
  Forbidden: '`forbidden`: the key lacks the scope that the message names.',
  NotFound: '`not_found`: there is no such document, or it is not yours.',
  Conflict: '`idempotency_in_progress`: the first request with this key is still running; `duplicate_email`, `otp_not_issued` at sign-up.',
  PayloadTooLarge: '`payload_too_large`: the body is over 256 KiB.',
  UnsupportedMediaType: '`unsupported_media_type`: the body is not JSON in UTF-8.',
  ValidationFailed:
    '`validation_failed`: a value is missing or wrong, or the state does not allow it; `idempotency_mismatch`: the key was used for another request.',
  RateLimited: '`rate_limited`: too many requests, or mails; `Retry-After` tells when to try again, `RateLimit` and `RateLimit-Policy` what is left.',
  InternalError: '`internal_error`: a fault of the rail; quote the request id.',
  AdapterFailed: '`adapter_failed`: a provider failed; nothing was changed.',
  Unavailable:
    '`unavailable`: there are more requests than can be answered in time, or the database cannot be reached; `Retry-After` tells when to try again.',
  AdapterTimeout: '`adapter_timeout`: a provider was too slow; nothing was changed.',
};

export const RESPONSES = Object.fromEntries(
  Object.entries(MEANINGS).map(([name, description]) => [
    name,
    {
      description,
      headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    },
  ]),
);

export const REDIRECTED: Json = {
  302: {
    description: 'Go to `Location`.',
    headers: {
      Location: { description: 'A path of this host.', schema: { type: 'string' } },
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    },
  },
};

export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: '1 to 255 visible ASCII characters. The same request again within 24 hours gets the same answer, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
