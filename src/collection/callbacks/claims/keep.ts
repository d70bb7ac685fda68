import type { Claimed } from '../../../adapters/billers/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Step } from '../../../platform/change/step.ts';
import { type Purging, purgeRows } from '../../../platform/change/purge.ts';
import { type Sql, empty, sql } from '../../../platform/database/sql.ts';
import { networkOf } from '../../../kernel/network.ts';
import { Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { DAY_MS } from '../../../kernel/time.ts';

/** Moments that are kept of a transaction, the first ones. */
const MOST_MOMENTS = 3;
/** For how long claims are kept that nothing proved. */
const KEPT_DAYS = 90;
/** By how much the clocks of others may differ from the rail's. */
const SKEW_MS = 300_000;
/** Nobody knows more of what was paid before this. */
const OLDEST_MS = 366 * DAY_MS;

/** Reports that a payment point has not denied; and those of an address that it has. */
const MOST_OF_POINT = 5_000;
const MOST_OF_SENDER = 20;

/**
 * Keeps that somebody reported a transaction without a signature, and has its payment point asked at once. Of what was
 * reported only the transaction is kept, when to look for it, and who reports it, as a hash: all else is the payment point's to say.
 */
export async function keepClaim(call: Call, provider: string, { txnId, paidAt }: Claimed): Promise<void> {
  const at = call.now();
  requireTellable(paidAt, at);
  const sender = call.vault.hash('address', networkOf(call.transport.source.address));
  await refuseTooMany(call, provider, txnId, sender);
  // Nobody moves a moment that was reported before. A new one is asked about at once, and else each a minute later at most.
  await call.db.rows(sql`
    insert into payment_claim as c (provider, txn_id, paid_at, ask_at, received_at, sender)
    select ${provider}, ${txnId}, ${paidAt}, ${at}, ${at}, ${sender} where not ${isBooked(provider, txnId)}
    on conflict (provider, txn_id) do update set (other_moments, ask_at) = (
      select case when is_new then c.other_moments || excluded.paid_at else c.other_moments end,
        case when is_new then excluded.ask_at else least(c.ask_at, excluded.ask_at + interval '1 minute') end
      from (select excluded.paid_at <> all(c.paid_at || c.other_moments)
        and cardinality(c.other_moments) < ${MOST_MOMENTS - 1} as is_new) m)`);
  call.work.note();
}

/** Refuses moments at which nobody looks for what was paid. What is proved is booked, of any moment. */
function requireTellable(paidAt: Date, now: Date): void {
  if (paidAt.getTime() > now.getTime() + SKEW_MS) throw refuseValue('paid_at', 'must not be in the future');
  if (paidAt.getTime() < now.getTime() - OLDEST_MS) throw refuseValue('paid_at', 'is more than a year ago');
}

/** Refuses a new report where too many wait. Not by its payment reference: others could use up that of a payer. */
async function refuseTooMany(call: Call, provider: string, txnId: string, sender: Buffer): Promise<void> {
  const full = await call.db.row(sql`
    select from payment_claim where provider = ${provider} and ask_at is not null
    having (count(*) filter (where not denied) >= ${MOST_OF_POINT} or count(*) filter (where denied and sender = ${sender}) >= ${MOST_OF_SENDER})
      and not exists (select from payment_claim where provider = ${provider} and txn_id = ${txnId})
      and not ${isBooked(provider, txnId)}`);
  if (full) throw new Refusal('unavailable', 'Too many reports wait until the payment point is asked; try again later');
}

/** True if a transaction of a payment point was decided on. */
function isBooked(provider: string, txnId: string) {
  return sql`(exists (select from money_received where provider = ${provider} and txn_id = ${txnId})
    or exists (select from payment_intent where aggregator = ${provider} and aggregator_reference = ${txnId}))`;
}

/** True if somebody reported a transaction, and it waits for a proof. */
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
export async function purgeClaims(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - KEPT_DAYS * DAY_MS);
  return purgeRows(purging, 'payment_claim', sql`received_at < ${before}`);
}
