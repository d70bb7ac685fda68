import type { Call } from '../../../platform/call/call.ts';
import type { TraceEntry } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { messagesOf, transition } from '../../../platform/change/transition.ts';
import { json } from '../../../platform/database/sql.ts';
import { sum } from '../../../kernel/money.ts';
import { say } from '../../../kernel/text/said.ts';
import type { PaymentIntent } from '../find.ts';
import type { Refund } from './find.ts';
import { refundLifecycle, requested } from './lifecycle.ts';
import type { ReasonCode } from './reason-codes.ts';
import type { Share } from './shares.ts';
import { trackRefund } from './snapshot.ts';

interface Draft extends Pick<Refund, 'method' | 'note' | 'booked'> {
  readonly reasonCode: ReasonCode;
  /** True if nobody decides on it any more. */
  readonly isApproved: boolean;
}

/** A new refund of an intent, as it is inserted. */
export async function draftRefund(
  call: Call,
  {
    name: intent,
    assessment,
    integrator,
    currency,
  }: Pick<PaymentIntent, 'name' | 'assessment' | 'integrator' | 'currency'>,
  shares: readonly Share[],
  { isApproved, ...draft }: Draft,
): Promise<Refund> {
  const at = call.now();
  return {
    ...draft,
    name: await call.docnames.next('refund', at),
    intent,
    assessment,
    integrator,
    currency,
    amount: sum(shares.map(({ amount }) => amount)),
    status: isApproved ? refundLifecycle.approve.to : requested.to,
    providerReference: null,
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
    insert into refund (name, intent, assessment, integrator, amount, currency, reason_code, note, method, booked, status,
      enquire_at, requested_by, revision, approved_at, created_at, updated_at)
    select r.name, r.intent, r.assessment, r.integrator, r.amount, r.currency, r."reasonCode", r.note, r.method, r.booked,
      r.status, r."enquireAt", r."requestedBy", r.revision, r."approvedAt", r."createdAt", r."updatedAt"
    from ${from}, jsonb_to_recordset(${json(drafted.map(({ refund }) => refund))}::jsonb) as r (name text, intent text,
      assessment text, integrator text, amount numeric, currency text, "reasonCode" text, note text, method refund_method,
      booked boolean, status refund_status, "enquireAt" timestamptz, "requestedBy" text, revision int,
      "approvedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz)
    returning name`;
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
  const entry: TraceEntry = {
    kind: 'payment_intent.update',
    assessment,
    intent,
    doc: name,
    summary: say`Refund of ${amount} ${currency} requested`,
    detail: {
      to: requested.to,
      amount,
      currency,
      method,
      reason_code: reasonCode,
      booked,
      // As `ledger:verify` reads them.
      shares: shares
        .map(({ idx, mda, amount: part }) => ({ idx, mda, amount: part }))
        .toSorted((a, b) => a.idx - b.idx || (a.mda < b.mda ? -1 : 1)),
    },
    messages: messagesOf(requested, asked),
  };
  return revision === 1
    ? [entry]
    : [entry, transition(trackRefund(refund, shares), refundLifecycle.approve, requested.to)];
}
