import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requirePhone } from '../../kernel/text/phone.ts';
import { createCitizen } from './create.ts';
import { type Registration, registerCitizen } from './register.ts';
import { keepPhone } from './store.ts';

/**
 * Registers the person at a counter: as the identity authority knows them, or by hand where it knows nothing of
 * them. The phone number that they say is stored if they have none yet.
 */
export async function registerAtCounter(
  call: Call,
  input: {
    nin: string;
    fullName?: string | null | undefined;
    phone?: string | null | undefined;
    phoneCountry?: string | null | undefined;
  },
): Promise<Registration> {
  const { nin, fullName } = input;
  const phone = input.phone == null ? null : requirePhone('phone', input.phone, input.phoneCountry);
  try {
    const registration = await registerCitizen(call, { nin });
    return { ...registration, citizen: await keepPhone(call, registration.citizen, phone) };
  } catch (error) {
    const unknown = error instanceof Refusal && error.code === 'not_found';
    if (!unknown || fullName == null) throw error;
  }
  return {
    citizen: await createCitizen(call, { nin, fullName, phone }),
    created: true,
    source: 'local',
    consentEvent: null,
  };
}
