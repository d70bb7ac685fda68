import type { Call } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName, nowTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { KeyStatus } from '../keys/lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

/** A public key of an agency. Its `status` is as stored: `keyStatusOf` tells that of a moment. */
export type AgencyKey = Stored<'AgencyKey'>;

const keySelect = sql`select ${columnsOf('AgencyKey')} from agency_key r`;

export interface AgencyKeyFilter {
  readonly agency?: string | null | undefined;
  readonly status?: KeyStatus | null | undefined;
}

/** The keys of agencies, newest first. */
export function listAgencyKeys(call: Call, filter: AgencyKeyFilter, page: PageArgs): Promise<Page<AgencyKey>> {
  return readPage(
    call,
    {
      select: keySelect,
      table: 'agency_key',
      ...newestFirst,
      where: [],
      filters: [
        ifGiven(filter.agency, (mda) => sql`r.mda = ${mda}`),
        ifGiven(filter.status, (status) => whereStatus(call, status)),
      ],
    },
    page,
  );
}

/** The condition under which `agency_key r` has a status now. */
function whereStatus(call: Call, status: KeyStatus): Sql {
  const now = nowTogether(call);
  if (status === 'expired') return sql`(r.status = 'rolling' and r.expires_at <= ${now})`;
  if (status === 'rolling') return sql`(r.status = 'rolling' and r.expires_at > ${now})`;
  return sql`r.status = ${status}::key_status`;
}

/** Keys of agencies by docname. */
export const agencyKeyLoader = loadByName<AgencyKey>(({ db }, names) =>
  db.rows(sql`${keySelect} where r.name = any(${names})`),
);

/** A key of an agency. */
export async function getAgencyKey({ db }: Call, name: string): Promise<AgencyKey> {
  const key = await db.row<AgencyKey>(sql`${keySelect} where r.name = ${name}`);
  if (!key) throw new Refusal('not_found', say`The key does not exist`);
  return key;
}
