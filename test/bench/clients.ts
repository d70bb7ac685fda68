import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Run } from './measure.ts';

/** Concurrent clients, which is also each side's number of database connections. */
export const CLIENTS = 16;

export interface Client {
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** An answer that is no 200. */
export class Unexpected extends Error {
  readonly status: number;

  constructor(what: string, status: number, text: string) {
    super(`${what}: ${status} ${text}`);
    this.status = status;
  }
}

/**
 * A client that keeps its connections, and fails on anything but a 200; null: it shows no key. A careful one sends an
 * idempotency key with each change, as the client library does.
 */
export function httpClient(
  origin: string,
  key: string | null,
  { careful = false, connections = CLIENTS, headers: more = {} } = {},
): Client {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const send = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> => {
    const headers = {
      ...more,
      ...(key !== null && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...(careful && method === 'POST' && { 'idempotency-key': randomUUID() }),
    };
    const answer = await pool.request({
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Unexpected(`${method} ${path}`, answer.statusCode, text);
    return JSON.parse(text);
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    close: () => pool.close(),
  };
}

/** One request, as it is sent again and again. */
export interface Repeated {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body to post. Without it, the request is a GET. */
  readonly body?: string;
}

/** Sends the request once and checks its answer, before anything is measured with it. */
export async function ask({ url, headers, body }: Repeated): Promise<Response & { readonly bytes: string }> {
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  const bytes = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${bytes}`);
  return Object.assign(response, { bytes });
}

/** Sends a request again and again for so long. Fails unless every answer is the one that is expected, to the byte. */
export async function repeat({ url, headers, body }: Repeated, expected: string, milliseconds: number): Promise<Run> {
  const result = await autocannon({
    url,
    headers,
    ...(body !== undefined && { method: 'POST' as const, body }),
    connections: CLIENTS,
    duration: milliseconds / 1_000,
    expectBody: expected,
  });
  const failed = result.errors + result.non2xx + result.mismatches;
  if (failed > 0) throw new Error(`${url}: ${failed} of ${result.requests.total} answers are not the expected one`);
  return { done: result.requests.total, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}
