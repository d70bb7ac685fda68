import { BY_AGENCY, type Wall, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import type { AccessPurpose } from '../../platform/audit/citizen-access.ts';
import { type RecordLoader, loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Citizen, ConsentEvent } from '../../generated/prisma/client.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { initialsOf } from '../../kernel/text/names.ts';
import { readLocalNumber, readPlus } from '../../kernel/text/phone.ts';
import { readCopied } from '../../kernel/text/typed.ts';
import { foldForSearch, matchAnywhere } from '../../kernel/text/matching.ts';
import { countLookUps, refuseBrowsing } from './look-ups.ts';
import { normaliseNin } from './nin.ts';
import { noteSeen } from './seen.ts';
import { say } from '../../kernel/text/said.ts';

const citizenSelect = sql`select ${columnsOf('Citizen')} from citizen r`;

export interface CitizenFilter {
  readonly q?: string | null | undefined;
  readonly nin?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

const LEAST_CHARACTERS = 2;

/** The condition for a citizen whose name, NIN or phone has a text. */
function hasText(text: string): Sql {
  const number = readLocalNumber(text);
  const found = sql`r.search_text like ${matchAnywhere(text)}`;
  return number === null ? found : sql`(${found} or r.search_text like ${matchAnywhere(number)})`;
}

const hasNin = (nin: string) => sql`r.nin = ${normaliseNin(nin)}`;

/** Citizens, newest first; each is booked as seen. Refuses attempts to go through the registry. */
export async function listCitizens(call: Call, filter: CitizenFilter, args: PageArgs): Promise<Page<Citizen>> {
  const q = filter.q?.trim();
  if (q !== undefined && foldForSearch(q).length < LEAST_CHARACTERS)
    throw refuseValue('q', say`must have at least ${LEAST_CHARACTERS} characters`);
  const matching = ifGiven(q, hasText);
  await refuseBrowsing(call, { ...filter, q, matching });
  const page = await readPage<Citizen>(
    call,
    {
      select: citizenSelect,
      table: 'citizen',
      ...newestFirst,
      where: [],
      filters: [
        matching,
        ifGiven(filter.nin, hasNin),
        // A plus that was not percent-encoded arrives as a space.
        ifGiven(filter.phone, (phone) => sql`r.phone = ${`+${readPlus(readCopied(phone)).replace('+', '')}`}`),
      ],
    },
    args,
  );
  // A caller who asks for one person too many is shown none of them.
  await countLookUps(call, Math.max(1, page.rows.length));
  noteSeen(call, 'list', page.rows);
  return page;
}

/** A citizen of whom the caller knows a phone, NIN or name, and sees no more than the initials. */
export interface MaskedCitizen {
  readonly name: string;
  readonly initials: string;
}

/** The citizens whom a search is for, newest first; each is booked as looked up. */
export async function findMasked(
  call: Call,
  sought: { readonly q: string } | { readonly nin: string },
  most: number,
): Promise<MaskedCitizen[]> {
  const condition = 'nin' in sought ? hasNin(sought.nin) : hasText(sought.q);
  const found = await call.db.rows<Citizen>(
    sql`${citizenSelect} where ${condition} order by r.created_at desc, r.name desc limit ${most}`,
  );
  noteSeen(call, 'lookup', found);
  return found.map(({ name, fullName }) => ({ name, initials: initialsOf(fullName) }));
}

/** The initials of a citizen's name, by which nobody is known: they are no look-up. */
export async function readInitials({ db }: Call, citizen: string): Promise<string> {
  const row = await db.row<{ fullName: string }>(sql`
    select full_name as "fullName" from citizen where name = ${citizen}`);
  return initialsOf(row!.fullName);
}

function readCitizens({ db }: Call, names: readonly string[]): Promise<Citizen[]> {
  return db.rows(sql`${citizenSelect} where r.name = any(${[...names]})`);
}

/** Citizens by docname, as a look-up shows them: each is counted and booked. */
function loadLookedUp(purpose: AccessPurpose): RecordLoader<Citizen> {
  return loadByName<Citizen>(async (call, names) => {
    await countLookUps(call, names.length);
    return readSeen(call, names, purpose);
  });
}

async function readSeen(call: Call, names: readonly string[], purpose: AccessPurpose): Promise<Citizen[]> {
  const citizens = await readCitizens(call, names);
  noteSeen(call, purpose, citizens);
  return citizens;
}

/** Citizens by docname. */
export const citizenLoader = loadLookedUp('record');

/** The citizens of events of consent, which everybody sees who sees citizens. */
export const consentingLoader = loadLookedUp('consent');

/** The citizens of assessments that the caller sees. */
export const assessedLoader = loadByName<Citizen>((call, names) => readSeen(call, names, 'assessment'));

/** Citizens who were looked up just now, and counted. */
export const foundLoader = loadByName<Citizen>((call, names) => readSeen(call, names, 'lookup'));

/** The citizens of entries of the log of who saw them. */
export const loggedLoader = loadByName<Citizen>((call, names) => readSeen(call, names, 'log'));

/** People who consented without naming an agency are in the registry as it is shared. */
const OF_ANY_OR_NO_AGENCY: Wall = (agencies) => sql`(r.mda is null or ${BY_AGENCY(agencies)})`;

/** Events of consent by docname. */
export const consentLoader = loadByName<ConsentEvent>(({ db, viewer }, names) =>
  db.rows(sql`
    select ${columnsOf('ConsentEvent')} from consent_event r
    where r.name = any(${names}) and ${whereWithin(viewer, OF_ANY_OR_NO_AGENCY)}`),
);

/** A citizen by docname, for a caller who looks them up. */
export async function getCitizen(call: Call, name: string): Promise<Citizen> {
  return requireFound(isDocname('citizen', name) ? await citizenLoader.load(call, name) : null);
}

/** A citizen by docname, for a verb. */
export async function readCitizen(call: Call, name: string): Promise<Citizen> {
  const [citizen] = isDocname('citizen', name) ? await readCitizens(call, [name]) : [];
  return requireFound(citizen);
}

function requireFound(citizen: Citizen | null | undefined): Citizen {
  if (!citizen) throw new Refusal('not_found', say`The citizen does not exist`);
  return citizen;
}

/** A citizen by NIN, for a verb. */
export function findCitizenByNin(call: Call, nin: string): Promise<Citizen | null> {
  return call.db.row<Citizen>(sql`${citizenSelect} where r.nin = ${nin}`);
}

/**
 * The docnames of citizens who are sought by NIN, TIN or docname, by what they are sought by. Those of a number are
 * booked as looked up, and numbers of nobody count as look-ups: who guesses is stopped.
 */
export async function findRegistered(call: Call, sought: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await call.db.rows<Pick<Citizen, 'name' | 'nin'>>(sql`
    select r.name, r.nin from citizen r where r.nin = any(${[...sought]}) or r.name = any(${[...sought]})`);
  const names = new Map(found.flatMap(({ name, nin }) => [name, nin].map((by) => [by, name] as const)));
  const numbers = new Set(sought.filter((one) => !isDocname('citizen', one)));
  noteSeen(
    call,
    'lookup',
    found.filter(({ nin }) => numbers.has(nin)),
  );
  await countLookUps(call, [...numbers].filter((number) => !names.has(number)).length);
  return names;
}

/** A citizen, as far as an authority speaks of them. */
export type KnownCitizen = Pick<Citizen, 'name' | 'fullName'>;

/** The person whom the identity authority speaks of: by docname, or by NIN. */
export async function findCitizenKnownAs({ db }: Call, object: string): Promise<KnownCitizen | null> {
  const known = isDocname('citizen', object) ? sql`r.name = ${object}` : sql`r.nin = ${object.toUpperCase()}`;
  return db.row<KnownCitizen>(
    sql`select r.name, r.full_name as "fullName" from citizen r where ${known} and r.kind = 'person'`,
  );
}
