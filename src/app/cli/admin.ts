import { keepCompiledCode } from '../process/compiled-code.ts';

// Before the commands are loaded, which takes most of the time of a short one.
keepCompiledCode(process.env);
const { run } = await import('./program.ts');
await run();
