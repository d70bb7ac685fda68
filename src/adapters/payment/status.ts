import type { Peer } from '../http/peer.ts';
import type { ProviderStatus } from './port.ts';

/** A provider's answer about a collection. One that is done has to say how much was paid: it may be another amount. */
export function requireAmount(peer: Peer, answer: ProviderStatus): ProviderStatus {
  const { status, amount, currency } = answer;
  if (status === 'SUCCESSFUL' && (amount === null || currency === null))
    throw peer.failure('failed', 'did not say how much was paid');
  return answer;
}
