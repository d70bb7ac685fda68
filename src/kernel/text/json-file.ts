import { readFileSync } from 'node:fs';

/** A file as JSON. Editors of Windows put a byte order mark before it. */
export function readJsonFile(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as unknown;
}
