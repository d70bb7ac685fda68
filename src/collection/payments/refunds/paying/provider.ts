import { randomUUID } from 'node:crypto';
import { AdapterFailure } from '../../../../adapters/failure.ts';
import type { PaymentAdapter, RefundOrder, RefundStatus } from '../../../../adapters/payment/port.ts';
import { actAsSystem } from '../../../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../../../platform/call/call.ts';
import { type TraceEntry, commit, noteTrace, retryUntilSettled } from '../../../../platform/change/commit.ts';
import { guard } from '../../../../platform/change/step.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { allows } from '../../../../kernel/lifecycle.ts';
import { type Loop, type Rest, restUntil, startLoop } from '../../../../kernel/loop.ts';
import { say } from '../../../../kernel/text/said.ts';
import { collectionOf, eventsOf, getIntent } from '../../find.ts';
import { timeNextEnquiry } from '../../enquiries/schedule.ts';
import { updateRefund } from '../draft.ts';
import { type PaymentRefund, type Refund, getRefund, isOfPayment, readSharesOf } from '../find.ts';
import { finishRefund } from './finish.ts';
import { refundLifecycle } from '../lifecycle.ts';
import { traceRefund } from '../snapshot.ts';

/** Refunds that one run takes at a time. */
const BATCH = 20;
const IDLE_MS = 1_000;
/** Time for which a process has a refund to itself: longer than any call to a provider lasts. */
const CLAIM_MS = 120_000;
/**
 * After so many enquiries, some 20 minutes, it is sure that the provider never got a refund that it knows nothing of: it is
 * asked for it again.
 */
const UNKNOWN_AFTER = 8;

/** Asks the providers for what is Approved, and how it stands until that is known, for as long as it is not stopped. */
export function startRefunding(rail: Rail): Loop {
  return startLoop(rail.log, 'refunds', () => payAndRest(rail), rail.work.hear);
}

async function payAndRest(rail: Rail): Promise<number | Rest> {
  const call = callOf(rail, actAsSystem('job:refund'), randomUUID());
  const next = await call.db.row<{ at: Date }>(sql`
    select enquire_at as at from refund where enquire_at is not null order by enquire_at limit 1`);
  const due = next && next.at.getTime() - call.now().getTime();
  if (due === null || due > 0) return restUntil(IDLE_MS, due);
  return (await payDueRefunds(call)) === BATCH ? 0 : IDLE_MS;
}

/** Asks for the refunds that are due, or how they stand; how many they were. */
export async function payDueRefunds(call: Call): Promise<number> {
  const at = call.now();
  const taken = await call.db.rows<{ name: string }>(sql`
    update refund set enquire_at = ${new Date(at.getTime() + CLAIM_MS)}, enquiries = enquiries + 1
    where name in (
      select name from refund where enquire_at <= ${at} order by enquire_at limit ${BATCH} for no key update skip locked)
    returning name`);
  await Promise.all(taken.map(({ name }) => pay(call, name)));
  return taken.length;
}

async function pay(call: Call, name: string): Promise<void> {
  const refund = await getSent(call, name);
  const intent = await getIntent(call, refund.intent);
  const adapter = call.rail.aggregators.get(intent.aggregator)?.adapter;
  const answer = refunds(adapter) ? await ask(call, refund, adapter) : refund.askedAt === null ? GONE : null;
  if (answer) await retryUntilSettled(async () => apply(call, await getSent(call, name), answer));
  await call.db.row(sql`
    update refund set enquire_at = ${timeNextEnquiry(sql`enquiries`, call.now())}
    where name = ${name} and enquire_at is not null and enquiries = ${refund.enquiries}`);
}

/** A refund of a payment: the table allows no other to be paid by its provider. */
async function getSent(call: Call, name: string): Promise<PaymentRefund> {
  const refund = await getRefund(call, name);
  if (!isOfPayment(refund)) throw new Error(`${name} is of no payment`);
  return refund;
}

type Refunding = PaymentAdapter & Required<Pick<PaymentAdapter, 'refund' | 'verifyRefund'>>;

/** True if a provider can be asked for refunds: its connection may be gone, or have changed. */
const refunds = (adapter: PaymentAdapter | undefined): adapter is Refunding =>
  adapter?.refund !== undefined && adapter.verifyRefund !== undefined;

