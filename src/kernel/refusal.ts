import type { ForbiddenReason, Reason, UnprovenReason } from './reasons.ts';
import type { Words } from './text/said.ts';

/** Every error code a caller can see, with the HTTP status that it travels under. */
export const statusOf = {
  malformed_request: 400,
  unauthenticated: 401,
  invalid_otp: 401,
  invalid_credentials: 401,
  invalid_signature: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  duplicate_email: 409,
  otp_not_issued: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  adapter_failed: 502,
  unavailable: 503,
  adapter_timeout: 504,
} as const;

/** Meaning of each error code, for callers. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  malformed_request:
    'The request cannot be read: it is not valid JSON in UTF-8, or its address is not properly percent-encoded.',
  unauthenticated: 'No key or session was sent, or one that is unknown, revoked or expired.',
  invalid_otp: 'The verification code is wrong or has expired.',
  invalid_credentials: 'The e-mail address or the password is wrong.',
  invalid_signature: 'The signature of a callback is missing or wrong.',
  forbidden: 'The credential lacks the scope, role or grant that the message names.',
  not_found: 'The object does not exist, or the caller may not see it.',
  method_not_allowed: 'The address does not support the HTTP method; the header `Allow` names those it does.',
  not_acceptable: 'The response is not available in any form that the header `Accept` asks for.',
  duplicate_email: 'The e-mail address is already registered.',
  otp_not_issued: 'There is no valid verification code to compare with; request a new one.',
  idempotency_in_progress: 'The first request with this `Idempotency-Key` is still running; try again shortly.',
  payload_too_large: 'The body is too large.',
  unsupported_media_type: 'The body has a media type that is not supported.',
  validation_failed:
    'A value is missing or wrong, or the state of an object does not allow the action; `details` names each.',
  idempotency_mismatch: 'The `Idempotency-Key` was used for a different request.',
  rate_limited: 'A limit is used up; the header `Retry-After` says when to try again.',
  internal_error: 'An internal error; quote the request ID when you report it.',
  adapter_failed: 'An external system failed. Nothing was changed; it is safe to try again.',
  unavailable: 'The service is temporarily unavailable; the header `Retry-After` says when to try again.',
  adapter_timeout: 'An external system did not respond in time. Nothing was changed; it is safe to try again.',
};

export type ErrorCode = keyof typeof statusOf;

/** One fault in a value of the input, or in the object that it names. */
export interface Detail {
  /** Path of the value as the caller wrote it: `lines[0].service`. */
  readonly path: string;
  readonly message: Words;
  /** Code of the reason, for programs. */
  readonly code?: Reason;
}

/** A caller's quota of something, and the rest of it. */
export interface Quota {
  readonly name: string;
  readonly most: number;
  /** In which time; null: at a time. */
  readonly windowSeconds: number | null;
  readonly remaining: number;
  /** Seconds until there is more. */
  readonly resetSeconds: number;
}

/**
 * A request is turned down for a reason that its caller is told. Everything else thrown is a fault of the rail, and
 * masked.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Its message, as it was said. */
  readonly said: Words;
  readonly details: readonly Detail[];
  /** The quota that is used up, where that is the reason. */
  readonly quota: Quota | null;

  constructor(code: ErrorCode, said: Words, details: readonly Detail[] = [], quota: Quota | null = null) {
    super(String(said));
    this.name = 'Refusal';
    this.code = code;
    this.said = said;
    this.details = details;
    this.quota = quota;
  }
}

/** A refusal of what would go beyond a quota. */
export function refuseBeyondQuota(message: Words, quota: Quota): Refusal {
  return new Refusal('rate_limited', message, [], quota);
}

/** A refusal of one named value. */
export function refuseValue(path: string, message: Words, code?: Reason): Refusal {
  return new Refusal('validation_failed', `${path}: ${String(message)}`, [{ path, message, ...(code && { code }) }]);
}

/**
 * A refusal of an action for a reason that programs can tell from its others; `path` is what names the thing that
 * stands in the way.
 */
export function refuseBecause(code: Reason, message: Words, path = 'name'): Refusal {
  return new Refusal('validation_failed', message, [{ path, message, code }]);
}

/** Most mistakes that a refusal names; the others are counted. */
const MOST_DETAILS = 20;

/** A refusal of several values at once. */
export function refuseValues(details: readonly Detail[]): Refusal {
  const named = details.slice(0, MOST_DETAILS);
  const others = details.length - named.length;
  const message = named.map(({ path, message: mistake }) => `${path}: ${String(mistake)}`).join('; ');
  return new Refusal('validation_failed', others > 0 ? `${message}; and ${others} more` : message, named);
}

/** The same where the caller may not do it, in any state of things. */
export function forbidBecause(code: ForbiddenReason, message: Words, path = 'name'): Refusal {
  return new Refusal('forbidden', message, [{ path, message, code }]);
}

/** The same where what was shown does not prove who the caller is. */
export function refuseProof(code: UnprovenReason, message: Words, path: string): Refusal {
  return new Refusal('unauthenticated', message, [{ path, message, code }]);
}

/** The error that a GraphQL error wraps; any other error is its own root. */
export function rootOf(error: unknown): unknown {
  const inner = error instanceof Error && 'originalError' in error ? error.originalError : undefined;
  return inner ? rootOf(inner) : error;
}

/** Settings of a process are missing or wrong; its message names the variables and fits one line. */
export class ConfigError extends Error {}

/** Reason of an error; of each server, where several were asked. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
