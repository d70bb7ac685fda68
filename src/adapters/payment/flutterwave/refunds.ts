import { formatDay } from '../../../kernel/time.ts';
import { readMember, redactObject, readTextMember } from '../../http/members.ts';
import type { Peer } from '../../http/peer.ts';
import type { PaymentAdapter, RefundOrder, RefundStatus } from '../port.ts';

/** Refusals to refund. An outage, a limit or a wrong key says nothing of the refund. */
const REFUSED = new Set([400, 404, 409, 422]);

/** Pages of the list of refunds that are looked through. */
const MOST_PAGES = 50;

/**
 * Refunds of version 3. They are asked for by the number of the transaction, are paid from the available balance, and have
 * no reference of ours: one is found by its transaction in the list of refunds.
 */
export function openFlutterwaveRefunds(
  peer: Peer,
  headers: Readonly<Record<string, string>>,
): Required<Pick<PaymentAdapter, 'refund' | 'verifyRefund'>> {
  const findTransaction = async ({ collection }: RefundOrder): Promise<string> => {
    const { body } = await peer.ask({
      method: 'GET',
      path: '/v3/transactions/verify_by_reference',
      query: { tx_ref: collection.reference ?? collection.intent },
      headers,
      safe: true,
    });
    const id = readTextMember(body, 'data', 'id');
    if (id === null) throw peer.failure('unavailable', 'did not find the transaction of the collection');
    return id;
  };

  return {
    async refund(order) {
      const { refund, amount } = order;
      const answer = await peer.ask({
        method: 'POST',
        path: `/v3/transactions/${encodeURIComponent(await findTransaction(order))}/refund`,
        headers,
        json: { amount: amount.toNumber(), comments: refund },
        safe: false,
      });
      if (answer.status === 200) return readRefund(readMember(answer.body, 'data'));
      const said = readTextMember(answer.body, 'message') ?? 'no reason';
      if (REFUSED.has(answer.status)) throw peer.failure('refused', `refused the refund: ${said}`);
      throw peer.failure('failed', `did not take the refund: ${answer.status} ${said}`);
    },
    async verifyRefund(order) {
      const id = await findTransaction(order);
      const from = formatDay(order.askedAt);
      // One that failed may be an earlier refund of the same payment.
      let failed: RefundStatus | null = null;
      for (let page = 1; page <= MOST_PAGES; page++) {
        const query = { from, page: String(page) };
        const { status, body } = await peer.ask({ method: 'GET', path: '/v3/refunds', query, headers, safe: true });
        const rows = readMember(body, 'data');
        if (status !== 200 || !Array.isArray(rows)) throw peer.failure('failed', `did not list its refunds: ${status}`);
        const found = rows.filter((row) => readTextMember(row, 'tx_id') === id).map(readRefund);
        const made = found.find(({ status: stands }) => stands !== 'FAILED');
        if (made) return made;
        failed ??= found[0] ?? null;
        if (rows.length === 0) break;
      }
      return failed ?? { status: 'NOT_FOUND', txnId: null, reason: null, response: {} };
    },
  };
}

function readRefund(data: unknown): RefundStatus {
  const said = readTextMember(data, 'status') ?? '';
  return {
    // Some banks have a word of their own, such as `completed-mpgs`.
    status: said.startsWith('completed') ? 'SUCCESSFUL' : said === 'failed' ? 'FAILED' : 'PENDING',
    txnId: readTextMember(data, 'flw_ref') ?? readTextMember(data, 'id'),
    reason: said === 'failed' ? readTextMember(data, 'processor_response') : null,
    response: redactObject(data ?? {}),
  };
}
