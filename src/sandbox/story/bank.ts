import { uploadBankStatements } from '../../collection/reconciliation/bank/upload.ts';
import { classifyLine } from '../../collection/reconciliation/bank/decide.ts';
import { findPayouts } from '../../collection/reconciliation/payouts/find.ts';
import { settlePayouts } from '../../collection/reconciliation/payouts/search.ts';
import { closeDays } from '../../oversight/closes/days/close.ts';
import { actAsSystem } from '../../platform/access/viewer.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { formatDay } from '../../kernel/time.ts';
import { FORMS } from '../demo/money/statements.ts';
import type { Cast } from './cast.ts';
import { callAt } from './stage.ts';

/** The agency whose bank sends statements. */
const AGENCY = 'URSB';
const SHORT_BY = 25_000;

/**
 * A bank says what arrived of the days that are over: all but one payout, and one that is short. Payouts are judged then,
 * and days closed, of which nobody confirmed any.
 */
export async function bookAtBank(
  rail: Rail,
  { operator }: Cast,
  { first, at }: { first: Date; at: Date },
): Promise<void> {
  const call = callAt(rail, operator, at);
  const today = formatDay(at);
  const all = await findPayouts(call, { from: formatDay(first), to: today, agencies: [AGENCY] });
  const [short, , ...whole] = all.filter(({ dueOn, state }) => dueOn <= today && state !== 'arrived');
  const row = await rail.db.row<{ account: string }>(sql`
    select collection_account as account from mda where name = ${AGENCY}`);
  if (short && row) {
    const lines = [short, ...whole].map((payout) => {
      const { expected, fees, refunded, dueOn, provider } = payout;
      const net = expected.minus(fees).minus(refunded).toNumber();
      return {
        day: dueOn,
        amount: payout === short ? net - SHORT_BY : net,
        text: `SETTLEMENT ${provider.toUpperCase()}`,
      };
    });
    const body = Buffer.from(FORMS.csv.write({ account: row.account, opening: 0, lines }));
    const [sent] = await uploadBankStatements(call, { agency: AGENCY, body, format: 'csv' });
    const days = { fromDate: new Date(short.day), toDate: new Date(short.day) };
    const said = { kind: 'payout', provider: short.provider, note: 'A part of it, by the statement of the bank' };
    await classifyLine(call, { agency: AGENCY, id: `${sent!.statement}.1`, ...said, ...days });
  }
  await settlePayouts(callAt(rail, actAsSystem('job:settle_payouts'), at));
  await closeDays(callAt(rail, actAsSystem('job:close_days'), at));
}
