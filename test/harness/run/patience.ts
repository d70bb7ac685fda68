import { setTimeout as sleep } from 'node:timers/promises';

/** Answers that say nothing for good: the same request is sent again under the same key. */
export const PASSING: readonly number[] = [0, 409, 429, 502, 503, 504];

/** A request that takes longer hangs. */
const HUNG_MS = 30_000;

/** Sends each request until it is answered for good, for a minute. Once that was in vain, it sends each request once. */
export class Patience {
  #ms: number;

  constructor(ms = 60_000) {
    this.#ms = ms;
  }

  async ask<Reply extends { readonly status: number }>(send: () => Promise<Reply>): Promise<Reply> {
    const end = performance.now() + this.#ms;
    for (let wait = 25; ; wait = Math.min(wait * 2, 500)) {
      const reply = await send();
      if (!PASSING.includes(reply.status)) return reply;
      if (performance.now() > end) this.#ms = 0;
      if (this.#ms === 0) return reply;
      await sleep(wait);
    }
  }
}

export interface Posted {
  /** 0: the connection was refused, or ended before there was an answer. */
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

const NO_HEADERS = new Headers();

/** Posts JSON, regardless of the answer. */
export async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(HUNG_MS),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (error) {
    return { status: 0, text: String(error), headers: NO_HEADERS };
  }
}
