import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import type { PaymentEvent } from '../find.ts';

/**
 * People who confirmed cash. Other payments are confirmed by an aggregator's word, no matter who asked for it or passed
 * it on.
 */
export async function findConfirmers(call: Call, assessment: string, cash: readonly PaymentEvent[]): Promise<string[]> {
  if (cash.length === 0) return [];
  // Traces are kept by months; the clocks of processes differ by a day at most.
  const since = new Date(Math.min(...cash.map(({ createdAt }) => createdAt.getTime())) - DAY_MS);
  const rows = await call.db.rows<{ actor: string }>(sql`
    select distinct actor from trace_row
    where assessment = ${assessment} and at >= ${since} and doc = any(${cash.map((event) => event.name)})`);
  return rows.map(({ actor }) => actor);
}

/** People who took the cash of an assessment: its confirmers, and the clerk of its shift. */
export async function findTakers(call: Call, assessment: string, paid: readonly PaymentEvent[]): Promise<string[]> {
  const cash = paid.filter(({ channel }) => channel === 'cash');
  if (cash.length === 0) return [];
  const shift = await call.db.row<{ clerk: string }>(sql`
    select s.clerk from assessment a join counter_shift s on s.name = a.shift where a.name = ${assessment}`);
  return [...new Set([...(shift ? [shift.clerk] : []), ...(await findConfirmers(call, assessment, cash))])];
}
