import { refuseDependent } from '../../platform/access/independence.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';

/** The author of the action that raised an anomaly, in its evidence. */
export const RAISED_BY = 'raised_by';

/** Members of evidence that name the people it is about. */
const PEOPLE = [RAISED_BY, 'clerk', 'staff', 'asked_by', 'operated_by', 'about'];

/** Nobody puts away, on a live rail, what they raised, or somebody whom they are not independent of. */
export async function refuseOwnAnomaly(call: Call, { evidence }: Anomaly): Promise<void> {
  if (call.config.mode !== 'live') return;
  const named = evidence as Readonly<Record<string, unknown>>;
  const people = PEOPLE.map((name) => named[name]).filter((name) => typeof name === 'string');
  await refuseDependent(call, people, 'id');
}
