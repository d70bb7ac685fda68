import type { Call } from '../../platform/call/call.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import { invalid } from '../../kernel/refusal.ts';
import { phoneNumber, properName } from '../../kernel/text.ts';
import { requiredNin } from './nin.ts';
import { draftCitizen, storeCitizen } from './store.ts';

export interface CitizenInput {
  readonly nin: string;
  readonly fullName: string;
  readonly phone?: string | null | undefined;
}

/** Enters a citizen by hand; unverified until the identity authority confirms them. */
export async function createCitizen(call: Call, input: CitizenInput): Promise<Citizen> {
  const citizen = await draftCitizen(call, {
    nin: requiredNin('nin', input.nin),
    fullName: properName('fullName', input.fullName),
    phone: input.phone == null ? null : phoneNumber('phone', input.phone),
    verified: false,
  });
  if (!(await storeCitizen(call, citizen))) throw invalid('nin', 'is already registered');
  return citizen;
}
