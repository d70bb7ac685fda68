import { randomUUID } from 'node:crypto';
import { Patience } from '../../harness/run/patience.ts';
import type { Place } from './place.ts';
import type { Context } from './scenario.ts';

/** An answer to a request of a scenario; status 0 where there was none. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Request {
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const NO_HEADERS = new Headers();

/** Sends one request, regardless of the answer. */
export async function ask(url: string, { key, body, headers = {}, timeoutMs = 30_000 }: Request = {}): Promise<Reply> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    return { status: 0, text: String(error), headers: NO_HEADERS };
  }
}

/** Sends a request to any process of a rail, under one idempotency key, until it is answered for good. */
export function askForGood(context: Context, place: Place, path: string, request: Request): Promise<Reply> {
  const headers = { 'idempotency-key': randomUUID(), ...request.headers };
  return new Patience().ask(() => ask(context.of(place.origins) + path, { ...request, headers }));
}

/** The document that an answer tells of. */
export function dataOf({ status, text }: Reply): unknown {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return (JSON.parse(text) as { data: unknown }).data;
}
