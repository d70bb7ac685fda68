import type { Assessment, MoneyReceived } from '../../generated/prisma/client.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { assessmentLoader } from '../assessments/find.ts';
import { similarNumbers } from '../references/number.ts';

/** The most suggestions for money. */
const MOST = 20;

/**
 * Unpaid assessments that money may have been for, the likeliest first: those whose payment reference differs from what
 * was typed by one digit, or by two that are swapped, and the payer's own of the same amount.
 */
export async function findSuggestions(call: Call, money: MoneyReceived): Promise<Assessment[]> {
  const { reference, assessment, amount, currency } = money;
  const numbers = reference === null ? [] : similarNumbers(reference);
  const rows = await call.db.rows<{ name: string }>(sql`
    select a.name from (
      select assessment as name, 1 as rank from payment_reference where number = any(${numbers})
      union all select b.name, 2 from assessment m join assessment b on b.citizen = m.citizen and b.total_amount = ${amount}
        where m.name = ${assessment}) s join assessment a using (name)
    where a.status = 'Assessed' and a.currency = ${currency} group by a.name order by min(s.rank), a.name desc limit ${MOST}`);
  const found = await Promise.all(rows.map(({ name }) => assessmentLoader.load(call, name)));
  return found.filter((one) => one !== null);
}