/** Answer about a refund that no provider was asked for, and that none can be asked for any more. */
const GONE: RefundStatus = {
  status: 'FAILED',
  txnId: null,
  reason: 'The rail can no longer ask the provider for refunds',
  response: {},
};

/**
 * The provider's answer about a refund. The first time it is asked for it, later how it stands: an answer may have been
 * lost. Null: it did not say.
 */
async function ask(call: Call, refund: PaymentRefund, adapter: Refunding): Promise<RefundStatus | null> {
  const { enquiries, status } = refund;
  const isFirst = refund.askedAt === null;
  const order = await orderOf(call, refund, adapter);
  let asksForIt = isFirst;
  try {
    if (!isFirst) {
      const stands = await adapter.verifyRefund(order);
      asksForIt = stands.status === 'NOT_FOUND' && status === 'Approved' && enquiries % UNKNOWN_AFTER === 0;
      if (!asksForIt) return stands;
    }
    return await adapter.refund(order);
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    const { kind, message } = error;
    call.log.warn({ refund: refund.name, adapter: error.adapter, kind }, 'a refund was not answered');
    if (kind === 'refused' && asksForIt) return { status: 'FAILED', txnId: null, reason: message, response: {} };
    // What was never sent is asked for again, as if for the first time.
    if (kind === 'unavailable' && isFirst)
      await call.db.row(sql`update refund set asked_at = null where name = ${refund.name} and status = 'Approved'`);
    if (kind !== 'unavailable') {
      const summary = say`${error.adapter} did not say how the refund ${refund.name} stands: ${kind}`;
      await noteTrace(call, [{ ...traceOf(refund), summary, detail: { outcome: kind, error: message } }]);
    }
    return null;
  }
}

/** The order for a refund. The reference is written before the provider is called, so that it can be asked about it. */
async function orderOf(call: Call, refund: PaymentRefund, adapter: PaymentAdapter): Promise<RefundOrder> {
  const { name, amount, currency } = refund;
  const [kept, intent, events] = await Promise.all([
    call.db.row<{ reference: string; askedAt: Date }>(sql`
      update refund set reference = coalesce(reference, ${adapter.reference(name)}),
        asked_at = coalesce(asked_at, ${call.now()})
      where name = ${name} returning reference, asked_at as "askedAt"`),
    getIntent(call, refund.intent),
    eventsOf(call, refund.intent),
  ]);
  const txnId = events.find(({ kind }) => kind === 'payment')?.txnId ?? null;
  return { ...kept!, refund: name, amount, currency, collection: collectionOf(intent), txnId };
}

const traceOf = ({ name, assessment, intent }: PaymentRefund) =>
  ({ kind: 'adapter.refund', assessment, intent, doc: name }) as const;

/** Brings a refund in line with what its provider says. Undefined: someone was faster. */
async function apply(call: Call, before: PaymentRefund, answer: RefundStatus): Promise<Refund | undefined> {
  const { status, txnId, reason, response } = answer;
  const told: TraceEntry = {
    ...traceOf(before),
    summary: say`The provider reported the refund ${before.name} as ${status}`,
    detail: { status, txn_id: txnId, reason, response },
  };
  if (status === 'SUCCESSFUL' && allows(refundLifecycle.finish, before.status))
    return finishRefund(call, before, { providerReference: txnId ?? before.reference }, [told]);
  if (status === 'FAILED' && allows(refundLifecycle.fail, before.status))
    return move(call, before, 'fail', { failureReason: reason, enquireAt: null }, told);
  if (status === 'PENDING' && allows(refundLifecycle.send, before.status)) return move(call, before, 'send', {}, told);
  return before;
}

async function move(
  call: Call,
  before: Refund,
  action: 'send' | 'fail',
  changes: Partial<Pick<Refund, 'failureReason' | 'enquireAt'>>,
  told: TraceEntry,
): Promise<Refund | undefined> {
  const edge = refundLifecycle[action];
  const { name } = before;
  const at = call.now();
  const after: Refund = { ...before, ...changes, status: edge.to, revision: before.revision + 1, updatedAt: at };
  const changed = guard`${updateRefund(after)}`;
  const moved = traceRefund(after, await readSharesOf(call, name), edge, before.status);
  return (await commit(call, { subject: null, guard: changed, trace: [told, ...moved] })) ? after : undefined;
}
