import { expect, it } from 'vitest';
import { run } from '../harness/processes.ts';

it.each(['src/app/sandbox/demo.ts', 'src/app/sandbox/start.ts'])(
  '%s refuses an option that there is not, and starts nothing',
  async (script) => {
    expect(await run(script, ['--urls'], {})).toEqual({ code: 1, output: '' });
  },
);
