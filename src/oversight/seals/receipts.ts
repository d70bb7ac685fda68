import { listReceiptKeys } from '../../collection/receipts/keys.ts';
import { checkSignature, codeOf } from '../../collection/receipts/signature.ts';
import { agreesWith } from '../../collection/receipts/verify.ts';
import type { PaymentEvent, Receipt } from '../../generated/prisma/client.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Database, sql } from '../../platform/database/sql.ts';
import { type BrokenRow, type Findings, MOST_NAMED } from './check.ts';

const BATCH = 1_000;

/** Verifies the signature of each receipt, and what it says of its payment, a batch at a time. */
export async function checkReceipts(db: Database): Promise<Findings | null> {
  const keys = await listReceiptKeys({ db });
  const named: BrokenRow[] = [];
  let [count, last] = [0, ''];
  for (;;) {
    const receipts = await db.rows<Receipt>(sql`
      select ${columnsOf('Receipt')} from receipt r where r.name > ${last} order by r.name limit ${BATCH}`);
    const events = Map.groupBy(
      await db.rows<PaymentEvent>(sql`
        select ${columnsOf('PaymentEvent')} from payment_event r
        where r.intent = any(${receipts.map(({ intent }) => intent)}) and r.kind = 'payment'`),
      ({ intent }) => intent,
    );
    for (const receipt of receipts) {
      const why = findFault(keys, receipt, events.get(receipt.intent) ?? []);
      if (why && ++count <= MOST_NAMED) named.push({ row: receipt.name, mda: null, why });
      last = receipt.name;
    }
    if (receipts.length < BATCH) return count === 0 ? null : { check: 'receipt_signature', count, rows: named };
  }
}

function findFault(
  keys: Parameters<typeof checkSignature>[0],
  receipt: Receipt,
  events: readonly PaymentEvent[],
): string | null {
  const contents = checkSignature(keys, receipt);
  if (!contents) return 'no key of the rail signed what it says';
  if (receipt.code !== codeOf(receipt.signature)) return 'has another code than its signature makes';
  if (contents.name !== receipt.name || contents.assessment !== receipt.assessment)
    return `what was signed is receipt ${contents.name} of ${contents.assessment}`;
  return agreesWith(contents, events) ? null : 'says other amounts than its payment events';
}
