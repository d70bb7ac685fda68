import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The data folder that the environment names. Known apart from all other settings, since some of it is used before they
 * are read.
 */
export function dataDirOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['DATA_DIR'] || '.data');
}

/** The folder, or the one that it will be made in. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

/** The code of the error that keeps this process from writing to a data folder; null where it can. Leaves nothing there. */
export function findUnwritable(dataDir: string): string | null {
  try {
    rmdirSync(mkdtempSync(join(nearestFolder(dataDir), '.writable-')));
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}
