import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../../platform/reading/page.ts';
import type { Agency } from '../../../generated/prisma/client.ts';
import type { AgencyStatus } from '../../../generated/prisma/enums.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { agencySelect } from '../find.ts';

/** Agencies as operators manage them, by code and in any status. */
export function listManagedAgencies(
  call: Call,
  filter: { readonly status?: AgencyStatus | null | undefined; readonly country?: string | null | undefined },
  page: PageArgs,
): Promise<Page<Agency>> {
  const filters = [
    ifGiven(filter.status, (status) => sql`r.status = ${status}::mda_status`),
    ifGiven(filter.country, (country) => sql`r.country = ${country.toUpperCase()}`),
  ];
  return readPage(
    call,
    { select: agencySelect, table: 'mda', order: ['name'], direction: 'asc', where: [], filters },
    page,
  );
}

/** Refuses a change of what has changed since its caller read it. */
export function requireRevision(
  read: number | null | undefined,
  { name, revision }: Pick<Agency, 'name' | 'revision'>,
): void {
  if (read != null && read !== revision)
    throw refuseBecause('revision_stale', `${name} has changed since: it is at revision ${revision}`, 'revision');
}
