import { BY_AGENCY, whereWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { raw, sql } from '../../../platform/database/sql.ts';
import { loadByName } from '../../../platform/reading/batch.ts';
import { ifGiven } from '../../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../../platform/reading/page.ts';
import type { ExemptionStatus } from '../../../generated/prisma/enums.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';

export type Exemption = Stored<'Exemption'>;

interface ExemptionFilter {
  readonly agency?: string | null | undefined;
  readonly citizen?: string | null | undefined;
  readonly status?: ExemptionStatus | null | undefined;
}

const select = sql`select ${columnsOf('Exemption')} from exemption r`;

function listing({ viewer }: Call, { agency, citizen, status }: ExemptionFilter): Listing {
  return {
    select,
    table: 'exemption',
    ...newestFirst,
    where: [whereWithin(viewer, BY_AGENCY)],
    filters: [
      ifGiven(agency, (mda) => sql`r.mda = ${mda}`),
      ifGiven(citizen, (one) => sql`r.citizen = ${one}`),
      ifGiven(status, (one) => sql`r.status = ${one}::exemption_status`),
    ],
  };
}

/** The exemptions that the caller may see, newest first. */
export function listExemptions(call: Call, filter: ExemptionFilter, page: PageArgs): Promise<Page<Exemption>> {
  return readPage(call, listing(call, filter), page);
}

/** Those of one citizen or agency. */
export function listExemptionsOf(
  call: Call,
  of: 'citizen' | 'mda',
  name: string,
  filter: ExemptionFilter,
  page: PageArgs,
): Promise<Page<Exemption>> {
  return readPageOf(call, listing(call, filter), raw(`r.${of}`), name, page);
}

/** The exemptions that the caller may see, by docname. */
export const exemptionLoader = loadByName<Exemption>(({ db, viewer }, names) =>
  db.rows(sql`${select} where r.name = any(${names}) and ${whereWithin(viewer, BY_AGENCY)}`),
);

/** One of the exemptions that the caller may see. */
export async function getExemption(call: Call, name: string): Promise<Exemption> {
  const exemption = isDocname('exemption', name) ? await exemptionLoader.load(call, name) : null;
  if (!exemption) throw new Refusal('not_found', say`The exemption does not exist`);
  return exemption;
}
