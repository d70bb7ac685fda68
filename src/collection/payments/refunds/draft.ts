import type { Call } from '../../../platform/call/call.ts';
import type { TraceEntry } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { messagesOf } from '../../../platform/change/transition.ts';
import { type Sql, empty, json, sql } from '../../../platform/database/sql.ts';
import { sum } from '../../../kernel/money.ts';
import { say } from '../../../kernel/text/said.ts';
import type { PaymentIntent } from '../find.ts';
import type { Refund } from './find.ts';
import { refundLifecycle, requested } from './lifecycle.ts';
import type { ReasonCode } from './reason-codes.ts';
import type { Share } from './shares.ts';
import { traceRefund, trackRefund } from './snapshot.ts';

interface Draft extends Pick<Refund, 'method' | 'note' | 'booked' | 'providerReference'> {
  readonly reasonCode: ReasonCode;
  /** True if nobody decides on it any more. */
  readonly isApproved: boolean;
}

/** The payment or money that a refund gives back, and how much of it. */
export type Subject = Pick<
  Refund,
  'intent' | 'money' | 'payeeHint' | 'assessment' | 'integrator' | 'currency' | 'amount'
>;

/** The subject of a refund of some shares of a payment. */
export function subjectOf(
  { name: intent, assessment, integrator, currency }: PaymentIntent,
  shares: readonly Share[],
): Subject {
  const amount = sum(shares.map((share) => share.amount));
  return { intent, money: null, payeeHint: null, assessment, integrator, currency, amount };
}

/** A new refund, as it is inserted. */
export async function draftRefund(call: Call, subject: Subject, { isApproved, ...draft }: Draft): Promise<Refund> {
  const at = call.now();
  return {
    ...draft,
    ...subject,
    name: await call.docnames.next('refund', at),
    status: isApproved ? refundLifecycle.approve.to : requested.to,
    paidOn: null,
    documentHash: null,
    shift: null,
    failureReason: null,
    reference: null,
    askedAt: null,
    enquireAt: isApproved && draft.method === 'provider' ? at : null,
    enquiries: 0,
    requestedBy: call.viewer.actor,
    revision: isApproved ? 2 : 1,
    approvedAt: isApproved ? at : null,
    doneAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** A new refund with its shares. */
export interface Drafted {
  readonly refund: Refund;
  readonly shares: readonly Share[];
}

/** The step that inserts refunds, as the guard of their own change or as a step of another. */
export function insertRefunds(from: Step, drafted: readonly Drafted[], as = guard): Step {
  return as`
    insert into refund (name, intent, assessment, money, payee_hint, integrator, amount, currency, reason_code, note, method, booked, status,
      provider_reference, enquire_at, requested_by, revision, approved_at, created_at, updated_at)
    select r.name, r.intent, r.assessment, r.money, r."payeeHint", r.integrator, r.amount, r.currency, r."reasonCode", r.note, r.method, r.booked,
      r.status, r."providerReference", r."enquireAt", r."requestedBy", r.revision, r."approvedAt", r."createdAt", r."updatedAt"
    from ${from}, jsonb_to_recordset(${json(drafted.map(({ refund }) => refund))}::jsonb) as r (name text, intent text,
      assessment text, money text, "payeeHint" text, integrator text, amount numeric, currency text, "reasonCode" text, note text, method refund_method,
      booked boolean, status refund_status, "providerReference" text, "enquireAt" timestamptz, "requestedBy" text, revision int,
      "approvedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz)
    returning name`;
}

/** The change of a refund as it was read, at a revision, while a relation has a row, if there is one. */
export function updateRefund(after: Refund, from?: Step, revision = after.revision - 1): Sql {
  return sql`
    update refund r set status = ${after.status}::refund_status, method = ${after.method}::refund_method,
      provider_reference = ${after.providerReference}, paid_on = ${after.paidOn}, document_hash = ${after.documentHash},
      shift = ${after.shift}, failure_reason = ${after.failureReason}, enquire_at = ${after.enquireAt},
      approved_at = ${after.approvedAt}, done_at = ${after.doneAt}, revision = ${after.revision}, updated_at = ${after.updatedAt}
    ${from ? sql`from ${from}` : empty} where r.name = ${after.name} and r.revision = ${revision} returning r.name`;
}

/** The step that inserts the shares of refunds that another has inserted. */
export function insertShares(inserted: Step, drafted: readonly Drafted[]): Step {
  const rows = drafted.flatMap(({ refund, shares }) => shares.map((share) => ({ ...share, refund: refund.name })));
  return step('refund_shares')`
    insert into refund_share (refund, mda, idx, amount)
    select s.refund, s.mda, s.idx, s.amount
    from ${inserted} i join jsonb_to_recordset(${json(rows)}::jsonb) as s (refund text, mda text, idx int, amount numeric)
      on s.refund = i.name`;
}

/** The rows of a new refund in the timeline of its payment, with their messages. */
export function traceRequest(refund: Refund, shares: readonly Share[]): TraceEntry[] {
  const { name, assessment, intent, amount, currency, method, reasonCode, booked, revision } = refund;
  const asked = trackRefund({ ...refund, status: requested.to, approvedAt: null, revision: 1 }, shares);
  if (!asked || assessment === null) return [];
  const entry: TraceEntry = {
    kind: 'payment_intent.update',
    assessment,
    ...(intent !== null && { intent }),
    doc: name,
    summary: say`Refund of ${amount} ${currency} requested`,
    detail: {
      to: requested.to,
      amount,
      currency,
      method,
      reason_code: reasonCode,
      provider_reference: refund.providerReference,
      booked,
      // As `ledger:verify` reads them.
      shares: shares
        .map(({ idx, mda, amount: part }) => ({ idx, mda, amount: part }))
        .toSorted((a, b) => a.idx - b.idx || (a.mda < b.mda ? -1 : 1)),
    },
    messages: messagesOf(requested, asked),
  };
  return revision === 1 ? [entry] : [entry, ...traceRefund(refund, shares, refundLifecycle.approve, requested.to)];
}
