import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from '../../platform/config/data-dir.ts';

/**
 * Keeps what V8 makes of each module that is loaded from now on, so that the next start need not make it again. Under
 * the data folder, where nobody else can write: what lies there is run. Where nothing can be written a start takes as
 * long as the first one.
 */
export function keepCompiledCode(env: Readonly<Record<string, string | undefined>>): void {
  enableCompileCache(join(dataDirOf(env), 'compiled'));
}

/** Until the first requests have had what they need compiled. */
const SETTLED_MS = 5_000;

/** Writes it once the process has begun to work, as it may be ended without a chance to. */
export function writeCompiledCode(): void {
  setTimeout(flushCompileCache, SETTLED_MS).unref();
}
