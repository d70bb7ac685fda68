import { join } from 'node:path';
import { removeCaptured } from '../../adapters/mail/capture.ts';
import type { Rail } from '../call/call.ts';
import { type Purging, purgeRows } from '../change/purge.ts';
import { sql } from '../database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';

const KEPT_DAYS = 30;

/** Forgets mail of long ago, and the files of captured mail and texts; how many letters and files. */
export async function purgeMail(purging: Purging & Pick<Rail, 'config'>): Promise<number> {
  const before = new Date(purging.now().getTime() - KEPT_DAYS * DAY_MS);
  const rows = await purgeRows(purging, 'mail', sql`created_at < ${before}`);
  const files = await Promise.all(
    ['mail', 'sms'].map((folder) => removeCaptured(join(purging.config.dataDir, folder), before)),
  );
  return files.reduce((sum, count) => sum + count, rows);
}
