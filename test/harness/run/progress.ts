import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite, Vitest } from 'vitest/node';

/** Says how far a run of many files is, and at its end which tests were skipped, and why. */
export default class Progress implements Reporter {
  #vitest!: Vitest;
  #files = 0;
  #ended = 0;
  #started = 0;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    this.#ended = 0;
    this.#started = performance.now();
  }

  onTestModuleEnd(): void {
    this.#ended++;
    const tenths = (files: number) => Math.floor((files * 10) / this.#files);
    if (this.#files < 20 || tenths(this.#ended) === tenths(this.#ended - 1)) return;
    const seconds = Math.round((performance.now() - this.#started) / 1_000);
    this.#vitest.logger.log(`\n ${this.#ended} of ${this.#files} files in ${seconds} s\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    for (const [reason, tests] of Map.groupBy(skipped, reasonOf))
      this.#vitest.logger.log(` Skipped ${tests.length}: ${reason}`);
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note) return result.note;
  if (test.tags.includes('long')) return 'they take long (npm run test:long)';
  // The group that was skipped says in brackets what is missing.
  const groups: string[] = [];
  for (let group: TestCase | TestSuite | TestModule = test; group.type !== 'module'; group = group.parent)
    groups.push(group.name);
  const missing = groups.map((name) => /\(([^()]*(?:\([^()]*\))?[^()]*)\)$/.exec(name)?.[1]).findLast(Boolean);
  return missing ?? `${test.module.relativeModuleId}: ${groups.at(-1)}`;
}
