import { statfsSync } from 'node:fs';
import type { Config } from '../../../platform/config/config.ts';
import { findUnwritable, nearestFolder } from '../../../platform/config/data-dir.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type Check, failed, ok, warning } from './check.ts';
import type { Session } from './session.ts';

const GIB = 1024 ** 3;
/** Below either of them. */
const WARN = { bytes: 2 * GIB, share: 0.1 };
const FAIL = { bytes: GIB / 4, share: 0.02 };

/** Checks that `DATA_DIR` can be written to, its room, and the size of the database, which may be elsewhere. */
export function diskCheck(session: Session, { dataDir }: Config): Check {
  return {
    name: 'disk',
    run: async () => {
      const unwritable = findUnwritable(dataDir);
      if (unwritable)
        return failed(`cannot write to ${dataDir} (${unwritable})`, 'Give DATA_DIR to the user that runs the rail');
      const { bavail, blocks, bsize } = statfsSync(nearestFolder(dataDir));
      const [free, share] = [bavail * bsize, bavail / blocks];
      const reached = await session.reached.catch(() => null);
      const size = await reached?.db.row<{ size: string }>(
        sql`select pg_size_pretty(pg_database_size(current_database())) as size`,
      );
      const found = `${(free / GIB).toFixed(1)} GiB (${Math.round(share * 100)} %) left at DATA_DIR${size ? `; the database has ${size.size}` : ''}`;
      const below = (limit: typeof WARN) => free < limit.bytes || share < limit.share;
      if (below(FAIL)) return failed(found, 'Make room now');
      return below(WARN) ? warning(found, 'Make room, or move DATA_DIR/archive') : ok(found);
    },
  };
}
