/** Every error code a caller can see, with the HTTP status that it travels under. */
export const statusOf = {
  malformed_request: 400,
  unauthenticated: 401,
  invalid_signature: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_mismatch: 422,
  internal_error: 500,
  adapter_failed: 502,
  unavailable: 503,
  adapter_timeout: 504,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** What exactly is wrong with one value of the input. */
export interface Detail {
  /** Where it is, as the caller wrote it: `lines[0].service`. */
  readonly path: string;
  readonly message: string;
}

/** A request is turned down for a reason that its caller is told. Everything else thrown is a fault of the rail, and masked. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Detail[];

  constructor(code: ErrorCode, message: string, details: readonly Detail[] = []) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }
}

/** A refusal of one named value. */
export function invalid(path: string, message: string): Refusal {
  return new Refusal('validation_failed', `${path}: ${message}`, [{ path, message }]);
}

/** The error that a GraphQL error wraps; any other error is its own root. */
export function rootOf(error: unknown): unknown {
  const inner = error instanceof Error && 'originalError' in error ? error.originalError : undefined;
  return inner ? rootOf(inner) : error;
}
