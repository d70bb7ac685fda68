import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `npm run torture -- [--minutes N | --full] [--only a,b] [--seed N] [--report FOLDER] [--at-most N] [--list]
                   [--mutants [--only a,b] [--fault TEXT]]

Kills, floods and deceives a rail of its own, and compares what was acknowledged with what there is.

It ends with 0 if all scenarios held, with 1 if anything was lost or broke off, and with 3 if nothing was lost but a
scenario was not run or interrupted.

--minutes  how long it may take; 20 unless it is given. Each scenario does what fits into its share.
--full     the full counts, however long they take; the same as --minutes 0
--only     these scenarios alone
--seed     makes the choices of an earlier run again; which request is first is up to the machine
--report   where report.md, report.json and report.html go; .data/torture unless it is given
--at-most  no more than so many of anything, to try a scenario
--list     what there is
--mutants  puts one known fault after another into a copy of the product, and ends with 0 if a scenario finds each and the
           product as it is held; with --only, the faults that these scenarios find
--fault    with --mutants, the faults whose name has this text
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string' },
    report: { type: 'string', default: '.data/torture' },
    'at-most': { type: 'string' },
    list: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

// Processes share compiled code.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** A number of an option, which has to be one. */
function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new Error(`--${name} takes a number, not “${text}”`);
  return number;
}

/**
 * Runs all of it in a process group of its own. Ctrl-C is for this process alone then: the rails and PostgreSQL go on
 * until what they acknowledged is compared.
 */
async function runApart(): Promise<number> {
  const child = fork(import.meta.filename, process.argv.slice(2), { detached: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGINT'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Runs the suite in this process; the code to end with. */
async function runHere(): Promise<number> {
  const interruption = new AbortController();
  process.on('SIGINT', () => interruption.abort());
  process.on('disconnect', () => interruption.abort());
  if (values.mutants) {
    const { runMutants } = await import('./mutants/run.ts');
    const { only, fault } = values;
    return runMutants({ only: only?.split(','), fault, signal: interruption.signal });
  }
  const { runSuite } = await import('./run/suite.ts');
  return runSuite({
    only: values.only?.split(','),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : numberOf('seed', values.seed),
    minutes: values.full ? 0 : numberOf('minutes', values.minutes),
    atMost: values['at-most'] === undefined ? Infinity : numberOf('at-most', values['at-most']),
    folder: values.report,
    signal: interruption.signal,
  });
}

if (values.help) process.stdout.write(USAGE);
else if (values.list) process.stdout.write((await import('./run/suite.ts')).listScenarios());
else if (process.send)
  process.exit(
    await runHere().catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      return 1;
    }),
  );
else process.exitCode = await runApart();
