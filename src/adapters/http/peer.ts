import {
  BrokenCircuitError,
  BulkheadRejectedError,
  type CircuitBreakerPolicy,
  CircuitState,
  ExponentialBackoff,
  type IPolicy,
  bulkhead,
  circuitBreaker,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel';
import { Agent, type Dispatcher, request } from 'undici';
import { type Span, SpanKind } from '@opentelemetry/api';
import { AdapterFailure } from '../failure.ts';
import { headersOfTrace, inSpan, inThisTrace } from '../tracing/tracing.ts';
import { BySender, type CalledFor, calling } from './by-sender.ts';
import { Rest } from './rest.ts';
import { stepAside } from './step-aside.ts';
import { parseJson } from './members.ts';

/** Address of an outside system, and the patience with it. */
export interface PeerOptions {
  /** Its address, without a trailing slash. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Calls at a time. */
  readonly concurrency: number;
  /** After so many failures in a row, of several senders, it is left alone for a while. */
  readonly breakerFailures: number;
  readonly breakerRestMs: number;
  /** PEM: whom to trust instead of the public authorities. */
  readonly ca?: string | undefined;
  /** PEM: with what to show who calls. */
  readonly identity?: { readonly cert: string; readonly key: string } | undefined;
}

export interface PeerRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A JSON body. */
  readonly json?: unknown;
  /** A form body. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** True if it may be repeated without harm: only then it is, twice at most. */
  readonly safe: boolean;
  readonly calledFor?: CalledFor | undefined;
}

export interface PeerAnswer {
  readonly status: number;
  /** The JSON that was answered; null where it was none. */
  readonly body: unknown;
  /** Set where it was sent before, without a usable answer: that try may have done what was asked. */
  readonly repeated?: true;
}

const RETRIES = 2;
const FIRST_RETRY_MS = 100;
/** Callers that wait for their turn, for each that has it. */
const WAITING_PER_TURN = 4;
const MOST_ANSWER_BYTES = 1024 * 1024;

/**
 * An outside system behind HTTP. Safe calls are repeated with jitter, calls at a time are capped, and one that only
 * fails is left alone for a while. Its protocol interprets its answers; that it does not answer is an
 * `AdapterFailure`.
 */
export class Peer {
  readonly name: string;
  readonly #options: PeerOptions;
  readonly #agent: Agent;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #rest: Rest;
  readonly #once: IPolicy;
  readonly #repeating: IPolicy;

  /** `isTrouble` tells an answer of a system that is unwell from one that means something. */
  constructor(name: string, options: PeerOptions, isTrouble: (answer: PeerAnswer) => boolean = isServerError) {
    this.name = name;
    this.#options = options;
    const { timeoutMs, concurrency, ca, identity } = options;
    this.#agent = new Agent({
      connections: concurrency,
      connect: { timeout: timeoutMs, ...(ca && { ca }), ...identity },
    });
    const trouble = handleWhen((error) => !isNotCalled(error)).orWhenResult((answer) =>
      isTrouble(answer as PeerAnswer),
    );
    this.#rest = new Rest(options.breakerRestMs);
    this.#breaker = circuitBreaker(trouble, {
      breaker: new BySender(options.breakerFailures),
      halfOpenAfter: this.#rest,
    });
    const turns = bulkhead(concurrency, concurrency * WAITING_PER_TURN);
    const again = retry(trouble, {
      maxAttempts: RETRIES,
      backoff: new ExponentialBackoff({ initialDelay: FIRST_RETRY_MS }),
    });
    this.#once = turns;
    this.#repeating = wrap(turns, again);
  }

  /** True if it is called at all at present: also by the call that finds out if it is well again. */
  get available(): boolean {
    return this.#breaker.state !== CircuitState.Open || this.#rest.isOver;
  }

  async ask(asked: PeerRequest): Promise<PeerAnswer> {
    const tries: Promise<PeerAnswer>[] = [];
    const policy = asked.safe ? this.#repeating : this.#once;
    // A call that waits for its turn is begun by the one before it.
    const send = inThisTrace(() => {
      const call = { calledFor: asked.calledFor, reached: true };
      const sendNow = () => {
        const sent = this.#sendTraced(asked).catch((error: unknown) => {
          call.reached = !wasNotReached(error);
          throw error;
        });
        tries.push(sent);
        return sent;
      };
      return calling.run(call, () => this.#breaker.execute(sendNow));
    });
    try {
      const answer = await stepAside(() => policy.execute(send)).catch((error: unknown) => {
        // A try that is not sent any more does not hide what became of the one before it.
        if (isNotCalled(error) && tries.length > 0) return tries.at(-1)!;
        throw error;
      });
      return tries.length > 1 ? { ...answer, repeated: true } : answer;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** A failure of this system. */
  failure(kind: AdapterFailure['kind'], message: string, options?: ErrorOptions): AdapterFailure {
    return new AdapterFailure(this.name, kind, `${this.name} ${message}`, options);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Each try is a span, without its path and query: they can name people. */
  #sendTraced(asked: PeerRequest): Promise<PeerAnswer> {
    const describe = () => ({
      name: `${asked.method} ${this.name}`,
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': asked.method,
        'server.address': new URL(this.#options.url).hostname,
        'rail.connection': this.name,
      },
    });
    return inSpan(describe, (span) => this.#send(asked, span));
  }

  async #send({ method, path, query, headers, json, form }: PeerRequest, span: Span | null): Promise<PeerAnswer> {
    const url = `${this.#options.url}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const content = json !== undefined ? 'application/json' : form ? 'application/x-www-form-urlencoded' : null;
    const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : null;
    // undici follows no redirect unless told to.
    const response = await request(url, {
      method,
      dispatcher: this.#agent,
      headers: {
        accept: 'application/json',
        'user-agent': 'revenue-rail',
        ...(content && { 'content-type': content }),
        ...headersOfTrace(),
        ...headers,
      },
      body,
      signal: AbortSignal.timeout(this.#options.timeoutMs),
    });
    span?.setAttribute('http.response.status_code', response.statusCode);
    return { status: response.statusCode, body: parseJson(await readText(response.body)) };
  }

  #explain(error: unknown): AdapterFailure {
    if (error instanceof AdapterFailure) return error;
    if (error instanceof BrokenCircuitError)
      return this.failure('unavailable', 'keeps failing and is left alone for a moment', { cause: error });
    if (error instanceof BulkheadRejectedError)
      return this.failure('unavailable', 'has more calls to answer than it can', { cause: error });
    const timeout = isTimeout(error);
    return this.failure(
      timeout ? 'timeout' : 'failed',
      timeout ? 'did not answer in time' : `could not be reached: ${codeOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

function isServerError({ status }: PeerAnswer): boolean {
  return status >= 500 || status === 429;
}

function isNotCalled(error: unknown): boolean {
  return error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError;
}

/** A whole body as text; one that is too large is an error. */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) throw new Error('The answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isTimeout(error: unknown): boolean {
  const names = ['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError'];
  return error instanceof Error && names.includes(error.name);
}

const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True if a call failed before there was a connection, so that it surely did nothing. */
export function wasNotReached(error: unknown): boolean {
  return NOT_REACHED.has(codeOf(error));
}

/** The code of a network error; its message can quote an address with its query. */
function codeOf(error: unknown): string {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ('code' in link && typeof link.code === 'string') return link.code;
  }
  return 'unknown reason';
}
