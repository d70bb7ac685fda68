import type { Claimed } from '../../../adapters/billers/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Step } from '../../../platform/change/step.ts';
import { type Sql, empty, sql } from '../../../platform/database/sql.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { requireTellable } from '../billers/message.ts';

/** For how long claims are kept that nothing proved. */
const KEPT_DAYS = 90;

/**
 * Keeps that somebody reported a transaction without a signature, and has its payment point asked at once. Of what was
 * reported only the transaction is kept, and when to look for it: all else is the payment point's to say.
 */
export async function keepClaim(call: Call, provider: string, { txnId, paidAt }: Claimed): Promise<void> {
  const at = call.now();
  requireTellable(paidAt, at);
  // Reported again it is asked about again: the moment that was reported first may have been a wrong one.
  await call.db.rows(sql`
    insert into payment_claim (provider, txn_id, paid_at, ask_at, received_at)
    select ${provider}, ${txnId}, ${paidAt}, ${at}, ${at} where not ${isBooked(provider, txnId)}
    on conflict (provider, txn_id) do update set paid_at = excluded.paid_at, ask_at = excluded.ask_at`);
  call.work.note();
}

/** Whether a transaction of a payment point was decided on. */
function isBooked(provider: string, txnId: string) {
  return sql`(exists (select from money_received where provider = ${provider} and txn_id = ${txnId})
    or exists (select from payment_intent where aggregator = ${provider} and aggregator_reference = ${txnId}))`;
}

/** Whether somebody reported a transaction, and it waits for a proof. */
export async function hasClaim({ db }: Call, provider: string, txnId: string): Promise<boolean> {
  return (await db.row(sql`select from payment_claim where provider = ${provider} and txn_id = ${txnId}`)) !== null;
}

/** Has payment points asked at once about claims of a provider, by transaction. */
export async function askAtOnce(call: Call, provider: string, txnIds: readonly string[]): Promise<void> {
  await call.db.rows(setAskedNow(call, provider, txnIds));
  call.work.note();
}

/** The same as SQL, for the row of a step where there is one. */
export function setAskedNow({ now }: Call, provider: string, txnIds: readonly string[], held?: Step): Sql {
  return sql`
    update payment_claim c set ask_at = ${now()} ${held ? sql`from ${held}` : empty}
    where c.provider = ${provider} and c.txn_id = any(${[...txnIds]}) returning c.txn_id as name`;
}

/** Forgets claims that nothing proved in a long time; how many they were. */
export async function purgeClaims({ db, now }: Call): Promise<number> {
  const rows = await db.rows(sql`
    delete from payment_claim where received_at < ${new Date(now().getTime() - KEPT_DAYS * DAY_MS)} returning txn_id`);
  return rows.length;
}
