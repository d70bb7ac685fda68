import type { Call } from '../../platform/call/call.ts';
import { retryUntilSettled } from '../../platform/change/commit.ts';
import { step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { findCitizenByNin, getCitizen } from './find.ts';
import { requireNin } from './nin.ts';
import { draftCitizen, storeCitizen } from './store.ts';

export interface Registration {
  readonly citizen: Citizen;
  readonly created: boolean;
  readonly source: 'local' | 'nira';
  readonly consentEvent: string | null;
}

/**
 * Finds the citizen with a NIN, or takes them over from the identity authority together with the event of their
 * consent. Two at once make one record.
 */
export async function registerCitizen(
  call: Call,
  input: { nin: string; mda?: string | null | undefined },
): Promise<Registration> {
  const nin = requireNin('nin', input.nin);
  const mda = input.mda ?? null;
  if (mda !== null && !(await call.db.row(sql`select 1 from mda where name = ${mda}`)))
    throw refuseValue('mda', 'could not find this agency');
  return retryUntilSettled(async () => {
    const existing = await findCitizenByNin(call, nin);
    if (existing) return { citizen: existing, created: false, source: 'local', consentEvent: null };

    const identity = await call.identity.find(nin);
    if (!identity) throw new Refusal('not_found', 'The identity authority has no record of this NIN');

    const citizen = await draftCitizen(call, { nin, fullName: identity.fullName, phone: null, verified: true });
    const consentEvent = await call.docnames.next('consent', citizen.createdAt);
    const stored = await storeCitizen(call, citizen, (changed) => [
      step('consented')`
        insert into consent_event (name, citizen, mda, purpose, created_at)
        select ${consentEvent}, name, ${mda}, 'registration', ${citizen.createdAt} from ${changed}`,
    ]);
    return stored ? { citizen, created: true, source: 'nira', consentEvent } : undefined;
  });
}

/** The answer to a registration that was stored, but whose process died before it could answer. */
export async function registrationOf(call: Call, name: string): Promise<Registration> {
  const citizen = await getCitizen(call, name);
  const consent = await call.db.row<{ name: string }>(
    sql`select name from consent_event where citizen = ${name} order by created_at limit 1`,
  );
  return { citizen, created: true, source: consent ? 'nira' : 'local', consentEvent: consent?.name ?? null };
}
