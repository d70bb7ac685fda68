import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import type { Assessment } from '../../assessments/find.ts';

/** The most cash of a shift `s`: as its agency has it, or else its country; null: any amount. */
export const shiftCashLimit = sql`(
  select coalesce(m.shift_cash_limit, c.shift_cash_limit) from mda m left join country c on c.code = m.country
  where m.name = s.mda)`;

interface Limits {
  readonly payment: Decimal | null;
  /** Amount that the shift may still take. */
  readonly rest: Decimal | null;
}

/** Refuses more cash than the agencies of an assessment take in one payment, or than the shift may still take. */
export async function refuseBeyondLimit(
  call: Call,
  { lines, totalAmount, currency }: Pick<Assessment, 'lines' | 'totalAmount' | 'currency'>,
  shift: string | null,
): Promise<void> {
  const limits = await call.db.row<Limits>(sql`
    select min(coalesce(m.cash_limit, c.cash_limit)) as payment, (
      select ${shiftCashLimit} - s.cash_collected from counter_shift s where s.name = ${shift}) as rest
    from mda m left join country c on c.code = m.country where m.name = any(${lines.map(({ mda }) => mda)})`);
  const { payment, rest } = limits!;
  if (payment?.lessThan(totalAmount))
    throw refuseBecause(
      'cash_limit',
      `At most ${payment.toString()} ${currency} of cash is taken in one payment; choose another channel`,
      'channel',
    );
  if (rest?.lessThan(totalAmount))
    throw refuseBecause(
      'cash_limit',
      `${shift} would collect more cash than one shift may; close it and open another`,
      'channel',
    );
}
