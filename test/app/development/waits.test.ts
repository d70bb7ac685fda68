import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Those whose subject is time, and what they alone use. */
const OF_TIME = [
  '**/*.long.test.ts',
  '**/*.shots.ts',
  'bench/**',
  '{soak,torture}/**',
  'compat/**',
  'harness/chaos/**',
  'apart/database/patroni.ts',
  // At moments that follow from a seed.
  'chaos/pairs/meet.ts',
  'app/development/waits.test.ts',
];

/** Patterns that make a test depend on the speed of the machine, and the replacement for each. */
const REFUSED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/new Promise\b[^;]*\bsetTimeout\(/, 'wait for an event: expect.poll, waitFor, closeGate'],
  [/\bsetTimeout\b[^;]*from 'node:timers\/promises'/, 'wait for an event: expect.poll, waitFor, closeGate'],
  [/\bwaitForTimeout\(|\bpg_sleep\(/, 'wait for an event: expect.poll, waitFor, closeGate'],
  [
    /expect\([^;]*\b(?:Date|performance)\.now\(\)[^;]*\)\s*\.toBe(?:Less|Greater)Than\w*\(/,
    'count something, use timed, or vi.useFakeTimers',
  ],
  [/^\s*\}, [\d_]+\);$/m, 'the deadlines of test/harness/run/deadlines.ts are for all'],
  [/\btimeout: [\d_]+|\bsetDefault\w*Timeout\([\d_]+\)|\bAbortSignal\.timeout\([\d_]+\)/, 'leave it to deadlines.ts'],
];
/** The harness waits for processes that say nothing. */
const IN_HARNESS = REFUSED.slice(3);

function listRefused(text: string, rules = REFUSED): string[] {
  return rules.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${found.trim()}: ${instead}`];
  });
}

it('no test waits for a rate, a fixed time or a deadline of its own', () => {
  const files = globSync('**/*.ts', { cwd: join(ROOT, 'test'), exclude: OF_TIME });
  const found = files.flatMap((path) =>
    listRefused(readFileSync(join(ROOT, 'test', path), 'utf8'), path.startsWith('harness/') ? IN_HARNESS : REFUSED).map(
      (refused) => `test/${path}: ${refused}`,
    ),
  );
  expect(files).toContain('platform/analytics/copy.test.ts');
  expect(found).toEqual([]);
});

it.each([
  'await new Promise((wake) => setTimeout(wake, 50));',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  'await page.waitForTimeout(1_000);',
  'sql`select pg_sleep(1)`',
  'expect(Date.now() - started).toBeLessThan(900);',
  'expect(Math.abs(before - performance.now())).toBeGreaterThanOrEqual(5);',
  "it('waits', async () => {\n  }, 60_000);",
  'await expect.poll(count, { timeout: 5_000 }).toBe(1);',
  'context.setDefaultTimeout(5_000);',
])('which this finds: %s', (text) => {
  expect(listRefused(text)).toHaveLength(1);
});
