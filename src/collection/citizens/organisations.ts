import { findTaxpayer, refuseUnknownTaxpayer } from '../agencies/registries.ts';
import type { Call } from '../../platform/call/call.ts';
import { retryUntilSettled } from '../../platform/change/commit.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { readName } from '../../kernel/text/names.ts';
import { requirePhone } from '../../kernel/text/phone.ts';
import { say } from '../../kernel/text/said.ts';
import { confirmIdentity } from './confirm.ts';
import { findCitizenByNin } from './find.ts';
import { countLookUps } from './look-ups.ts';
import { requireNin } from './nin.ts';
import { noteSeen } from './seen.ts';
import { draftCitizen, keepReached, storeCitizen } from './store.ts';

/**
 * Registers an organisation by its TIN: as the tax authority knows it, or by hand where that knows nothing of it. One that
 * is registered already is answered, with the phone number if it had none, and becomes verified where the authority
 * agrees. Two at once make one record.
 */
export async function createOrganisation(
  call: Call,
  input: {
    tin: string;
    name?: string | null | undefined;
    phone?: string | null | undefined;
    phoneCountry?: string | null | undefined;
  },
): Promise<Citizen> {
  const tin = requireNin('tin', input.tin);
  const given = readName('name', input.name);
  const phone = input.phone == null ? null : requirePhone('phone', input.phone, input.phoneCountry);
  await countLookUps(call, 1);
  const organisation = await retryUntilSettled(() => tryToCreate(call, tin, given, phone));
  noteSeen(call, 'registration', [organisation]);
  return keepReached(call, organisation, { phone, language: null });
}

async function tryToCreate(
  call: Call,
  tin: string,
  given: string | null,
  phone: string | null,
): Promise<Citizen | undefined> {
  const existing = await findCitizenByNin(call, tin);
  if (existing?.kind === 'person') throw refuseValue('tin', say`is already registered as the number of a person`);
  if (existing) return existing.verified ? existing : confirmAgain(call, existing);
  const taxpayer = await findTaxpayer(call, tin);
  const fullName = taxpayer?.fullName ?? given;
  if (fullName === null) throw refuseUnknownTaxpayer();
  const verified = taxpayer !== null;
  const drafted = { kind: 'organisation', nin: tin, fullName, phone, language: null, verified } as const;
  const organisation = await draftCitizen(call, drafted);
  return (await storeCitizen(call, organisation)) ? organisation : undefined;
}

async function confirmAgain(call: Call, existing: Citizen): Promise<Citizen | undefined> {
  const confirmation = await confirmIdentity(call, existing, { mda: null, purpose: 'registration' });
  return confirmation?.outcome === 'confirmed' ? confirmation.citizen : confirmation && existing;
}

/** The docname of the organisation with a TIN; null if there is none. */
export async function findOrganisation(call: Call, tin: string): Promise<string | null> {
  const found = await findCitizenByNin(call, tin);
  return found?.kind === 'organisation' ? found.name : null;
}
