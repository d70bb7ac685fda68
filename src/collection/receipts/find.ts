import type { Receipt as ReceiptRecord } from '../../generated/prisma/client.ts';
import type { PaymentProof } from '../../generated/prisma/enums.ts';
import { type Wall, isBound, isWholeWithin, partsWithin, whereVisible } from '../../platform/access/owned.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, raw, sql } from '../../platform/database/sql.ts';
import { loadByKey, loadByName } from '../../platform/reading/batch.ts';
import { type Listing, type Page, type PageArgs, newestFirst, readPageOf } from '../../platform/reading/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { type ReceiptContents, readPayload, totalOf } from './payload.ts';

export interface Receipt extends ReceiptRecord {
  /** Proof of the payment; all its events have the same. */
  readonly proof: PaymentProof | null;
}

/** Proof of the payment of an intent. */
export const proofOf = (intent: Sql) =>
  sql`(select proof from payment_event where intent = ${intent} and kind = 'payment' limit 1)`;

export const receiptColumns = sql`${columnsOf('Receipt')}, ${proofOf(sql`r.intent`)} as proof`;

/** A viewer who sees an intent sees its receipt. */
const WITH_A_SHARE: Wall = (agencies) =>
  sql`exists (select from split_rule w where w.intent = r.intent and w.mda = any(${agencies}))`;

const find = (call: Call, condition: Sql): Promise<Receipt[]> =>
  call.db.rows<Receipt>(
    sql`select ${receiptColumns} from receipt r where ${condition} and ${whereVisible(call.viewer, WITH_A_SHARE)}`,
  );

/** The caller's receipts by docname. */
export const receiptLoader = loadByName<Receipt>((call, names) => find(call, sql`r.name = any(${names})`));

/** The caller's receipts by the docname of the intent: the one that nothing replaces. */
export const receiptOfIntentLoader = loadByKey<Receipt>(
  'intent',
  ({ intent }) => intent,
  (call, intents) => find(call, sql`r.intent = any(${intents}) and r.replaced_by is null`),
);

/** One of the caller's receipts. */
export async function getReceipt(call: Call, name: string): Promise<Receipt> {
  const receipt = isDocname('receipt', name) ? await receiptLoader.load(call, name) : null;
  if (!receipt) throw new Refusal('not_found', say`The receipt does not exist`);
  return receipt;
}

/** The caller's receipts for one assessment, newest first. */
export function listReceiptsOf(call: Call, assessment: string, page: PageArgs): Promise<Page<Receipt>> {
  const listing: Listing = {
    select: sql`select ${receiptColumns} from receipt r`,
    table: 'receipt',
    ...newestFirst,
    where: [whereVisible(call.viewer, WITH_A_SHARE)],
  };
  return readPageOf(call, listing, raw('r.assessment'), assessment, page);
}

/** The receipts of an assessment that are not void, for any caller. */
export function issuedReceiptsOf({ db }: Pick<Call, 'db'>, assessment: string): Promise<Receipt[]> {
  return db.rows<Receipt>(
    sql`select ${receiptColumns} from receipt r where r.assessment = ${assessment} and r.status = 'Issued' order by r.name`,
  );
}

/** True if a viewer sees all of a receipt, and so the signed text. */
export function isWholeFor(viewer: Viewer, receipt: Receipt): boolean {
  const { agencies, otherAgencies } = contentsOf(receipt);
  return otherAgencies === null ? isWholeWithin(viewer, agencies) : !isBound(viewer);
}

/** Content of a stored receipt for a viewer: agencies beyond a wall are added up. */
export function contentsFor(viewer: Viewer, receipt: Receipt): ReceiptContents {
  const contents = contentsOf(receipt);
  const agencies = partsWithin(viewer, contents.agencies);
  if (agencies.length === contents.agencies.length) return contents;
  const amount = totalOf(contents).minus(totalOf({ agencies, otherAgencies: null }));
  const count = contents.agencies.length - agencies.length + (contents.otherAgencies?.count ?? 0);
  return { ...contents, agencies, otherAgencies: { count, amount } };
}

/** Content of a stored receipt. */
export function contentsOf({ name, payload }: Pick<Receipt, 'name' | 'payload'>): ReceiptContents {
  const contents = readPayload(payload);
  if (!contents) throw new Error(`${name} has a payload that no rail writes`);
  return contents;
}
