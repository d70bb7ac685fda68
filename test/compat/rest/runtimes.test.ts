import { fileURLToPath } from 'node:url';
import { describePrograms, testInstalled } from '../../rest/client/programs.ts';
import { testRail } from '../../harness/rail.ts';

const program = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

describePrograms(testRail(), testInstalled(), [
  [program('deno'), 'run', '--allow-env', '--allow-net'],
  [program('bun'), 'run'],
]);
