import type { Code, Field, Reason, Schemas, Trouble } from './types.ts';

interface About {
  readonly status: number;
  readonly code: Code;
  readonly fields?: readonly Field[];
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** A call that did not succeed: the rail refused it, or could not be asked. */
export class RailError extends Error {
  override readonly name = 'RailError';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Exact cause: the reason of a refusal, or else the error code. */
  readonly reason: Reason;
  /** The error code, such as `validation_failed`, which several reasons share. */
  readonly code: Code;
  /** Faults of the request, each with its value. */
  readonly fields: readonly Field[];
  /** Quote it to operators. */
  readonly requestId: string | null;
  /** The seconds after which to try again, where the rail says so. */
  readonly retryAfter: number | null;

  constructor(message: string, { status, code, fields = [], requestId = null, retryAfter = null, cause }: About) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.reason = fields.find((field) => field.code)?.code ?? code;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Error for a missing answer. */
export function troubleOf(code: Trouble, message: string, cause: unknown): RailError {
  return new RailError(message, { status: 0, code, cause });
}

/** The object that an answer says in JSON; undefined if it says anything else. */
export async function bodyOf(response: Response): Promise<object | undefined> {
  const text = await response.text();
  if (!/^application\/json\b/.test(response.headers.get('content-type') ?? '')) return undefined;
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Failure in an answer of the GraphQL endpoint. */
interface Failed {
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: Code } }[];
}

/** Error for an answer that is no success, or none of a rail. */
export function refusalOf({ status, headers }: Response, body: object | undefined): RailError {
  const retryAfter = Number(headers.get('retry-after')) || null;
  const about = { status, requestId: headers.get('x-request-id'), retryAfter };
  const { error, errors = [] } = (body ?? {}) as Partial<Schemas['Error']> & Failed;
  const [failed] = errors;
  if (failed) return new RailError(failed.message, { ...about, code: failed.extensions?.code ?? 'unexpected_answer' });
  return error
    ? new RailError(error.message, { ...about, code: error.code, fields: error.details ?? [] })
    : new RailError(`The answer, of status ${status}, is not that of a rail`, { ...about, code: 'unexpected_answer' });
}
