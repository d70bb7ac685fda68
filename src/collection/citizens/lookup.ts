import type { Call } from '../../platform/call/call.ts';
import { findCitizenByNin } from './find.ts';
import { countLookUps } from './look-ups.ts';
import { requireNin } from './nin.ts';
import { noteSeen, noteUnknown } from './seen.ts';

/** A person found by NIN. One whom only the authority knows has no docname, since nothing was stored. */
export interface FoundCitizen {
  readonly name: string | null;
  readonly nin: string;
  readonly fullName: string;
  readonly phone: string | null;
  readonly verified: boolean;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

export interface CitizenLookup {
  readonly source: 'local' | 'nira' | 'not_found';
  readonly stub: boolean;
  readonly citizen: FoundCitizen | null;
}

/** Looks a NIN up in the local registry first, then at the identity authority; stores only that it was asked. */
export async function lookUpCitizen(call: Call, input: { nin: string }): Promise<CitizenLookup> {
  const nin = requireNin('nin', input.nin);
  const { stub } = call.rail.identity;
  await countLookUps(call, 1);
  const local = await findCitizenByNin(call, nin);
  if (local) {
    noteSeen(call, 'lookup', [local]);
    return { source: 'local', stub, citizen: local };
  }
  const identity = await call.rail.identity.find(nin);
  noteUnknown(call, 'lookup');
  if (!identity) return { source: 'not_found', stub, citizen: null };
  const { fullName } = identity;
  return {
    source: 'nira',
    stub,
    citizen: { name: null, nin, fullName, phone: null, verified: true, createdAt: null, updatedAt: null },
  };
}
