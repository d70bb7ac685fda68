import { randomUUID } from 'node:crypto';
import { actAsSystem } from '../../../../src/platform/access/viewer.ts';
import { callOf } from '../../../../src/platform/call/call.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { addDays, dayIn } from '../../../../src/kernel/time.ts';
import type { TestRail } from '../../../harness/rail.ts';

export const systemOf = (rail: TestRail) => callOf(rail.rail, actAsSystem('job:settle_payouts'), randomUUID());

/** Moves the clock of a rail to ten in the morning of the next such day of the week in Kampala; the day. */
export function moveTo(rail: TestRail, weekday: number): string {
  const now = rail.rail.now();
  const at = new Date(now);
  at.setUTCHours(7, 0, 0, 0);
  const days = (weekday - at.getUTCDay() + 7) % 7;
  at.setUTCDate(at.getUTCDate() + (days === 0 && at <= now ? 7 : days));
  rail.advance((at.getTime() - now.getTime()) / 3_600_000);
  return dayIn(at, 'Africa/Kampala');
}

interface Line {
  readonly amount: number;
  readonly valueOn: string;
  readonly text?: string;
  readonly kind?: string;
  readonly provider?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A statement of the account of an agency, as its upload leaves it; its docname. */
export async function bankStatement(rail: TestRail, mda: string, lines: readonly Line[]): Promise<string> {
  const name = await rail.rail.docnames.next('bankStatement', rail.rail.now());
  const days = lines.map(({ valueOn }) => valueOn).toSorted();
  await rail.rows(sql`
    insert into bank_statement (name, account, currency, format, source_hash, from_on, to_on, lines, created_by, created_at)
    select ${name}, collection_account, 'UGX', 'csv', encode(sha256(${name}::text::bytea), 'hex'), ${addDays(days[0]!, -10)}::date,
      ${days.at(-1)!}::date, ${lines.length}, 'officer@example.com', ${rail.rail.now()} from mda where name = ${mda}`);
  for (const [index, line] of lines.entries()) {
    const { amount, valueOn, text = '', kind = 'unknown', provider = null, from = null, to = null } = line;
    await rail.rows(sql`
      insert into bank_line (name, statement, idx, account, booked_on, value_on, amount, currency, text, kind, provider, from_on,
        to_on, how, updated_at)
      select ${`${name}.${index + 1}`}, s.name, ${index + 1}, s.account, ${valueOn}::date, ${valueOn}::date, ${amount}::numeric, s.currency,
        ${text}, ${kind}::text, ${provider}::text, ${from}::date, ${to}::date, ${kind === 'unknown' ? null : 'sum'}::text, s.created_at
      from bank_statement s where s.name = ${name}`);
  }
  return name;
}

/** Each line of a statement, in a word. */
export async function explained(rail: TestRail, statement: string): Promise<string[]> {
  const rows = await rail.rows<{ said: string }>(sql`
    select concat_ws(' ', kind, how, provider, from_on, to_on) as said from bank_line where statement = ${statement} order by idx`);
  return rows.map(({ said }) => said);
}
