import type { Call } from '../../platform/call/call.ts';
import type { Language } from '../../graphql/input/languages.ts';
import type { Citizen } from '../../generated/prisma/client.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requirePhone } from '../../kernel/text/phone.ts';
import { requireName } from '../../kernel/text/names.ts';
import { requireNin } from './nin.ts';
import { noteSeen } from './seen.ts';
import { draftCitizen, storeCitizen } from './store.ts';
import { say } from '../../kernel/text/said.ts';

export interface CitizenInput {
  readonly nin: string;
  readonly fullName: string;
  readonly phone?: string | null | undefined;
  readonly language?: Language | null | undefined;
}

/** Enters a citizen by hand; unverified until the identity authority confirms them. */
export async function createCitizen(call: Call, input: CitizenInput): Promise<Citizen> {
  const citizen = await draftCitizen(call, {
    kind: 'person',
    nin: requireNin('nin', input.nin),
    fullName: requireName('fullName', input.fullName),
    phone: input.phone == null ? null : requirePhone('phone', input.phone),
    language: input.language ?? null,
    verified: false,
  });
  if (!(await storeCitizen(call, citizen))) throw refuseValue('nin', say`is already registered`);
  noteSeen(call, 'registration', [citizen]);
  return citizen;
}
