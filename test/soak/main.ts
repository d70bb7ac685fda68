import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

const USAGE = `npm run soak -- [--minutes N] [--every N] [--rate N] [--record]

Has a rail of its own do a steady mix of work, and says what of it grows: payments, lookups, webhooks to an endpoint
that answers and to one that hangs, figures, exports and long polls whose clients hang up, streams and polls that go on, and sign-ups.

It ends with 0 if nothing grew beyond its bound, with 1 if something did, and with 2 if it could not run to its end.

--minutes  how long it works; 30 unless it is given. What it shows in less than 10 is little.
--every    seconds between two samples; 15 unless it is given
--rate     payments a second; 2 unless it is given
--record   puts the result into docs/performance.md
`;

/** Exit codes. */
const CODES = { holds: 0, grows: 1, notRun: 2 };

interface Given {
  readonly minutes: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly record: boolean;
}

/** Options of the command line; null if help is asked for. */
function readArguments(): Given | null {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      every: { type: 'string', default: '15' },
      rate: { type: 'string', default: '2' },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const numberOf = (name: 'minutes' | 'every' | 'rate') => {
    const number = Number(values[name]);
    if (!(number > 0 && number < Infinity)) throw new Error(`--${name} takes a number above 0, not “${values[name]}”`);
    return number;
  };
  return {
    minutes: numberOf('minutes'),
    seconds: numberOf('every'),
    perSecond: numberOf('rate'),
    record: values.record,
  };
}

/** Runs in a process group of its own: Ctrl-C is for this process alone then, and what it started is ended in order. */
async function runApart(): Promise<number> {
  const child = fork(import.meta.filename, process.argv.slice(2), { detached: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGINT'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? CODES.notRun;
}

async function runHere({ record, ...given }: Given): Promise<number> {
  const interruption = new AbortController();
  process.on('SIGINT', () => interruption.abort());
  process.on('disconnect', () => interruption.abort());
  const { soak } = await import('./run.ts');
  const { writeRecord, writeTable } = await import('./record.ts');
  const say = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  const soaked = await soak({ ...given, signal: interruption.signal, say });
  if (!soaked) return CODES.notRun;
  const table = writeTable(soaked, new Date());
  process.stdout.write(`${table}\n`);
  if (record) writeRecord(table);
  return soaked.failures.length > 0 ? CODES.grows : CODES.holds;
}

try {
  const given = readArguments();
  if (!given) process.stdout.write(USAGE);
  else if (process.send) process.exit(await runHere(given));
  else process.exitCode = await runApart();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(CODES.notRun);
}
