import { resolve } from 'node:path';

/**
 * The data folder that the environment names. Known apart from all other settings, since some of it is used before they
 * are read.
 */
export function dataDirOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['DATA_DIR'] || '.data');
}
