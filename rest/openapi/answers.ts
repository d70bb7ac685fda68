import { LONGEST_PURPOSE } from '../../src/platform/call/source.ts';
import { REASONS } from '../../src/kernel/reasons.ts';
import { statusOf } from '../../src/kernel/refusal.ts';
import type { Wording } from '../wording.ts';
import type { Json } from './schemas.ts';

/**
 * Answers of the API, and headers that every request may carry: the parts of its description that are the same for all
 * endpoints.
 */

const DETAIL: Json = {
  type: 'object',
  description: 'A problem with one value of the request.',
  required: ['path', 'message'],
  properties: {
    path: { type: 'string', description: 'The path of the value in the request.', examples: ['lines[0].service'] },
    message: { type: 'string', description: 'A message for the user.' },
    code: {
      type: 'string',
      description: 'The specific reason, for programs. `x-reasons` lists them with what they mean; more may be added.',
      examples: ['collection_pending', 'not_found'] satisfies (keyof typeof REASONS)[],
    },
  },
};

const CODE: Json = { type: 'string', enum: Object.keys(statusOf), description: 'The error code, for programs.' };
const DETAILS: Json = {
  type: 'array',
  description: 'Details, at most 20.',
  maxItems: 20,
  items: { $ref: '#/components/schemas/ErrorDetail' },
};

const ERROR: Json = {
  type: 'object',
  description: 'An error response.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: CODE, message: { type: 'string', description: 'A message for the user.' }, details: DETAILS },
    },
  },
};

const PROBLEM: Json = {
  type: 'object',
  description: 'An error response as problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The request ID.' },
    code: CODE,
    details: DETAILS,
  },
};

/** The reasons of refusals, each with what a caller can do about it. */
export const reasonsOf = (wording: Wording): Json =>
  Object.fromEntries(Object.entries(REASONS).map(([code, meaning]) => [code, wording.description(meaning)]));

/** The schemas of what is answered when something is wrong. */
export const ERROR_SCHEMAS: Json = { Error: ERROR, ErrorDetail: DETAIL, Problem: PROBLEM };

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** Header fields of answers. */
export const HEADERS = {
  RequestId: text(
    'The request ID, as in the audit log: the one you sent if it is valid, otherwise a new one.',
    '6f1c9f9e-3b55-4c0e-9df3-0f4a3c6f2a11',
  ),
  RateLimit: text('The remaining quota: `r` requests, and `t` seconds until it is replenished.', '"key";r=599;t=60'),
  RateLimitPolicy: text('The quota: `q` requests in a window of `w` seconds.', '"key";q=600;w=60'),
  RetryAfter: {
    description: 'The number of seconds after which to try again.',
    schema: { type: 'integer', minimum: 1 },
  },
  Link: text(
    'The next page, with `rel="next"`; absent on the last page.',
    '<https://rail.example/v1/citizens?limit=50&after=CITIZEN-2026-000051>; rel="next"',
  ),
  AsOf: text(
    'The moment of the answer (RFC 3339): all that was recorded until then is part of it.',
    '2026-11-22T08:30:00.000Z',
  ),
  ETag: text(
    'The version of the answer: sent back as `If-None-Match`, it is answered 304 while nothing has changed.',
    '"6cfd-eTFXz4OPBRUKG0qJ9JTQjyhN0sI"',
  ),
  IdempotentReplayed: {
    description: 'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} satisfies Record<string, Json>;

/** Header fields of answers of what is to go. */
export const GOING: Json = {
  Deprecation: text('Since when the operation is deprecated, in seconds since 1970 (RFC 9745).', '@1798761600'),
  Sunset: text('From when the operation may be gone (RFC 8594).', 'Thu, 01 Jul 2027 00:00:00 GMT'),
};

const FIELD_NAMES: Readonly<Record<keyof typeof HEADERS, string>> = {
  RequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  Link: 'Link',
  AsOf: 'As-Of',
  ETag: 'ETag',
  IdempotentReplayed: 'Idempotent-Replayed',
};

/** Header fields that an answer carries, by reference. */
export function describeHeaders(...names: readonly (keyof typeof HEADERS)[]): Json {
  return Object.fromEntries(names.map((name) => [FIELD_NAMES[name], { $ref: `#/components/headers/${name}` }]));
}

export const RESPONSE_NAMES: Readonly<Record<number, string>> = {
  400: 'MalformedRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  406: 'NotAcceptable',
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
  Forbidden: '`forbidden`: the credential lacks the scope, role or grant that the message names.',
  NotFound: '`not_found`: there is no such document, or it is not yours.',
  Conflict:
    '`idempotency_in_progress`: the first request with this key is still running; `duplicate_email`, `otp_not_issued` at sign-up.',
  NotAcceptable:
    '`not_acceptable`: it cannot be had in the form that `Accept` asks for, such as `text/csv` of what is no list.',
  PayloadTooLarge: '`payload_too_large`: the body is over 256 KiB.',
  UnsupportedMediaType: '`unsupported_media_type`: the body is not JSON in UTF-8.',
  ValidationFailed:
    '`validation_failed`: a value is missing or wrong, or the state does not allow it; `idempotency_mismatch`: the key was used for another request.',
  RateLimited:
    '`rate_limited`: too many requests, or mails; `Retry-After` tells when to try again, `RateLimit` and `RateLimit-Policy` what is left.',
  InternalError: '`internal_error`: a fault of the rail; quote the request id.',
  AdapterFailed: '`adapter_failed`: a provider failed; nothing was changed.',
  Unavailable:
    '`unavailable`: there are more requests than can be answered in time, or the database cannot be reached; `Retry-After` tells when to try again.',
  AdapterTimeout: '`adapter_timeout`: a provider was too slow; nothing was changed.',
};

/** Those that say when to try again. */
const RETRIED = new Set(['Conflict', 'RateLimited', 'Unavailable']);

export const RESPONSES = Object.fromEntries(
  Object.entries(MEANINGS).map(([name, description]) => [
    name,
    {
      description,
      headers: describeHeaders(
        'RequestId',
        'RateLimit',
        'RateLimitPolicy',
        ...(RETRIED.has(name) ? (['RetryAfter'] as const) : []),
      ),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    },
  ]),
);

export const NOT_MODIFIED: Json = {
  304: {
    description: 'Not modified since the `ETag` in `If-None-Match`.',
    headers: describeHeaders('RequestId', 'RateLimit', 'RateLimitPolicy', 'ETag'),
  },
};

export const REDIRECTED: Json = {
  302: {
    description: 'Redirect to `Location`.',
    headers: {
      Location: { description: 'A path on this host.', schema: { type: 'string' } },
      ...describeHeaders('RequestId'),
    },
  },
};

export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    '1 to 255 visible ASCII characters. Repeating the same request within 24 hours returns the same response, with `Idempotent-Replayed: true`.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    examples: ['pay-ASMT-2026-11-000001'],
  },
};

export const PURPOSE: Json = {
  name: 'X-Purpose',
  in: 'header',
  required: false,
  description: `What the caller reads personal data for, in its own words: one line of at most ${LONGEST_PURPOSE} characters. It is logged with every citizen that is shown.`,
  schema: { type: 'string', maxLength: LONGEST_PURPOSE, examples: ['Refund of ASMT-2026-11-000001'] },
};
