import { randomUUID } from 'node:crypto';
import type { Claimed, Enquirer, Transaction } from '../../../adapters/billers/port.ts';
import { AdapterFailure } from '../../../adapters/failure.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../../platform/call/call.ts';
import type { Biller } from '../../../platform/config/billers.ts';
import { isTooFar } from '../../../platform/reading/ends.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { type Loop, type Rest, restUntil, startLoop } from '../../../kernel/loop.ts';
import { timeNextEnquiry } from '../../payments/enquiries/schedule.ts';
import { decideOn } from './pay.ts';
import { readApproved } from '../claims/approve.ts';

/** A claim, and whether two people have approved what a statement has of it. */
interface Due extends Claimed {
  readonly asks: number;
  readonly approval: string | null;
  readonly proposal: unknown;
}

/** Claims that one run asks about at a time. */
const BATCH = 20;
const IDLE_MS = 1_000;
/** A payment point that was asked so often, over half a minute, is not merely late. */
const LATE_ASKS = 3;
/** At most so long between two enquiries about a claim, and about one that the payment point does not have. */
const MOST_SECONDS = 3_600;
const MOST_SECONDS_DENIED = 86_400;

/** Asks payment points about what was reported without a signature, for as long as it is not stopped. */
export function startProving(rail: Rail): { stop(): Promise<void> } {
  const loops = rail.config.billers.flatMap((biller): Loop[] => {
    const enquirer = rail.enquirers.get(biller.name);
    if (!enquirer) return [];
    return [startLoop(rail.log, `claims ${biller.name}`, () => proveAndRest(rail, biller, enquirer), rail.work.hear)];
  });
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}

async function proveAndRest(rail: Rail, biller: Biller, enquirer: Enquirer): Promise<number | Rest> {
  const call = callOf(rail, actAsSystem('job:prove'), randomUUID());
  const next = await call.db.row<{ at: Date }>(sql`
    select ask_at as at from payment_claim where provider = ${biller.name} and ask_at is not null
    order by ask_at limit 1`);
  const due = next && next.at.getTime() - call.now().getTime();
  if (due === null || due > 0) return restUntil(IDLE_MS, due);
  return (await proveDue(call, biller, enquirer)) === BATCH ? 0 : IDLE_MS;
}

const mostSeconds = (denied: Sql) =>
  sql`case when ${denied} then ${MOST_SECONDS_DENIED}::int else ${MOST_SECONDS}::int end`;

/**
 * Asks a payment point about its claims that are due; how many they were. The process that takes one moves its next
 * enquiry on, until it was asked for three days: M-Pesa knows of two.
 */
export async function proveDue(call: Call, biller: Biller, enquirer: Enquirer): Promise<number> {
  const { name: provider } = biller;
  const at = call.now();
  const taken = await call.db.rows<Due>(sql`
    with due as (
      select c.txn_id, a.name as approval, a.proposal from payment_claim c
      left join approval a on a.kind = 'claim' and a.subject = c.provider || ':' || c.txn_id and a.status = 'Approved'
      where c.provider = ${provider} and c.ask_at <= ${at}
      order by c.ask_at limit ${BATCH} for no key update of c skip locked
    )
    update payment_claim c set asks = c.asks + 1,
      ask_at = case when due.approval is not null or c.received_at > ${at}::timestamptz - interval '3 days'
        then ${timeNextEnquiry(sql`c.asks + 1`, at, mostSeconds(sql`c.denied`))} end
    from due where c.provider = ${provider} and c.txn_id = due.txn_id
    returning c.txn_id as "txnId", c.paid_at as "paidAt", c.other_moments as "otherMoments", c.asks, due.approval, due.proposal`);
  await Promise.all(taken.map((claim) => prove(call, biller, enquirer, claim)));
  return taken.length;
}

/** Has payment points asked now about claims that wait longer than any does; how many. */
export async function hastenClaims({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  const at = now();
  const hastened = await db.rows(sql`
    update payment_claim set ask_at = ${at} where ${isTooFar(sql`ask_at`, timeNextEnquiry(sql`asks`, at, mostSeconds(sql`denied`)), 0)}
    returning 1`);
  return hastened.length;
}

async function prove(call: Call, biller: Biller, enquirer: Enquirer, claim: Due): Promise<void> {
  const { approval, proposal } = claim;
  try {
    const found = approval === null ? await enquirer.find(claim) : readApproved(proposal);
    if (found) await settleClaim(call, biller, found, approval);
    else if (claim.asks >= LATE_ASKS)
      await call.db.rows(sql`
        update payment_claim set denied = true where provider = ${biller.name} and txn_id = ${claim.txnId} and not denied`);
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    const { adapter, kind } = error;
    call.log.warn({ adapter, kind, txnId: claim.txnId }, 'an enquiry about a claim was not answered');
  }
}

/**
 * Decides on a transaction that a payment point, or an approval, says that there is; nothing of what was claimed counts.
 * The claim ends with the decision, or else is found settled the next time.
 */
async function settleClaim(
  caller: Call,
  biller: Biller,
  transaction: Transaction,
  approval: string | null,
): Promise<void> {
  const { name: provider } = biller;
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  const { txnId } = transaction;
  await decideOn(
    call,
    biller,
    { ...transaction, eventId: approval ?? txnId },
    {
      signed: false,
      body: Buffer.from(txnId),
      proof: approval === null ? 'enquiry' : 'approval',
    },
  );
  await call.db.rows(sql`delete from payment_claim where provider = ${provider} and txn_id = ${txnId}`);
}
