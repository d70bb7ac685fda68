import { type Wall, whereVisible } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { type Stored, columnsOf } from '../../../platform/database/record.ts';
import { raw, sql } from '../../../platform/database/sql.ts';
import { loadByName, loadByOwner } from '../../../platform/reading/batch.ts';
import { ifGiven, whereNotAfter } from '../../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../../platform/reading/page.ts';
import type { RefundMethod, RefundStatus } from '../../../generated/prisma/enums.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import type { ReasonCode } from './reason-codes.ts';

export type Refund = Stored<'Refund'>;
export type RefundShare = Stored<'RefundShare'>;

/** A refund of a payment, and not of money that paid nothing. */
export type PaymentRefund = Refund & { readonly intent: string; readonly assessment: string };

const columns = columnsOf('Refund');

/** A refund belongs to the agencies that give back a share of it, or that the money was for. */
const WITH_A_SHARE: Wall = (agencies) =>
  sql`(exists (select from refund_share w where w.refund = r.name and w.mda = any(${agencies}))
    or exists (select from assessment_line l where r.money is not null and l.assessment = r.assessment and l.mda = any(${agencies})))`;

/** The caller's refunds by docname. */
export const refundLoader = loadByName<Refund>(({ db, viewer }, names) =>
  db.rows(sql`select ${columns} from refund r where r.name = any(${names}) and ${whereVisible(viewer, WITH_A_SHARE)}`),
);

/** The shares of a refund, by line. */
export const readSharesOf = loadByOwner<RefundShare>(
  ({ refund }) => refund,
  ({ db }, names) =>
    db.rows(sql`
      select ${columnsOf('RefundShare', { as: 's' })} from refund_share s where s.refund = any(${names})
      order by s.refund, s.idx, s.mda collate "C"`),
);

/** One of the caller's refunds. */
export async function getRefund(call: Call, name: string): Promise<Refund> {
  const refund = isDocname('refund', name) ? await refundLoader.load(call, name) : null;
  if (!refund) throw new Refusal('not_found', say`The refund does not exist`);
  return refund;
}

/** True for a refund of a payment. */
export function isOfPayment(refund: Refund): refund is PaymentRefund {
  return refund.intent !== null;
}

interface RefundFilter {
  readonly status?: RefundStatus | null | undefined;
  readonly method?: RefundMethod | null | undefined;
  readonly reasonCode?: ReasonCode | null | undefined;
  readonly agency?: string | null | undefined;
  readonly intent?: string | null | undefined;
  readonly assessment?: string | null | undefined;
  readonly money?: string | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

function listing({ viewer }: Call, filter: RefundFilter): Listing {
  return {
    select: sql`select ${columns} from refund r`,
    table: 'refund',
    amount: 'amount',
    ...newestFirst,
    where: [whereVisible(viewer, WITH_A_SHARE)],
    filters: [
      ifGiven(filter.status, (status) => sql`r.status = ${status}::refund_status`),
      ifGiven(filter.method, (method) => sql`r.method = ${method}::refund_method`),
      ifGiven(filter.reasonCode, (code) => sql`r.reason_code = ${code}`),
      ifGiven(
        filter.agency,
        (mda) => sql`exists (select from refund_share s where s.refund = r.name and s.mda = ${mda})`,
      ),
      ifGiven(filter.intent, (intent) => sql`r.intent = ${intent}`),
      ifGiven(filter.assessment, (assessment) => sql`r.assessment = ${assessment}`),
      ifGiven(filter.money, (money) => sql`r.money = ${money}`),
      ifGiven(filter.from, (moment) => sql`r.created_at >= ${moment}`),
      ifGiven(filter.to, (moment) => whereNotAfter(sql`r.created_at`, moment)),
    ],
  };
}

/** The caller's refunds, newest first. */
export function listRefunds(call: Call, filter: RefundFilter, page: PageArgs): Promise<Page<Refund>> {
  return readPage(call, listing(call, filter), page);
}

/** The caller's refunds of one payment intent or assessment, newest first. */
export function listRefundsOf(
  call: Call,
  of: 'intent' | 'assessment' | 'money',
  name: string,
  page: PageArgs,
): Promise<Page<Refund>> {
  return readPageOf(call, () => listing(call, {}), raw(`r.${of}`), name, page);
}
