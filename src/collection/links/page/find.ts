import type { Call } from '../../../platform/call/call.ts';
import { columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { PaymentIntent as IntentRecord } from '../../../generated/prisma/client.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { type Assessment, getAssessment } from '../../assessments/find.ts';
import { returnUrlOf } from '../../payments/payer/return-url.ts';
import { type Receipt, receiptColumns } from '../../receipts/find.ts';
import { type OwnLink, readOwnLink } from './own-link.ts';

/** State of a payment by a link. */
export type PayState = 'payable' | 'waiting' | 'paid' | 'closed';

/** The page of a payment link. */
export interface PayPage extends OwnLink {
  readonly state: PayState;
  readonly assessment: Assessment;
  /** The payment that is under way, or else the last one that was tried by the link. */
  readonly attempt: IntentRecord | null;
  /** Receipts of payments, the last first. */
  readonly receipts: readonly PaidReceipt[];
}

/** A receipt, with what its aggregator calls the payment. */
type PaidReceipt = Receipt & Pick<IntentRecord, 'aggregatorReference'>;

/**
 * Reads the page of the link that the caller came by. Once it is closed, it shows what was paid by it, and nothing that
 * was paid in another way.
 */
export async function getPayPage(call: Call): Promise<PayPage> {
  const own = await readOwnLink(call);
  const { link, isOpen, as } = own;
  const [assessment, attempt, receipts] = await Promise.all([
    getAssessment(as, link.assessment),
    findAttempt(call, own),
    call.db.rows<PaidReceipt>(sql`
      select ${receiptColumns}, i.aggregator_reference as "aggregatorReference" from receipt r join payment_intent i on i.name = r.intent
      where r.assessment = ${link.assessment} and r.replaced_by is null and (${isOpen} or i.link = ${link.name})
      order by r.created_at desc, r.name desc`),
  ]);
  const isPaid = assessment.status === 'Paid' && (isOpen || receipts.length > 0);
  const isClosed = !isOpen || assessment.status !== 'Assessed';
  const state = isPaid ? 'paid' : isClosed ? 'closed' : isUnderWay(attempt, call.now()) ? 'waiting' : 'payable';
  return { ...own, state, assessment, attempt, receipts };
}

/** True if the payer was asked to pay, and may still do so. */
export function isUnderWay(
  attempt: Pick<IntentRecord, 'status' | 'expiresAt'> | null,
  now: Date,
): attempt is NonNullable<typeof attempt> {
  return attempt?.status === 'Sent' && attempt.expiresAt > now;
}

function findAttempt({ db, now }: Call, { link, isOpen }: OwnLink): Promise<IntentRecord | null> {
  const underWay = sql`(r.status = 'Sent' and r.expires_at > ${now()})`;
  return db.row<IntentRecord>(sql`
    select ${columnsOf('PaymentIntent')} from payment_intent r
    where r.assessment = ${link.assessment} and (r.link = ${link.name} or ${isOpen} and ${underWay})
    order by ${underWay} desc, r.created_at desc, r.name desc limit 1`);
}

/** Refuses to have anything paid by a link that is closed, or for an assessment that cannot be paid. */
export function requirePayable({ isOpen, link, assessment }: PayPage): void {
  if (!isOpen) throw refuseBecause('link_closed', 'The link has expired or was withdrawn', 'link');
  if (assessment.status !== 'Assessed')
    throw refuseBecause('assessment_not_payable', `${link.assessment} is ${assessment.status}`, 'assessment');
}

/** Address that the page leads back to, with a hint of the outcome; null if none. */
export function leadBack({ link, attempt, receipts }: PayPage): string | null {
  if (link.returnUrl === null) return null;
  const [paid] = receipts;
  const [intent, status] = paid ? [paid.intent, 'Confirmed'] : [attempt?.name, attempt?.status];
  if (intent === undefined) return link.returnUrl;
  const { aggregatorReference } = (paid ?? attempt)!;
  const url = new URL(returnUrlOf(link.returnUrl, intent, aggregatorReference ?? ''));
  url.searchParams.set('status', status!);
  return url.href;
}
