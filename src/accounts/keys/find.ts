import { whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { type PageArgs, newestFirst, readPage } from '../../platform/change/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';

/**
 * A key as its owner sees it; its plaintext is nowhere. Its `status` is as stored: `statusAt` tells that of a moment.
 */
export type ApiKey = Stored<'ApiKey'>;

export const keyColumns = columnsOf('ApiKey');

/** The keys of the caller's integrator, newest first. */
export function listKeys(call: Call, page: PageArgs): Promise<ApiKey[]> {
  return readPage<ApiKey>(
    call,
    {
      select: sql`select ${keyColumns} from api_key r`,
      table: 'api_key',
      ...newestFirst,
      where: [sql`r.integrator = ${call.viewer.integrator}`],
    },
    page,
  );
}

/**
 * A key that the caller may see: of its own integrator, or any for staff. Another's is answered exactly like one that
 * does not exist.
 */
export async function getKey({ db, viewer }: Call, name: string): Promise<ApiKey> {
  const key = await db.row<ApiKey>(
    sql`select ${keyColumns} from api_key r where r.name = ${name} and ${whereVisible(viewer)}`,
  );
  if (!key) throw new Refusal('not_found', 'The key does not exist');
  return key;
}
