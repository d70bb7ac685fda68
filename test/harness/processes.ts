import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Not the whole environment: the test runner keeps a MODE and a BASE_URL of its own in it. */
const INHERITED = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE', 'GRAPHQL_EXECUTOR'].flatMap((name) =>
    process.env[name] ? [[name, process.env[name]]] : [],
  ),
);

/**
 * Tests of limits and of stopping set their own; no other is to run into one, or to wait for a load balancer that is
 * not there.
 */
const DEFAULTS = {
  RATE_LIMIT_KEY: '10000000',
  RATE_LIMIT_ADDRESS: '10000000',
  RATE_LIMIT_ANONYMOUS: '10000000',
  RATE_LIMIT_FIGURES: '10000000',
  MAX_IN_FLIGHT: '1000',
  DRAIN_SECONDS: '0',
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Node's flags of `npm start`, so that tests and measurements run what is deployed. */
const NODE_FLAGS = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

/** Characters of a log that are kept. */
const KEPT_LOG = 20_000;

const ADDRESS = /listening on (https?:\S+)/;

export interface Served {
  readonly origin: string;
  /** The end of its log, to be shown where something is wrong; empty where its log goes to a file. */
  log(): string;
  /** True while it runs. */
  alive(): boolean;
  /** CPU time that the process has used so far, in milliseconds. */
  cpuMs(): number;
  /** Memory that it holds at present, in MiB. */
  memoryMiB(): number;
  /** Files and sockets that it has open at present. */
  openFiles(): number;
  /** Asks it to stop, and answers the code that it ended with. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it without a chance to tidy up. */
  kill(): Promise<void>;
}

interface Begun {
  readonly child: ChildProcess;
  /** Ends it by a signal, and answers the code that it ended with. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Options for starting a process. */
interface Start {
  /** A file for its output. */
  readonly log?: string;
  /** Flags for Node; those of `npm start` by default. */
  readonly flags?: readonly string[];
}

/** Starts a script of this repo, and does not wait for anything. */
export function begin(
  script: string,
  env: Readonly<Record<string, string>>,
  { log, flags = NODE_FLAGS }: Start = {},
): Begun {
  const output = log === undefined ? 'pipe' : openSync(log, 'w');
  const child = spawn(process.execPath, [...flags, script], {
    cwd: ROOT,
    env: { ...INHERITED, ...DEFAULTS, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  if (output !== 'pipe') closeSync(output);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, 'exit');
    child.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  };
  return { child, end };
}

/**
 * Starts a script of this repo that prints the address it listens on, and waits until it does. The end of its log
 * is kept, or it goes to a file where one is named: reading it costs whoever measures.
 */
export async function serve(script: string, env: Readonly<Record<string, string>>, start: Start = {}): Promise<Served> {
  const { child, end } = begin(script, env, start);
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-KEPT_LOG)));
  const origin = await (start.log === undefined ? addressOf(child) : addressIn(start.log, child));
  return {
    origin,
    log: () => log,
    alive: () => child.exitCode === null && child.signalCode === null,
    cpuMs: () => cpuOf(child.pid!),
    memoryMiB: () => memoryOf(child.pid!),
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    stop: (signal = 'SIGTERM') => end(signal),
    signal: (signal) => void child.kill(signal),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** Runs a script to its end; what it printed, what of it as errors, and the code that it ended with. */
export async function run(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...INHERITED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}

/** Runs a script to its end, which has to be a good one, and answers what it printed. */
export async function capture(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, output, errors } = await run(script, args, env);
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}: ${errors}`);
  return output;
}

/** The address that a process says it listens on. */
export function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    child.once('exit', (code) => failed(new Error(`ended with ${code} before it listened`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      // Kept reading afterwards, so that its log never fills the pipe.
      if (output.length > 100_000) return;
      output += chunk.toString();
      const address = ADDRESS.exec(output);
      if (address) found(address[1]!);
    });
  });
}

/** The address that a process wrote into its log. */
async function addressIn(log: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null && child.signalCode === null) {
    const address = ADDRESS.exec(readFileSync(log, 'utf8'));
    if (address) return address[1]!;
    await sleep(20);
  }
  throw new Error(`ended with ${child.exitCode} before it listened`);
}

/** User and system time of a process from `/proc`, which counts in ticks of 10 ms. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memoryOf(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}
