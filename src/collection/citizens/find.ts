import { BY_AGENCY, type Wall, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Citizen, ConsentEvent } from '../../generated/prisma/client.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { matchAnywhere } from '../../kernel/text/matching.ts';
import { normaliseNin } from './nin.ts';

const citizenSelect = sql`select ${columnsOf('Citizen')} from citizen r`;

export interface CitizenFilter {
  readonly q?: string | null | undefined;
  readonly nin?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

const LEAST_CHARACTERS = 2;

/** Citizens, newest first. */
export function listCitizens(call: Call, filter: CitizenFilter, page: PageArgs): Promise<Page<Citizen>> {
  const q = filter.q?.trim();
  if (q !== undefined && q.length < LEAST_CHARACTERS)
    throw refuseValue('q', `must have at least ${LEAST_CHARACTERS} characters`);
  return readPage(
    call,
    {
      select: citizenSelect,
      table: 'citizen',
      ...newestFirst,
      where: [],
      filters: [
        ifGiven(q, (text) => sql`r.search_text like ${matchAnywhere(text)}`),
        ifGiven(filter.nin, (nin) => sql`r.nin = ${normaliseNin(nin)}`),
        // A plus that was not percent-encoded arrives as a space.
        ifGiven(filter.phone, (phone) => sql`r.phone = ${`+${phone.trim().replace(/^\+/, '')}`}`),
      ],
    },
    page,
  );
}

/** Citizens by docname. */
export const citizenLoader = loadByName<Citizen>(({ db }, names) =>
  db.rows(sql`${citizenSelect} where r.name = any(${names})`),
);

/** Who consented without naming an agency is in the registry as it is shared. */
const OF_ANY_OR_NO_AGENCY: Wall = (agencies) => sql`(r.mda is null or ${BY_AGENCY(agencies)})`;

/** Events of consent by docname. */
export const consentLoader = loadByName<ConsentEvent>(({ db, viewer }, names) =>
  db.rows(sql`
    select ${columnsOf('ConsentEvent')} from consent_event r
    where r.name = any(${names}) and ${whereWithin(viewer, OF_ANY_OR_NO_AGENCY)}`),
);

export async function getCitizen(call: Call, name: string): Promise<Citizen> {
  const citizen = isDocname('citizen', name)
    ? await call.db.row<Citizen>(sql`${citizenSelect} where r.name = ${name}`)
    : null;
  if (!citizen) throw new Refusal('not_found', 'The citizen does not exist');
  return citizen;
}

export function findCitizenByNin(call: Call, nin: string): Promise<Citizen | null> {
  return call.db.row<Citizen>(sql`${citizenSelect} where r.nin = ${nin}`);
}
