import { readFileSync } from 'node:fs';

/** The version of the rail. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** The same as numbers, which PostgreSQL compares. */
export const VERSION_NUMBERS = VERSION.split(/\D+/).slice(0, 3).map(Number);
