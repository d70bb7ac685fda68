import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { flow } from '../flows/flow.ts';
import type { FlowSubject } from '../flows/subjects.ts';

/** More than ever wait at a time. */
const CONNECTIONS = 1_000;
const PROBE_EVERY_MS = 100;

/** The requests of a while, by outcome, with the milliseconds that each took. */
export interface Seen {
  readonly flows: { begun: number; whole: number };
  /** Requests that were answered with a 200. */
  readonly accepted: number[];
  /** Requests that were turned away, to be sent again later. */
  readonly shed: number[];
  /** The number of requests with each other answer, or none. */
  readonly failed: Map<string, number>;
  /** `/readyz`, asked every tenth of a second. */
  readonly ready: number[];
  readonly notReady: number[];
}

export interface Load {
  readonly origins: readonly string[];
  readonly key: string;
  /** The subject of the next flow. */
  next(): FlowSubject;
  readonly perSecond: number;
  readonly seconds: number;
}

class Ended extends Error {}

/**
 * Begins so many flows a second whatever becomes of those before, as callers who know nothing of one another do, and
 * waits for the last of them. A flow one of whose requests is not answered with a 200 ends there.
 */
export async function runOpenLoop({ origins, key, next, perSecond, seconds }: Load): Promise<Seen> {
  const pools = origins.map((origin) => new Pool(origin, { connections: CONNECTIONS, headersTimeout: 60_000 }));
  const seen: Seen = {
    flows: { begun: 0, whole: 0 },
    accepted: [],
    shed: [],
    failed: new Map(),
    ready: [],
    notReady: [],
  };
  const probing = new AbortController();
  const probes = pools.map((pool) => probe(pool, seen, probing.signal));
  const flows: Promise<void>[] = [];
  const from = performance.now();
  while (performance.now() - from < seconds * 1_000) {
    const due = ((performance.now() - from) / 1_000) * perSecond;
    for (; seen.flows.begun < due; seen.flows.begun++) {
      // A flow stays with the process that it began at, as behind a load balancer that keeps connections.
      const pool = pools[seen.flows.begun % pools.length]!;
      flows.push(runFlow(pool, key, next(), seen));
    }
    await sleep(2);
  }
  await Promise.all(flows);
  probing.abort();
  await Promise.all(probes);
  await Promise.all(pools.map((pool) => pool.close()));
  return seen;
}

async function runFlow(pool: Pool, key: string, subject: FlowSubject, seen: Seen): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (path: string, body?: unknown): Promise<unknown> => {
    const from = performance.now();
    const { status, text } = await answerOf(pool, 'POST', path, headers, body);
    const took = performance.now() - from;
    if (status === '200') {
      seen.accepted.push(took);
      return JSON.parse(text);
    }
    if (status === '429' || status === '503') seen.shed.push(took);
    else seen.failed.set(status, (seen.failed.get(status) ?? 0) + 1);
    throw new Ended();
  };
  try {
    await flow({ post }, subject);
    seen.flows.whole++;
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
}

async function probe(pool: Pool, seen: Seen, signal: AbortSignal): Promise<void> {
  const asked: Promise<void>[] = [];
  while (!signal.aborted) {
    asked.push(
      (async () => {
        const from = performance.now();
        const { status } = await answerOf(pool, 'GET', '/readyz', {});
        (status === '200' ? seen.ready : seen.notReady).push(performance.now() - from);
      })(),
    );
    await sleep(PROBE_EVERY_MS);
  }
  await Promise.all(asked);
}

/** The answer to a request; if there is none, the reason takes the place of the status. */
async function answerOf(
  pool: Pool,
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<{ status: string; text: string }> {
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await pool.request({ method, path, headers, ...sent });
    return { status: String(answer.statusCode), text: await answer.body.text() };
  } catch (error) {
    return { status: error instanceof Error && 'code' in error ? String(error.code) : String(error), text: '' };
  }
}
