import { configDefaults, defineConfig } from 'vitest/config';

/** Forms of tests that take minutes or load the machine; `npm run test:long` runs them alone, one file after another. */
const LONG = ['test/**/*.long.test.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? LONG : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(mode === 'long' ? [] : LONG)],
    globalSetup: ['test/harness/cluster.ts'],
    // Tests run as the rail does: by Node itself, with its type stripping.
    experimental: { viteModuleRunner: false },
    // Each file has a database of its own, cloned from a template.
    maxWorkers: mode === 'long' ? 1 : 3,
    testTimeout: mode === 'long' ? 900_000 : 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default'],
  },
}));
