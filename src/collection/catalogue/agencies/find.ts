import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../../platform/reading/page.ts';
import type { Mda } from '../../../generated/prisma/client.ts';
import type { MdaStatus } from '../../../generated/prisma/enums.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { mdaSelect } from '../find.ts';

/** Agencies as operators manage them, by code and in any status. */
export function listManagedMdas(
  call: Call,
  filter: { readonly status?: MdaStatus | null | undefined; readonly country?: string | null | undefined },
  page: PageArgs,
): Promise<Page<Mda>> {
  const filters = [
    ifGiven(filter.status, (status) => sql`r.status = ${status}::mda_status`),
    ifGiven(filter.country, (country) => sql`r.country = ${country.toUpperCase()}`),
  ];
  return readPage(
    call,
    { select: mdaSelect, table: 'mda', order: ['name'], direction: 'asc', where: [], filters },
    page,
  );
}

/** Refuses a change of what has changed since its caller read it. */
export function requireRevision(
  read: number | null | undefined,
  { name, revision }: Pick<Mda, 'name' | 'revision'>,
): void {
  if (read != null && read !== revision)
    throw refuseBecause('revision_stale', `${name} has changed since: it is at revision ${revision}`, 'revision');
}
