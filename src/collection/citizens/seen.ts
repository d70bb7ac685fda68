import type { AccessPurpose } from '../../platform/audit/citizen-access.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Citizen } from '../../generated/prisma/client.ts';

/** Books that the caller is shown some citizens. All code that reads a record for a caller goes through here. */
export function noteSeen(call: Call, purpose: AccessPurpose, citizens: readonly Pick<Citizen, 'name'>[]): void {
  if (citizens.length > 0) note(call, purpose, citizens);
}

/** Books that the caller looked for a person whom the registry does not have. */
export function noteUnknown(call: Call, purpose: AccessPurpose): void {
  note(call, purpose, []);
}

function note(call: Call, purpose: AccessPurpose, citizens: readonly Pick<Citizen, 'name'>[]): void {
  const { rail, viewer, requestId, transport } = call;
  const { statedPurpose } = transport;
  const names = citizens.map(({ name }) => name);
  rail.citizenAccess.note({ citizens: names, purpose, statedPurpose, viewer, requestId, at: call.now() });
}
