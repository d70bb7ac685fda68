import { sql } from '../../../src/platform/database/sql.ts';
import type { TestRail } from '../../harness/rail.ts';

/** A line of a bank about what a provider paid out to an agency. */
export interface Payout {
  readonly mda: string;
  readonly provider: string;
  readonly from: string;
  readonly to: string;
  readonly valueOn: string;
  readonly amount: number;
}

/** Books a line, on a statement of its own. */
export async function bookPayout(rail: TestRail, { mda, provider, from, to, valueOn, amount }: Payout): Promise<void> {
  const at = rail.rail.now();
  const name = `BST-2026-01-${String(await rail.count(sql`select 1 from bank_statement`)).padStart(6, '0')}`;
  await rail.rows(sql`
    insert into bank_statement (name, account, currency, format, source_hash, lines, created_by, created_at)
    select ${name}, collection_account, 'UGX', 'csv', encode(sha256(${name}::bytea), 'hex'), 1, 'x', ${at} from mda where name = ${mda}`);
  await rail.rows(sql`
    insert into bank_line (name, statement, idx, account, booked_on, value_on, amount, currency, text, kind, provider, from_on, to_on, how, updated_at)
    select name || '.1', name, 1, account, ${valueOn}::date, ${valueOn}::date, ${amount}, 'UGX', 'PAYOUT', 'payout', ${provider},
      ${from}::date, ${to}::date, 'sum', ${at}
    from bank_statement where name = ${name}`);
}
