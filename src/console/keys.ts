import type { Call } from '../platform/call/call.ts';
import { type PageArgs, ifGiven, newestFirst, readPage } from '../platform/change/page.ts';
import { sql } from '../platform/database/sql.ts';
import { type ApiKey, keyColumns } from '../accounts/keys/find.ts';
import type { KeyStatus } from '../accounts/keys/lifecycle.ts';

export interface KeyFilter {
  readonly integrator?: string | null | undefined;
  readonly status?: KeyStatus | null | undefined;
}

/** Keys of all integrators, newest first. */
export function listAllKeys(call: Call, filter: KeyFilter, page: PageArgs): Promise<ApiKey[]> {
  const shown = sql`case when r.status = 'rolling' and r.expires_at <= ${call.now()} then 'expired' else r.status::text end`;
  return readPage<ApiKey>(
    call,
    {
      select: sql`select ${keyColumns} from api_key r`,
      table: 'api_key',
      ...newestFirst,
      where: [ifGiven(filter.integrator, (code) => sql`r.integrator = ${code}`)],
      filters: [ifGiven(filter.status, (status) => sql`${shown} = ${status}`)],
    },
    page,
  );
}
