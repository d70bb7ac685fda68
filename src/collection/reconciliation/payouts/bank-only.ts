import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { insertOutcomes, readOpenOf } from '../../money/outcomes.ts';
import { bookMoneyWith, nameMoney } from '../../money/receive.ts';

/** Who has money that is known from a bank alone. */
export const AT_BANK = 'bank';

/** Days after which a credit that nobody explained is booked as money that arrived. */
const PATIENCE_DAYS = 5;

/** Credits booked in one run. */
const MOST = 1_000;

interface Unexplained {
  readonly name: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly reference: string | null;
  readonly valueOn: Date;
}

/** Books credits that stayed unknown as money that is nobody's, each once; how many. */
export async function bookUnexplained(call: Call): Promise<number> {
  const before = new Date(call.now().getTime() - PATIENCE_DAYS * DAY_MS);
  const lines = await call.db.rows<Unexplained>(sql`
    select l.name, l.amount, l.currency, l.reference, l.value_on::timestamp at time zone 'utc' as "valueOn"
    from bank_line l
    where l.kind = 'unknown' and l.amount > 0 and l.updated_at < ${before}
      and not exists (select from money_received m where m.provider = ${AT_BANK} and m.txn_id = l.name)
    order by l.value_on, l.name limit ${MOST}`);
  let booked = 0;
  for (const { name, amount, currency, reference, valueOn } of lines) {
    const money = await nameMoney(call, {
      provider: AT_BANK,
      txnId: name,
      kind: 'bank_only',
      amount,
      currency,
      channel: 'bank',
      reference,
      intent: null,
      assessment: null,
      receivedAt: valueOn,
    });
    const changed = guard`select name from bank_line where name = ${name} and kind = 'unknown' for no key update`;
    if (await commit(call, { subject: money.name, guard: changed, steps: [bookMoneyWith(changed, money)] })) booked++;
  }
  return booked;
}

/** Money that was booked of a line, with what of it is open; null where nothing was, or it is settled. */
export async function findMoneyOf(call: Call, line: string): Promise<OpenMoney | null> {
  const { db } = call;
  const booked = await db.row<{ name: string }>(sql`
    select name from money_received where provider = ${AT_BANK} and txn_id = ${line}`);
  if (!booked) return null;
  const open = await readOpenOf(call, booked.name);
  return open.isZero() ? null : { name: booked.name, open };
}

interface OpenMoney {
  readonly name: string;
  readonly open: Decimal;
}

/** The step that closes money of a line that somebody explained. */
export function settleMoney(call: Call, changed: Step, { name, open }: OpenMoney, reason: string): Step[] {
  const outcome = { money: name, kind: 'transferred', amount: open, intent: null, refund: null, reason } as const;
  return [insertOutcomes(changed, [{ ...outcome, decidedBy: call.viewer.actor, at: call.now() }])];
}
