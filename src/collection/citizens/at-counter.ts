import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Language } from '../../graphql/input/languages.ts';
import { requirePhone } from '../../kernel/text/phone.ts';
import { createCitizen } from './create.ts';
import { type Registration, registerCitizen } from './register.ts';
import { type Reached, keepReached } from './store.ts';

/**
 * Registers the person at a counter: as the identity authority knows them, or by hand where it knows nothing of
 * them. The phone number that they say is stored if they have none yet, and the language that they ask for.
 */
export async function registerAtCounter(
  call: Call,
  input: {
    nin: string;
    fullName?: string | null | undefined;
    phone?: string | null | undefined;
    phoneCountry?: string | null | undefined;
    language?: Language | null | undefined;
  },
): Promise<Registration> {
  const { nin, fullName } = input;
  const phone = input.phone == null ? null : requirePhone('phone', input.phone, input.phoneCountry);
  const said: Reached = { phone, language: input.language ?? null };
  try {
    const registration = await registerCitizen(call, { nin });
    return { ...registration, citizen: await keepReached(call, registration.citizen, said) };
  } catch (error) {
    const unknown = error instanceof Refusal && error.code === 'not_found';
    if (!unknown || fullName == null) throw error;
  }
  return {
    citizen: await createCitizen(call, { nin, fullName, ...said }),
    created: true,
    source: 'local',
    consentEvent: null,
  };
}
