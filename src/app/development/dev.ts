import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataDirOf } from '../../platform/config/data-dir.ts';

const HELP = `npm run dev

Starts the rail as npm start does, with the same environment, and starts it again after each change of src, rest or prisma. Mail that a
sandbox captures is printed as it is sent.
`;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WATCHED = ['src', 'rest', 'prisma'];
/** Files that are saved together restart it once. */
const SETTLE_MS = 200;

/** Runs the rail, again after each change, until a signal ends it. */
async function develop(): Promise<void> {
  printMail(join(dataDirOf(process.env), 'mail'));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  while (!stop.signal.aborted) {
    const rail = spawn(process.execPath, ['src/app/main.ts'], { cwd: ROOT, stdio: 'inherit', detached: true });
    const ended = once(rail, 'exit');
    const changed = await nextChange(stop.signal);
    if (changed !== null) process.stdout.write(`\n${changed} changed: starting again\n`);
    await end(rail, ended);
  }
}

/** The first file that changes, once those that change with it have; null where the signal comes first. */
async function nextChange(signal: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const watchers = WATCHED.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, (_, name) => resolve(join(folder, name ?? ''))),
  );
  signal.addEventListener('abort', () => resolve(null), { once: true });
  const changed = await promise;
  for (const watcher of watchers) watcher.close();
  if (changed !== null) await sleep(SETTLE_MS);
  return changed;
}

async function end(rail: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (rail.exitCode === null && rail.signalCode === null) rail.kill('SIGTERM');
  await ended;
}

/** Beginning of the part of a letter that repeats it as HTML. */
const HTML_PART = /\r?\n--\S+\r?\nContent-Type: text\/html/;

/** Prints each letter that is written into a folder, as text. */
function printMail(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  watch(folder, (_, name) => {
    const path = join(folder, name ?? '');
    if (path.endsWith('.eml') && existsSync(path))
      process.stdout.write(`\n${readFileSync(path, 'utf8').split(HTML_PART)[0]}\n`);
  }).unref();
}

if (process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) process.stdout.write(HELP);
else await develop();
