import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request, and how long it took. */
export interface Shot {
  /** The status of the answer, or why there was none. */
  readonly status: number | string;
  readonly ms: number;
}

export interface Overload {
  /** Requests a second that were answered when as many clients as it takes waited for one answer after another. */
  readonly saturation: number;
  readonly shots: readonly Shot[];
  /** Probes while it lasted. */
  readonly probes: readonly Shot[];
  /** Time after it until a request was answered as quickly as it should be. */
  readonly recoveredMs: number;
}

export interface Load {
  readonly origin: string;
  /** The address that answers probes. */
  readonly ops: string;
  /** The request, with a credential. */
  readonly ask: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /** Requests that are to have been sent this many seconds after the beginning. */
  readonly arrived: (seconds: number, saturation: number) => number;
  readonly calibrateMs: number;
  readonly lastsMs: number;
}

const CLIENTS = 16;
const PROMPT_MS = 250;

/** Sends more than a rail can answer, whether it answers or not, as a crowd does; and asks its probes beside it. */
export async function overload({ origin, ops, ask, arrived, calibrateMs, lastsMs }: Load): Promise<Overload> {
  const agent = new Agent({ keepAlive: true, maxSockets: 5_000 });
  const shoot = () => send(origin, ask, agent);
  const saturation = await saturate(shoot, calibrateMs);

  const started = Date.now();
  const shots: Promise<Shot>[] = [];
  const probing = probe(ops, started + lastsMs);
  while (Date.now() - started < lastsMs) {
    while (shots.length < arrived((Date.now() - started) / 1_000, saturation)) shots.push(shoot());
    await sleep(5);
  }
  const ended = Date.now();
  for (;;) {
    const { status, ms } = await send(origin, ask, agent);
    if (status === 200 && ms < PROMPT_MS) break;
    if (Date.now() - ended > 60_000) break;
  }
  const recoveredMs = Date.now() - ended;
  const result = { saturation, shots: await Promise.all(shots), probes: await probing, recoveredMs };
  agent.destroy();
  return result;
}

/** The value below which so large a part of the times lies. */
export function quantile(shots: readonly Shot[], part: number): number {
  const times = shots.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}

async function saturate(shoot: () => Promise<Shot>, lastsMs: number): Promise<number> {
  const until = Date.now() + lastsMs;
  let answered = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (Date.now() < until) if ((await shoot()).status === 200) answered++;
    }),
  );
  return (answered / lastsMs) * 1_000;
}

/** Asks whether it is ready, each time over a connection of its own, as a load balancer does. */
async function probe(origin: string, until: number): Promise<Shot[]> {
  const probes: Shot[] = [];
  while (Date.now() < until) {
    const agent = new Agent();
    probes.push(await send(origin, { method: 'GET', path: '/readyz', headers: {} }, agent));
    agent.destroy();
    await sleep(100);
  }
  return probes;
}

function send(origin: string, { method, path, headers, body }: Load['ask'], agent: Agent): Promise<Shot> {
  const started = performance.now();
  return new Promise((done) => {
    const over = (status: Shot['status']) => done({ status, ms: performance.now() - started });
    const asking = request(origin + path, { method, headers, agent, timeout: 60_000 }, (answer) => {
      answer.resume();
      answer.on('end', () => over(answer.statusCode!));
      answer.on('error', (error) => over(error.message));
    });
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.on('error', (error) => over(error.message));
    asking.end(body);
  });
}
