import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const cwd = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url));
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd, encoding: 'utf8' });
const found = promtool('--version').status === 0;

// `apt-get install prometheus` has them run.
describe.skipIf(!found)(`the rules of Prometheus${found ? '' : ' (promtool is missing)'}`, () => {
  it.each([
    ['are valid', ['check', 'rules', '--lint=all', 'rules.yaml']],
    ['are loaded by its configuration', ['check', 'config', 'prometheus.yml']],
    ['fire when they must, and only then', ['test', 'rules', 'rules.test.yaml']],
  ])('%s', (_what, args) => {
    const { status, stdout, stderr } = promtool(...args);
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
