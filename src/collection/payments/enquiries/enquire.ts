import { randomUUID } from 'node:crypto';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import { AdapterFailure } from '../../../adapters/failure.ts';
import type { Aggregator } from '../../../adapters/payment/aggregators.ts';
import type { PaymentAdapter } from '../../../adapters/payment/port.ts';
import { type Call, type Rail, callOf } from '../../../platform/call/call.ts';
import { noteTrace, retryUntilSettled } from '../../../platform/change/commit.ts';
import { isTooFar } from '../../../platform/reading/ends.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { IntentStatus } from '../../../generated/prisma/enums.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { type Loop, type Rest, restUntil, startLoop } from '../../../kernel/loop.ts';
import { proofBy } from '../aggregator.ts';
import { traceUnanswered, traceVerification } from '../confirm.ts';
import { lastEnquiry, timeNextEnquiry } from './schedule.ts';
import { type PaymentIntent, collectionOf, getIntent } from '../find.ts';
import { intentLifecycle } from '../lifecycle.ts';
import { resolve } from '../settlement/resolve.ts';

/** Enquiries that one run makes of an aggregator at a time. */
const BATCH = 20;
const IDLE_MS = 1_000;
/**
 * After so many enquiries, some 20 minutes, it is sure that the aggregator never got a collection that it knows nothing
 * of.
 */
const UNKNOWN_AFTER = 8;

/**
 * Asks the aggregators about collections without news, for as long as it is not stopped; each at its own
 * pace.
 */
export function startEnquiring(rail: Rail): { stop(): Promise<void> } {
  const loops = [...rail.aggregators.values()]
    .filter(({ adapter }) => adapter.enquirable)
    .map((aggregator): Loop =>
      startLoop(rail.log, `enquiries ${aggregator.name}`, () => enquireAndRest(rail, aggregator), rail.work.hear),
    );
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}

async function enquireAndRest(rail: Rail, aggregator: Aggregator): Promise<number | Rest> {
  const call = callOf(rail, actAsSystem('job:enquire'), randomUUID());
  const due = await timeToNextEnquiry(call, aggregator);
  if (due === null || due > 0) return restUntil(IDLE_MS, due);
  return (await enquireDue(call, aggregator)) === BATCH ? 0 : IDLE_MS;
}

/** Milliseconds until an aggregator is to be enquired of; null where there is nothing to ask it. */
async function timeToNextEnquiry(call: Call, { name: aggregator, channel }: Aggregator): Promise<number | null> {
  const next = await call.db.row<{ at: Date }>(sql`
    select enquire_at as at from payment_intent
    where channel = ${channel}::channel and aggregator = ${aggregator} and enquire_at is not null
    order by enquire_at limit 1`);
  return next && next.at.getTime() - call.now().getTime();
}

/**
 * Enquires about the collections of an aggregator that are due; how many they were. The process that takes one moves
 * its next enquiry on, until the last one.
 */
export async function enquireDue(call: Call, { name: aggregator, channel }: Aggregator): Promise<number> {
  const at = call.now();
  const taken = await call.db.rows<{ name: string; enquiries: number }>(sql`
    with due as (
      select name, ${timeNextEnquiry(sql`enquiries + 1`, at)} as next from payment_intent
      where channel = ${channel}::channel and aggregator = ${aggregator} and enquire_at <= ${at}
      order by enquire_at limit ${BATCH}
      for no key update skip locked
    )
    update payment_intent i set enquire_at = case when due.next <= ${lastEnquiry} then due.next end,
      enquiries = i.enquiries + 1
    from due where i.name = due.name returning i.name, i.enquiries`);
  await Promise.all(taken.map(({ name, enquiries }) => enquire(call, name, enquiries)));
  return taken.length;
}

/** Has aggregators asked now about collections that wait longer than any does; how many. */
export async function hastenEnquiries({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  const at = now();
  const hastened = await db.rows(sql`
    update payment_intent set enquire_at = ${at} where channel = any(enum_range(null::channel))
      and ${isTooFar(sql`enquire_at`, timeNextEnquiry(sql`enquiries`, at), 0)} returning 1`);
  return hastened.length;
}

async function enquire(call: Call, name: string, enquiries: number): Promise<void> {
  const said = await retryUntilSettled(() => updateFromAggregator(call, name));
  const { status } = await getIntent(call, name);
  if (!isLastWord(said, status, enquiries)) return;
  // An initiation meanwhile has started again, and is asked about again; so is what somebody says was paid.
  await call.db.row(sql`
    update payment_intent set enquire_at = null
    where name = ${name} and enquiries = ${enquiries} and coalesce(enquire_until <= ${call.now()}, true)`);
}

/** True if an answer ends the enquiries about an intent before their time. */
function isLastWord(said: Said, status: IntentStatus, enquiries: number): boolean {
  if (said === 'NOT_FOUND') return status !== 'Sent' && enquiries >= UNKNOWN_AFTER;
  return (said === 'FAILED' || said === 'SUCCESSFUL') && !allows(intentLifecycle.expire, status);
}

type Said = Awaited<ReturnType<PaymentAdapter['verify']>>['status'] | 'unanswered';

/**
 * Asks how the collection of an intent stands, and brings the intent in line with it. Undefined: someone was faster.
 */
export async function updateFromAggregator(call: Call, name: string): Promise<Said | undefined> {
  const intent = await getIntent(call, name);
  const adapter = call.rail.aggregators.get(intent.aggregator)?.adapter;
  if (!adapter?.enquirable) return 'unanswered';
  const providerStatus = await ask(call, intent, adapter);
  if (!providerStatus) return 'unanswered';
  const resolution = await resolve(call, intent, providerStatus, {
    trace: [traceVerification(intent, providerStatus)],
    proof: proofBy(adapter),
  });
  return resolution && providerStatus.status;
}

async function ask(call: Call, intent: PaymentIntent, adapter: PaymentAdapter) {
  try {
    return await adapter.verify(collectionOf(intent));
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    // An enquiry that was never sent leaves no trace.
    if (error.kind !== 'unavailable') await noteTrace(call, [traceUnanswered(intent, error)]);
    call.log.warn({ intent: intent.name, adapter: error.adapter, kind: error.kind }, 'an enquiry was not answered');
    return null;
  }
}
