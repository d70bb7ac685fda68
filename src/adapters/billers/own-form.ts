import { createHmac } from 'node:crypto';
import { readMember } from '../http/members.ts';
import { Peer, type PeerOptions } from '../http/peer.ts';
import { OWN_SIGNATURE } from '../payment/proof.ts';
import { type Enquirer, readTransaction } from './port.ts';

/**
 * A payment point that is asked in the rail's own form: `{ "txn_id" }`, signed where both have a secret, is answered
 * with `txn_id`, `reference`, `amount`, `currency` and `paid_at`, or with 404.
 */
export function openOwnForm(name: string, reached: PeerOptions, secret: string | null): Enquirer {
  const peer = new Peer(name, reached);
  return {
    async find(claimed) {
      const json = { txn_id: claimed.txnId };
      const signature = secret && createHmac('sha256', secret).update(JSON.stringify(json)).digest('hex');
      const headers = signature ? { [OWN_SIGNATURE.name]: signature } : {};
      const { status, body } = await peer.ask({ method: 'POST', path: '', json, headers, safe: true });
      if (status === 404) return null;
      if (status !== 200) throw peer.failure('failed', `did not say what it took: ${status}`);
      const paidAt = readMember(body, 'paid_at');
      return readTransaction(peer, claimed, {
        txnId: readMember(body, 'txn_id'),
        reference: readMember(body, 'reference'),
        amount: readMember(body, 'amount'),
        currency: readMember(body, 'currency'),
        // Without its zone it could be any moment of a day.
        paidAt: typeof paidAt === 'string' && /(Z|[+-]\d\d:\d\d)$/.test(paidAt) ? new Date(paidAt) : null,
      });
    },
    has: () => true,
    close: () => peer.close(),
  };
}
