import type { MoneyReceived } from '../../generated/prisma/client.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { isPassing } from '../../platform/database/errors.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';

/** Reason why money that arrived paid nothing. */
export const MONEY_KINDS = {
  over: 'More was paid than the reference, or the payment intent, is for; nothing is confirmed.',
  short: 'Less was paid than the reference, or the payment intent, is for; nothing is confirmed.',
  late: 'It was paid after the reference expired; nothing is confirmed.',
  withdrawn: 'The reference was withdrawn; nothing is confirmed.',
  already_paid: 'The assessment of the reference was paid already; nothing is confirmed.',
  unknown_reference: 'No reference has the number, or not for this payment point; nothing is confirmed.',
  wrong_currency: 'It was paid in another currency than the reference, or the payment intent, is in.',
  unapplied: 'The rail could not record it as a payment, for a fault of its own; nothing is confirmed.',
  bank_only: 'The bank of an agency has it, and nobody could say within 5 days what it is.',
  event_reused: 'It was reported under the ID of an event about something else; nothing is confirmed.',
} as const;

export type MoneyKind = keyof typeof MONEY_KINDS;

/** Money that arrived, as it is written. */
export type Arrived = Omit<MoneyReceived, 'name' | 'createdAt' | 'kind'> & { readonly kind: MoneyKind };

/** Difference between money and the debt; null if there is none. */
export function differenceOf(
  paid: { readonly amount: Decimal; readonly currency: string },
  due: { readonly amount: Decimal; readonly currency: string },
): 'wrong_currency' | 'over' | 'short' | null {
  if (paid.currency !== due.currency) return 'wrong_currency';
  if (paid.amount.equals(due.amount)) return null;
  return paid.amount.greaterThan(due.amount) ? 'over' : 'short';
}

/**
 * Records money that was proved as the payment that it is, or books it where that fails: what somebody has is never lost
 * to a check of the rail's own. What may succeed in a moment is left to the next try.
 */
export async function applyOrBook<Outcome>(
  { log }: Pick<Call, 'log'>,
  apply: () => Promise<Outcome>,
  book: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await apply();
  } catch (error) {
    if (isPassing(error)) throw error;
    log.error({ err: error }, 'money that was proved could not be recorded as a payment, and is booked as received');
    return book();
  }
}

/** Money that arrived, with its docname. */
export async function nameMoney(call: Call, arrived: Arrived): Promise<MoneyReceived> {
  const createdAt = call.now();
  return { ...arrived, name: await call.docnames.next('money', createdAt), createdAt };
}

/** The guard that books money alone: it yields nothing where its transaction is booked already. */
export function bookMoney(money: MoneyReceived): Step {
  return guard`${insertMoney(money, sql`(values (true)) as alone`)}`;
}

/** The step that books money with a change, unless its transaction is booked already. */
export function bookMoneyWith(changed: Step, money: MoneyReceived): Step {
  return step('received')`${insertMoney(money, sql`${changed}`)}`;
}

function insertMoney(money: MoneyReceived, relation: Sql): Sql {
  return sql`
    insert into money_received (name, provider, txn_id, kind, amount, currency, channel, reference, intent, assessment,
      received_at, created_at)
    select m.name, m.provider, m."txnId", m.kind, m.amount, m.currency, m.channel, m.reference, m.intent, m.assessment,
      m."receivedAt", m."createdAt"
    from ${relation}, jsonb_to_record(${json(money)}::jsonb) as m (name text, provider text, "txnId" text, kind text,
      amount numeric, currency text, channel channel, reference text, intent text, assessment text,
      "receivedAt" timestamptz, "createdAt" timestamptz)
    -- A transaction is booked once, however often it is reported.
    on conflict (provider, txn_id) do nothing returning name`;
}
