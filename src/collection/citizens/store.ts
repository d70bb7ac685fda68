import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import type { CitizenKind } from '../../generated/prisma/enums.ts';
import type { Language } from '../../graphql/input/languages.ts';
import { foldForSearch } from '../../kernel/text/matching.ts';

export interface NewCitizen {
  readonly kind: CitizenKind;
  /** Of an organisation its TIN. */
  readonly nin: string;
  readonly fullName: string;
  readonly phone: string | null;
  readonly language: Language | null;
  readonly verified: boolean;
}

/** A record as it will be stored. */
export async function draftCitizen(
  call: Call,
  { kind, nin, fullName, phone, language, verified }: NewCitizen,
): Promise<Citizen> {
  const at = call.now();
  const name = await call.docnames.next('citizen', at);
  return {
    name,
    kind,
    nin,
    fullName,
    phone,
    language,
    textsStoppedAt: null,
    verified,
    searchText: foldForSearch(fullName, nin, phone),
    createdAt: at,
    updatedAt: at,
  };
}

/**
 * Stores a citizen with all that belongs to it; false where the NIN was registered meanwhile, and then nothing is
 * stored.
 */
export function storeCitizen(
  call: Call,
  citizen: Citizen,
  also: (changed: Step) => readonly Step[] = () => [],
): Promise<boolean> {
  const { name, kind, nin, fullName, phone, language, verified, searchText, createdAt } = citizen;
  const changed = guard`
    insert into citizen (name, kind, nin, full_name, phone, language, verified, search_text, created_at, updated_at)
    values (${name}, ${kind}::citizen_kind, ${nin}, ${fullName}, ${phone}, ${language}, ${verified}, ${searchText}, ${createdAt}, ${createdAt})
    -- Somebody else registered the NIN: that record is read.
    on conflict (nin) do nothing returning name`;
  return commit(call, { subject: name, guard: changed, steps: also(changed) });
}

/** Contact details that somebody gives at a counter. */
export interface Reached {
  readonly phone: string | null;
  readonly language: Language | null;
}

/** Stores a phone number with a citizen who has none, one who has one keeps it; and the language that they ask for. */
export async function keepReached(call: Call, citizen: Citizen, said: Reached): Promise<Citizen> {
  const phone = citizen.phone ?? said.phone;
  const language = said.language ?? citizen.language;
  if (phone === citizen.phone && language === citizen.language) return citizen;
  const { name, fullName, nin } = citizen;
  const searchText = foldForSearch(fullName, nin, phone);
  const updatedAt = call.now();
  const changed = guard`
    update citizen set phone = ${phone}, language = ${language}, search_text = ${searchText}, updated_at = ${updatedAt}
    where name = ${name} and phone is not distinct from ${citizen.phone} returning name`;
  return (await commit(call, { subject: null, guard: changed }))
    ? { ...citizen, phone, language, searchText, updatedAt }
    : citizen;
}
