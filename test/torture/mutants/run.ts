import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CODES, type Report, type Result } from '../report/report.ts';
import { MUTANTS, breakFile } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Parts of the repository that the suite needs in addition to its packages. */
const PARTS = ['src', 'rest', 'prisma', 'test', 'package.json', 'schema.graphql'];
/** Each scenario does the least that it can. */
const LEAST = ['--minutes', '0.01', '--at-most', '40', '--seed', '1', '--report', 'report'];

interface Choice {
  /** The names of some scenarios, whose faults alone are tried. */
  readonly only: readonly string[] | undefined;
  /** Text of the names of the faults that are tried. */
  readonly fault: string;
  readonly signal: AbortSignal;
}

/**
 * Runs scenarios on the product as it is, and then each fault's scenario on a copy with that fault; the code to end with.
 */
export async function runMutants({ only, fault, signal }: Choice): Promise<number> {
  const chosen = MUTANTS.filter(({ name, scenario }) => (only?.includes(scenario) ?? true) && name.includes(fault));
  if (chosen.length === 0)
    throw new Error(`There is no such fault; there are\n${MUTANTS.map(({ name }) => name).join('\n')}`);
  const broken = chosen.map((mutant) => ({
    ...mutant,
    text: breakFile(readFileSync(join(ROOT, mutant.file), 'utf8'), mutant),
  }));
  const folder = mkdtempSync(join(tmpdir(), 'rail-mutants-'));
  try {
    for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const unbroken = await tortureIn(folder, [...new Set(broken.map(({ scenario }) => scenario))], signal);
    for (const result of unbroken) say(result.outcome, result, 'without a fault');
    let found = 0;
    for (const { name, file, text, scenario } of broken) {
      if (signal.aborted) break;
      const path = join(folder, file);
      const sound = readFileSync(path);
      writeFileSync(path, text);
      const [result] = await tortureIn(folder, [scenario], signal);
      writeFileSync(path, sound);
      const isFound = result!.outcome === 'lost' || result!.outcome === 'broke off';
      say(isFound ? 'found' : 'SURVIVES', result!, name);
      if (isFound) found++;
    }
    const held = unbroken.every(({ outcome }) => outcome === 'held');
    process.stdout.write(
      `${found} of ${broken.length} faults found; without a fault ${held ? 'all held' : 'NOT ALL HELD'}\n`,
    );
    if (signal.aborted) return CODES.notRun;
    return held && found === broken.length ? CODES.held : CODES.lost;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A row of the table: what came of a fault, and by which loss. */
function say(verdict: string, { name, seconds, losses, why }: Result, fault: string): void {
  const by = (losses[0] ?? why ?? '').replaceAll(/\s+/g, ' ').slice(0, 100);
  process.stdout.write(
    `${verdict.padEnd(9)} ${name.padEnd(15)} ${String(Math.round(seconds)).padStart(4)} s  ${fault}${by && ` | ${by}`}\n`,
  );
}

/** Runs scenarios of a folder; what came of each. */
async function tortureIn(folder: string, only: readonly string[], signal: AbortSignal): Promise<readonly Result[]> {
  const args = ['test/torture/main.ts', '--only', only.join(','), ...LEAST];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const stop = () => child.kill('SIGINT');
  signal.addEventListener('abort', stop);
  await once(child, 'exit');
  signal.removeEventListener('abort', stop);
  const report = join(folder, 'report');
  const { results } = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')) as Report;
  rmSync(report, { recursive: true });
  return results;
}
