import { STATUS_CODES } from 'node:http';
import type { Passing } from '../src/platform/call/answers.ts';
import { refusalHeaders } from '../src/platform/call/limits/limits.ts';
import { type ErrorCode, Refusal, statusOf } from '../src/kernel/refusal.ts';

/** An answer before it is written: JSON in the envelope. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly passing?: Passing;
  /** The bytes that are answered, where they go on; instead of the body. */
  readonly stream?: AsyncIterable<Uint8Array>;
}

interface ErrorEnvelope {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: Refusal['details'] };
}

/** A refusal in the error envelope. */
export function answerRefusal(refusal: Refusal): Outcome {
  const { code, message, details } = refusal;
  const envelope: ErrorEnvelope = { error: { code, message, ...(details.length > 0 && { details }) } };
  return { status: statusOf[code], body: JSON.stringify(envelope), headers: refusalHeaders(refusal) };
}

/**
 * An outcome in the form that the client asked for: problem details (RFC 9457) instead of the error envelope, if it
 * prefers them.
 */
export function represent(
  outcome: Outcome,
  prefersProblem: boolean,
  requestId: string,
): { type: string; body: string } {
  if (outcome.status < 400 || !prefersProblem) {
    return { type: 'application/json; charset=utf-8', body: outcome.body };
  }
  const { error } = JSON.parse(outcome.body) as ErrorEnvelope;
  const { code, message: detail, details } = error;
  const problem = {
    type: `urn:revenue-rail:error:${code}`,
    title: STATUS_CODES[outcome.status]!,
    status: outcome.status,
    detail,
    instance: requestId,
    code,
    ...(details && { details }),
  };
  return { type: 'application/problem+json', body: JSON.stringify(problem) };
}
