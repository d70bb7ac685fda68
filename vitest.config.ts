import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { DEADLINES } from './test/harness/run/deadlines.ts';
import LongRecord, { listPassed } from './test/harness/run/long-record.ts';
import Progress from './test/harness/run/progress.ts';

// What one process has compiled, others need not: those of tests, and those that tests start.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Forms of tests that take minutes or load the machine; `npm run test:long` runs them alone, one file after another. */
const LONG = ['test/**/*.long.test.ts'];
/** Files that make more in the long run (`sizeOf`), or have tests for it alone (`tags: 'long'`). */
const LONGER = globSync('test/**/*.test.ts').filter((path) =>
  /tags: 'long'|\/chaos\/size\.ts'/.test(readFileSync(path, 'utf8')),
);
/** What others make, which `npm run test:compat` installs and tries. */
const COMPAT = ['test/compat/**/*.test.ts'];
/** Not tests: what looks at pages and keeps pictures of them, by `npm run shots`. */
const SHOTS = ['test/**/*.shots.ts'];
/** The image, built and run by podman, by `npm run test:image`. */
const IMAGE = ['test/**/*.podman.ts'];
/** What measures its process, or changes what all in it share: each file in a process of its own. */
const APART = ['test/apart/**/*.test.ts'];

/** Pages take long for the size of their files, by which others are ordered where it is not known how long they took. */
const SLOW = [
  'test/app/development/checks.test.ts',
  'test/app/process/two-processes.test.ts',
  'test/app/process/stopping.test.ts',
  'test/platform/analytics/writers.test.ts',
  'test/adapters/collections.test.ts',
  'test/site/staff/crawl.test.ts',
  'test/site/pages/every-page.test.ts',
  'test/platform/walls/rest.test.ts',
  'test/graphql/graph/access-rows.test.ts',
  'test/app/documentation/documentation.test.ts',
  'test/platform/analytics/copy.test.ts',
  'test/collection/approvals.test.ts',
  'test/rest/roles.test.ts',
  'test/accounts/keys/credentials.test.ts',
];
// One that was renamed would be among the last, and the run as much longer, without anybody seeing why.
for (const path of SLOW)
  if (!existsSync(new URL(path, import.meta.url))) throw new Error(`There is no ${path}, which vitest.config.ts names`);

/** Begins with what takes longest, so that no worker is busy alone at the end of a run. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOW.findIndex((path) => moduleId.endsWith(`/${path}`));
      return rank < 0 ? SLOW.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

/** One more than the cores that this process may use, since tests wait for PostgreSQL and for browsers. */
const WORKERS = availableParallelism() + 1;

export default defineConfig(({ mode }) => {
  const alone: Readonly<Record<string, string[]>> = {
    long: [...LONG, ...LONGER],
    compat: COMPAT,
    shots: SHOTS,
    image: IMAGE,
  };
  /**
   * Some of the tests, each file with a database of its own, and in a process of its own, or in one that ran others
   * before and has loaded the rail. Those with processes of their own come first: were they among others, what these have
   * loaded would be given up for them.
   */
  const project = (name: string, isolate: boolean, maxWorkers: number, include: string[], exclude: string[]) => ({
    test: {
      name,
      isolate,
      maxWorkers,
      sequence: { groupOrder: isolate ? 0 : 1 },
      include,
      exclude: [...configDefaults.exclude, ...exclude, ...(mode === 'long' ? listPassed() : [])],
      // Tests run as the rail does: by Node itself, with its type stripping.
      experimental: { viteModuleRunner: false },
      testTimeout: mode === 'long' || mode === 'image' ? 900_000 : DEADLINES.test,
      hookTimeout: DEADLINES.test,
      expect: { poll: { timeout: DEADLINES.event } },
    },
  });
  return {
    test: {
      projects: alone[mode]
        ? [project(mode, true, 1, alone[mode], [])]
        : [
            project('apart', true, WORKERS, APART, LONG),
            project('together', false, WORKERS, ['test/**/*.test.ts'], [...LONG, ...APART, ...COMPAT]),
          ],
      // One for all projects.
      tags: [{ name: 'long', description: 'Takes long; npm run test:long has it', timeout: 900_000 }],
      globalSetup: ['test/harness/run/cluster.ts'],
      sequence: { sequencer: SlowFirst },
      reporters: ['default', new Progress(), ...(mode === 'long' ? [new LongRecord()] : [])],
      passWithNoTests: mode === 'long',
    },
  };
});
