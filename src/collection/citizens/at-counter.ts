import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createCitizen } from './create.ts';
import { type Registration, registerCitizen } from './register.ts';

/**
 * Registers whoever stands at a counter: as the identity authority knows them, or by hand where it knows nothing of
 * them.
 */
export async function registerAtCounter(
  call: Call,
  { nin, fullName, phone }: { nin: string; fullName?: string | null | undefined; phone?: string | null | undefined },
): Promise<Registration> {
  try {
    return await registerCitizen(call, { nin });
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
