import { OF_ACCOUNTS, whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { loadByName, nowTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { KeyStatus } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

/**
 * A key as its owner sees it; its plaintext is nowhere. Its `status` is as stored: `statusAt` tells that of a moment.
 */
export type ApiKey = Stored<'ApiKey'>;

const keyColumns = columnsOf('ApiKey');

export interface KeyFilter {
  readonly integrator?: string | null | undefined;
  readonly status?: KeyStatus | null | undefined;
}

function listing(call: Call, filter: KeyFilter): Listing {
  return {
    select: sql`select ${keyColumns} from api_key r`,
    table: 'api_key',
    ...newestFirst,
    where: [whereVisible(call.viewer, OF_ACCOUNTS), ifGiven(filter.integrator, (code) => sql`r.integrator = ${code}`)],
    filters: [ifGiven(filter.status, (status) => whereStatus(call, status))],
  };
}

/** The condition under which `api_key r` has a status now. */
function whereStatus(call: Call, status: KeyStatus): Sql {
  const now = nowTogether(call);
  if (status === 'expired') return sql`(r.status in ('active', 'rolling') and r.expires_at <= ${now})`;
  if (status === 'rolling') return sql`(r.status = 'rolling' and r.expires_at > ${now})`;
  if (status === 'active') return sql`(r.status = 'active' and (r.expires_at is null or r.expires_at > ${now}))`;
  return sql`r.status = ${status}::key_status`;
}

/** The keys that the caller may see, newest first: those of its own integrator, or any for staff. */
export function listKeys(call: Call, filter: KeyFilter, page: PageArgs): Promise<Page<ApiKey>> {
  return readPage(call, listing(call, filter), page);
}

/** The keys of one integrator, newest first. */
export function listKeysOf(call: Call, integrator: string, filter: KeyFilter, page: PageArgs): Promise<Page<ApiKey>> {
  return readPageOf(call, listing(call, filter), sql`r.integrator`, integrator, page);
}

/** The keys that the caller may see, by docname. */
export const keyLoader = loadByName<ApiKey>(({ db, viewer }, names) =>
  db.rows(
    sql`select ${keyColumns} from api_key r where r.name = any(${names}) and ${whereVisible(viewer, OF_ACCOUNTS)}`,
  ),
);

/**
 * A key that the caller may see: of its own integrator, or any for staff. Another's is answered exactly like one that
 * does not exist.
 */
export async function getKey({ db, viewer }: Call, name: string): Promise<ApiKey> {
  const key = await db.row<ApiKey>(
    sql`select ${keyColumns} from api_key r where r.name = ${name} and ${whereVisible(viewer, OF_ACCOUNTS)}`,
  );
  if (!key) throw new Refusal('not_found', say`The key does not exist`);
  return key;
}
