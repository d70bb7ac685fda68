import { OF_ACCOUNTS, whereVisible } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../../platform/reading/page.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { LiveRequestStatus } from '../../../generated/prisma/enums.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';

/** A request of an integrator to go live. */
export type LiveRequest = Stored<'LiveRequest'>;

export interface LiveRequestFilter {
  readonly integrator?: string | null | undefined;
  readonly status?: LiveRequestStatus | null | undefined;
}

const select = sql`select ${columnsOf('LiveRequest')} from live_request r`;

/** The requests that the caller may see, newest first: an integrator its own, operators all. */
export function listLiveRequests(call: Call, filter: LiveRequestFilter, page: PageArgs): Promise<Page<LiveRequest>> {
  return readPage(
    call,
    {
      select,
      table: 'live_request',
      ...newestFirst,
      where: [whereVisible(call.viewer, OF_ACCOUNTS)],
      filters: [
        ifGiven(filter.integrator, (code) => sql`r.integrator = ${code}`),
        ifGiven(filter.status, (status) => sql`r.status = ${status}::live_request_status`),
      ],
    },
    page,
  );
}

/** The requests that the caller may see, by docname. */
export const liveRequestLoader = loadByName<LiveRequest>(({ db, viewer }, names) =>
  db.rows(sql`${select} where r.name = any(${names}) and ${whereVisible(viewer, OF_ACCOUNTS)}`),
);

/** A request that the caller may see; another's is answered exactly like one that does not exist. */
export async function getLiveRequest({ db, viewer }: Call, name: string): Promise<LiveRequest> {
  const row = await db.row<LiveRequest>(sql`${select} where r.name = ${name} and ${whereVisible(viewer, OF_ACCOUNTS)}`);
  if (!row) throw new Refusal('not_found', say`The request does not exist`);
  return row;
}
