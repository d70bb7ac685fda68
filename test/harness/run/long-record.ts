import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PATH = `${ROOT}node_modules/.cache/test-long.json`;

/** The seconds of each file that passed at a commit. */
interface Record {
  readonly commit: string;
  readonly seconds: { [file: string]: number };
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
/** The commit that is tested; null where the working tree has changes or is no repository: nothing is said of it later. */
function commit(): string | null {
  if (!existsSync(`${ROOT}.git`)) return null;
  return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
}

function readRecord(): Record | null {
  if (!existsSync(PATH)) return null;
  const record = JSON.parse(readFileSync(PATH, 'utf8')) as Record;
  return record.commit === commit() ? record : null;
}

/** The files that passed at this commit in a run before, which need not run again. */
export const listPassed = (): string[] => Object.keys(readRecord()?.seconds ?? {});

/** Keeps which files passed at this commit, as soon as each has, and prints how long they took. */
export default class LongRecord implements Reporter {
  readonly #seconds: { [file: string]: number } = { ...readRecord()?.seconds };
  #vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    const count = Object.keys(this.#seconds).length;
    if (count > 0) vitest.logger.log(` ${count} files passed at this commit before, and do not run again (${PATH})`);
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.state() !== 'passed') return;
    this.#seconds[relative(ROOT, module.moduleId)] = Math.round(module.diagnostic().duration / 1_000);
    const tested = commit();
    if (tested === null) return;
    mkdirSync(dirname(PATH), { recursive: true });
    writeFileSync(PATH, JSON.stringify({ commit: tested, seconds: this.#seconds } satisfies Record, null, 2));
  }

  onTestRunEnd(): void {
    for (const [file, seconds] of Object.entries(this.#seconds).toSorted(([, a], [, b]) => b - a))
      this.#vitest.logger.log(`${String(seconds).padStart(6)} s  ${file}`);
  }
}
