import type { Transaction } from '../../../adapters/billers/port.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Biller } from '../../../platform/config/billers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { decideOn } from '../billers/pay.ts';

/**
 * Decides on a transaction that a payment point, or its statement, says that there is; nothing of what was claimed
 * counts. The claim ends with the decision, or else is found settled the next time.
 */
export async function settleClaim(caller: Call, biller: Biller, transaction: Transaction): Promise<void> {
  // What happens is no answer to the request that brought the proof.
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${biller.name}`), once: null };
  const { txnId } = transaction;
  const { name: provider } = biller;
  await decideOn(call, biller, { ...transaction, eventId: txnId }, { signed: false, body: Buffer.from(txnId) });
  await call.db.rows(sql`delete from payment_claim where provider = ${provider} and txn_id = ${txnId}`);
}
