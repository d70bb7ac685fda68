import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../../../platform/config/config.ts';
import { ADMIN } from '../../../platform/config/started-by.ts';
import { HOUR_MS } from '../../../kernel/time.ts';
import { type Check, failed, ok, warning } from './check.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

/** A day, and the time that a backup takes. */
const WARN_HOURS = 26;
const FAIL_HOURS = 7 * 24;

/** The age of the last backup: the moment that the marker holds, or when it was written. */
export function backupCheck({ backupMarker: marker, mode }: Config): Check {
  return {
    name: 'backups',
    run: async () => {
      const advice = `Run ${ADMIN} backup each day, with BACKUP_MARKER`;
      if (marker === null) return mode === 'live' ? warning('nobody knows of any', advice) : ok('a sandbox needs none');
      let at: number;
      try {
        const held = Date.parse(readFileSync(marker, 'utf8').trim());
        at = Number.isNaN(held) ? statSync(marker).mtimeMs : held;
      } catch (error) {
        return warning(`BACKUP_MARKER cannot be read: ${reasonOf(error)}`, advice);
      }
      const hours = (Date.now() - at) / HOUR_MS;
      const found = `the last is of ${new Date(at).toISOString()}, ${Math.round(hours)} hours ago`;
      if (hours > FAIL_HOURS) return failed(found, 'See why none was made since');
      return hours > WARN_HOURS ? warning(found, 'See why none was made since') : ok(found);
    },
  };
}
