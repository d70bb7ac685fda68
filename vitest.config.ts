import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/cluster.ts'],
    // Tests run as the rail does: by Node itself, with its type stripping.
    experimental: { viteModuleRunner: false },
    // Each file has a database of its own, cloned from a template.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: ['default'],
  },
});
