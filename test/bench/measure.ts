import { Pool } from 'undici';
import type { Report } from './report.ts';

export const CLIENTS = 16;
const ROUNDS = 7;

/** One way of doing a job, run for a while by concurrent clients. */
export interface Side {
  readonly label: string;
  /** Does the job once. */
  once(client: number): Promise<void>;
  /** CPU time used so far by the process that serves it, in milliseconds. */
  cpuMs(): number;
}

export interface Rate {
  readonly perSecond: number;
  readonly cpuMs: number;
}

async function run({ once, cpuMs }: Side, milliseconds: number): Promise<Rate> {
  const from = performance.now();
  const cpuFrom = cpuMs();
  const until = from + milliseconds;
  let done = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (performance.now() < until) {
        await once(client);
        done++;
      }
    }),
  );
  return { perSecond: done / ((performance.now() - from) / 1_000), cpuMs: (cpuMs() - cpuFrom) / done };
}

/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Warms both sides, runs them in turns, and judges the median of the rounds' ratios. */
export async function compare(
  report: Report,
  what: string,
  ours: Side,
  peer: Side,
  target: number,
  seconds: number,
): Promise<void> {
  // Long enough for both sides' compilers to settle.
  for (const side of [ours, peer]) await run(side, Math.max(8, 2 * seconds) * 1_000);
  const rounds: { ours: Rate; peer: Rate }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = round % 2 ? [peer, ours] : [ours, peer];
    const a = await run(first, seconds * 1_000);
    const b = await run(second, seconds * 1_000);
    rounds.push(round % 2 ? { ours: b, peer: a } : { ours: a, peer: b });
  }
  const row = (side: Side, rates: readonly Rate[]) => [
    side.label,
    median(rates.map(({ perSecond }) => perSecond)),
    median(rates.map(({ cpuMs }) => cpuMs)),
  ];
  report.table(
    [what, 'a second', 'ms of CPU'],
    [
      row(
        ours,
        rounds.map((round) => round.ours),
      ),
      row(
        peer,
        rounds.map((round) => round.peer),
      ),
    ],
  );
  const ratios = rounds.map((round) => round.ours.perSecond / round.peer.perSecond);
  report.judge({
    what,
    figure: median(ratios),
    unit: '×',
    range: [Math.min(...ratios), Math.max(...ratios)],
    target: { atLeast: target },
  });
}

export interface Client {
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** A client that keeps its connections, and fails on anything but a 200. */
export function httpClient(origin: string, key: string): Client {
  const pool = new Pool(origin, { connections: CLIENTS, pipelining: 1 });
  const send = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await pool.request({
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    close: () => pool.close(),
  };
}
