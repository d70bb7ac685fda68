import { keepCompiledCode } from './process/compiled-code.ts';

// Before anything else is loaded, so that it counts for all of that.
keepCompiledCode(process.env);
const { run } = await import('./process/run.ts');
await run(process.env);
