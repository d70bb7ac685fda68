import { RailError, bodyOf, refusalOf, troubleOf } from './errors.ts';

/** Address of the rail, and the caller's credentials. */
export interface ClientOptions {
  /** Address of the rail: `https://rail.example`. */
  readonly baseUrl: string;
  /** A key of an integrator. */
  readonly key?: string | undefined;
  /** A token of an agency, or what gets one that still holds. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** On a page of the rail itself: whether the cookie of who is signed in is sent. */
  readonly session?: boolean | undefined;
  /** Longest time of one attempt; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** Number of further tries of a call; 3 by default. */
  readonly retries?: number | undefined;
  /** Function that sends requests, such as one that goes through a proxy. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** The key under which a change happens once, for 24 hours; one is made up for each call that has none. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the call, with all of its attempts. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** Further header fields, such as `X-Purpose`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Single = string | number | boolean;
type Parameter = Single | readonly Single[] | Readonly<Record<string, Single>> | null | undefined;

export interface Input extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** The longest time that a call waits for its next attempt because the rail said so. */
const LONGEST_WAIT_S = 60;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Sends a request until it is answered, and reads the answer within the time of the attempt. Repeating is safe: each
 * attempt at a change has the same idempotency key.
 */
export async function send<T>(
  client: ClientOptions,
  method: string,
  path: string,
  input: Input,
  read: (response: Response) => Promise<T> | T,
): Promise<T> {
  const url = addressOf(client.baseUrl, path, input);
  const request = { method, credentials: client.session ? 'same-origin' : 'omit', ...contentOf(input.body) } as const;
  const headers = {
    accept: 'application/json',
    ...(method !== 'GET' && { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() }),
    ...request.headers,
    ...input.headers,
  };
  const retries = input.retries ?? client.retries ?? 3;
  const timeoutMs = input.timeoutMs ?? client.timeoutMs ?? 30_000;
  for (let failures = 0; ; failures += 1) {
    input.signal?.throwIfAborted();
    try {
      const authorization = await authorizationOf(client);
      return await attempt({ ...request, headers: { ...authorization, ...headers } });
    } catch (error) {
      input.signal?.throwIfAborted();
      const pauseMs = failures < retries ? pauseAfter(error, failures) : null;
      if (pauseMs === null) throw error;
      await sleep(pauseMs, input.signal);
    }
  }

  async function attempt(init: RequestInit): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signal = input.signal ? AbortSignal.any([late.signal, input.signal]) : late.signal;
    try {
      const response = await (client.fetch ?? fetch)(url, { ...init, signal });
      if (!response.ok) throw refusalOf(response, await bodyOf(response));
      return await read(response);
    } catch (error) {
      if (error instanceof RailError) throw error;
      if (late.signal.aborted)
        throw troubleOf('timed_out', `${method} ${path}: no answer within ${timeoutMs} ms`, error);
      throw troubleOf('unreachable', `${method} ${path}: ${client.baseUrl} cannot be reached`, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function addressOf(baseUrl: string, template: string, { path = {}, query = {} }: Input): string {
  const values = new Map<string, unknown>(Object.entries(path));
  const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => fieldsOf(name, value)),
  ).toString();
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search && `?${search}`}`;
}

/** A parameter of a query: the members of a list are one value, `mda,month`, those of an object each have their own. */
function fieldsOf(name: string, value: Parameter): [string, string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, `${value}`]];
  if (Array.isArray(value)) return [[name, value.join()]];
  return Object.entries(value).map(([key, member]) => [`${name}[${key}]`, `${member}`]);
}

/** A body with its type: all that the rail takes as text is CSV. */
function contentOf(body: unknown): { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } {
  if (body === undefined) return {};
  if (typeof body === 'string') return { body, headers: { 'content-type': 'text/csv' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function authorizationOf({ key, token }: ClientOptions): Promise<Readonly<Record<string, string>>> {
  const credential = key ?? (typeof token === 'function' ? await token() : token);
  return credential === undefined ? {} : { authorization: `Bearer ${credential}` };
}

/** Pause before the next attempt; null if another one does not help. */
function pauseAfter(error: unknown, failures: number): number | null {
  if (!(error instanceof RailError)) return null;
  const { status, code, retryAfter } = error;
  const passes = [0, 429, 500, 502, 503, 504].includes(status) || code === 'idempotency_in_progress';
  if (!passes) return null;
  // Callers that were refused together do not come back together.
  if (retryAfter !== null)
    return retryAfter <= LONGEST_WAIT_S ? retryAfter * 1_000 + Math.random() * FIRST_PAUSE_MS : null;
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
