import type { Call } from '../../platform/call/call.ts';
import { always, commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import { Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { findTaxpayer, refuseUnknownTaxpayer } from '../agencies/registries.ts';
import { raiseAnomalies } from '../anomalies/raise.ts';
import { readCitizen } from './find.ts';
import { namesAgree } from './identity-names.ts';
import { noteSeen } from './seen.ts';
import { say } from '../../kernel/text/said.ts';

/** The authority's answer on somebody who was entered by hand. */
export type Confirmation =
  | { readonly outcome: 'confirmed'; readonly citizen: Citizen; readonly consentEvent: string | null }
  /** The authority has no record of the number. */
  | { readonly outcome: 'unknown' }
  /** The number is that of somebody with another name. */
  | { readonly outcome: 'differs' };

/** Purpose that a person consented to. */
interface Consent {
  readonly mda: string | null;
  readonly purpose: 'registration' | 'confirmation';
}

/**
 * Asks the authority about an unverified record, which becomes verified where both know the number under the same name:
 * the identity authority about a person, the tax authority about an organisation, which gives no consent. The answer never overwrites the record: another name is an anomaly. Undefined
 * where somebody else was faster. Throws an `AdapterFailure` where the authority cannot answer.
 */
export async function confirmIdentity(
  call: Call,
  citizen: Citizen,
  consent: Consent,
): Promise<Confirmation | undefined> {
  const { name, nin, kind } = citizen;
  const isPerson = kind === 'person';
  const identity = isPerson ? await call.rail.identity.find(nin) : await findTaxpayer(call, nin);
  if (!identity) return { outcome: 'unknown' };
  if (!namesAgree(identity.fullName, citizen.fullName)) {
    await raiseMismatch(call, citizen, consent);
    return { outcome: 'differs' };
  }
  const at = call.now();
  const consentEvent = isPerson ? await call.docnames.next('consent', at) : null;
  const changed = guard`
    update citizen set verified = true, updated_at = ${at} where name = ${name} and not verified returning name`;
  const steps = consentEvent === null ? [] : [recordConsent(changed, { name: consentEvent, at, ...consent })];
  return (await commit(call, { subject: name, guard: changed, steps }))
    ? { outcome: 'confirmed', citizen: { ...citizen, verified: true, updatedAt: at }, consentEvent }
    : undefined;
}

/** Confirms a citizen or an organisation who was entered by hand; one who is verified stays as they are. Two at once make one consent. */
export async function confirmCitizen(call: Call, id: string): Promise<Citizen> {
  const confirmed = await retryUntilSettled(async () => {
    const citizen = await readCitizen(call, id);
    if (citizen.verified) return citizen;
    const confirmation = await confirmIdentity(call, citizen, { mda: null, purpose: 'confirmation' });
    if (confirmation?.outcome === 'unknown')
      throw citizen.kind === 'person'
        ? new Refusal('not_found', say`The identity authority has no record of this NIN`)
        : refuseUnknownTaxpayer();
    if (confirmation?.outcome === 'differs') {
      const [authority, number] = citizen.kind === 'person' ? ['identity', 'NIN'] : ['tax', 'TIN'];
      throw refuseBecause(
        'identity_mismatch',
        `The ${authority} authority has another name for this ${number}; operators will review it`,
      );
    }
    return confirmation?.citizen;
  });
  noteSeen(call, 'confirmation', [confirmed]);
  return confirmed;
}

/** The step that writes, with a change of a citizen, that they gave their consent. */
export function recordConsent(changed: Step, { name, at, mda, purpose }: Consent & { name: string; at: Date }): Step {
  return step('consented')`
    insert into consent_event (name, citizen, mda, purpose, created_at)
    select ${name}, name, ${mda}, ${purpose}, ${at} from ${changed}`;
}

/** Neither name is evidence: it can be looked up by those who may see it. */
async function raiseMismatch(call: Call, { name }: Citizen, { mda, purpose }: Consent): Promise<void> {
  const steps = await raiseAnomalies(call, always, [
    { kind: 'identity_mismatch', subject: name, mdas: mda === null ? [] : [mda], evidence: { citizen: name, purpose } },
  ]);
  await commit(call, { subject: null, guard: always, steps });
}
