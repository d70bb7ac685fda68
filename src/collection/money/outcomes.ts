import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { loadByOwner } from '../../platform/reading/batch.ts';
import { type Decimal, zero } from '../../kernel/money.ts';
import { OPEN_AMOUNT } from './find.ts';

export type MoneyOutcome = Stored<'MoneyOutcome'>;

/** The outcomes of money, oldest first. */
export const readOutcomesOf = loadByOwner<MoneyOutcome>(
  ({ money }) => money,
  ({ db }: Pick<Call, 'db'>, names) =>
    db.rows(sql`
      select ${columnsOf('MoneyOutcome', { as: 'o' })} from money_outcome o where o.money = any(${names}) order by o.money, o.id`),
);

const readOpen = loadByOwner<{ readonly money: string; readonly open: Decimal }>(
  ({ money }) => money,
  ({ db }: Pick<Call, 'db'>, names) =>
    db.rows(sql`select r.name as money, ${OPEN_AMOUNT} as open from money_received r where r.name = any(${names})`),
);

/** The amount of money that has no outcome, and that no refund is about to give back. */
export async function readOpenOf(call: Call, money: string): Promise<Decimal> {
  return (await readOpen(call, money))[0]?.open ?? zero;
}

/** The step that writes outcomes with a change; more than arrived is refused by a trigger, as a conflict. */
export function insertOutcomes(changed: Step, outcomes: readonly Omit<MoneyOutcome, 'id'>[]): Step {
  return step('outcomes')`
    insert into money_outcome (money, kind, amount, intent, refund, reason, decided_by, at)
    select o.money, o.kind, o.amount, o.intent, o.refund, o.reason, o."decidedBy", o.at
    from ${changed}, jsonb_to_recordset(${json(outcomes)}::jsonb) as o (money text, kind money_outcome_kind, amount numeric,
      intent text, refund text, reason text, "decidedBy" text, at timestamptz)`;
}
