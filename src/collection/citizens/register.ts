import { IS_AGENCY, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { retryUntilSettled } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import type { Language } from '../../graphql/input/languages.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { confirmIdentity, recordConsent } from './confirm.ts';
import { findCitizenByNin, readCitizen } from './find.ts';
import { countLookUps } from './look-ups.ts';
import { requireNin } from './nin.ts';
import { noteSeen } from './seen.ts';
import { draftCitizen, storeCitizen } from './store.ts';
import { say } from '../../kernel/text/said.ts';

export interface Registration {
  readonly citizen: Citizen;
  readonly created: boolean;
  readonly source: 'local' | 'nira';
  readonly consentEvent: string | null;
}

/**
 * Finds the citizen with a NIN, or takes them over from the identity authority together with the event of their
 * consent. One who was entered by hand becomes verified where the authority agrees. Two at once make one record.
 */
export async function registerCitizen(
  call: Call,
  input: { nin: string; agency?: string | null | undefined; language?: Language | null | undefined },
): Promise<Registration> {
  const nin = requireNin('nin', input.nin);
  const mda = input.agency ?? null;
  const named = sql`r.name = ${mda} and ${whereWithin(call.viewer, IS_AGENCY)}`;
  if (mda !== null && !(await call.db.row(sql`select 1 from mda r where ${named}`)))
    throw refuseValue('agency', say`could not find this agency`);
  await countLookUps(call, 1);
  const registration = await retryUntilSettled(() => tryToRegister(call, nin, mda, input.language ?? null));
  noteSeen(call, 'registration', [registration.citizen]);
  return registration;
}

async function tryToRegister(
  call: Call,
  nin: string,
  mda: string | null,
  language: Language | null,
): Promise<Registration | undefined> {
  const existing = await findCitizenByNin(call, nin);
  // The identity authority knows no organisations.
  if (existing)
    return existing.verified || existing.kind === 'organisation' ? known(existing) : registerAgain(call, existing, mda);

  const identity = await call.rail.identity.find(nin);
  if (!identity) throw new Refusal('not_found', say`The identity authority has no record of this NIN`);

  const { fullName } = identity;
  const citizen = await draftCitizen(call, { kind: 'person', nin, fullName, phone: null, language, verified: true });
  const consentEvent = await call.docnames.next('consent', citizen.createdAt);
  const consent = { name: consentEvent, at: citizen.createdAt, mda, purpose: 'registration' } as const;
  const stored = await storeCitizen(call, citizen, (changed) => [recordConsent(changed, consent)]);
  return stored ? { citizen, created: true, source: 'nira', consentEvent } : undefined;
}

/** Somebody who was entered by hand is registered as they are, whether the authority knows them or not. */
async function registerAgain(call: Call, existing: Citizen, mda: string | null): Promise<Registration | undefined> {
  const confirmation = await confirmIdentity(call, existing, { mda, purpose: 'registration' });
  if (confirmation?.outcome !== 'confirmed') return confirmation && known(existing);
  const { citizen, consentEvent } = confirmation;
  return { citizen, created: false, source: 'nira', consentEvent };
}

function known(citizen: Citizen): Registration {
  return { citizen, created: false, source: 'local', consentEvent: null };
}

/** The answer to a registration that was stored, but whose process died before it could answer. */
export async function registrationOf(call: Call, name: string): Promise<Registration> {
  const citizen = await readCitizen(call, name);
  const consent = await call.db.row<{ name: string; createdAt: Date }>(sql`
    select name, created_at as "createdAt" from consent_event where citizen = ${name} order by created_at desc limit 1`);
  noteSeen(call, 'registration', [citizen]);
  return {
    citizen,
    // Consent that came later confirmed a record that was there.
    created: consent === null || consent.createdAt.getTime() === citizen.createdAt.getTime(),
    source: consent ? 'nira' : 'local',
    consentEvent: consent?.name ?? null,
  };
}
