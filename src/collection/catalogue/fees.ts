import type { Operator } from '../../platform/audit/operation.ts';
import { type Database, json, sql } from '../../platform/database/sql.ts';
import type { ServiceStatus } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';

/** A service by its columns. */
export interface ServiceRow {
  readonly name: string;
  readonly service_name: string;
  readonly code: string;
  readonly mda: string;
  readonly sector: string;
  readonly family: string;
  readonly status: ServiceStatus;
  readonly fee_amount: Decimal;
  readonly currency: string;
}

/**
 * Adds the fees that were set to the history of their services: those of new ones, and those that differ from before.
 */
export async function recordFees(
  { db, viewer, now }: Operator & { readonly db: Database },
  before: readonly ServiceRow[],
  after: readonly ServiceRow[],
): Promise<void> {
  const known = new Map(before.map((row) => [row.name, row]));
  const set = after.filter((row) => {
    const was = known.get(row.name);
    return !was || !was.fee_amount.equals(row.fee_amount) || was.currency !== row.currency;
  });
  await db.rows(sql`
    insert into service_fee (service, fee_amount, currency, since, set_by)
    select name, fee_amount, currency, ${now()}, ${viewer.actor}
    from jsonb_to_recordset(${json(set)}::jsonb) as s (name text, fee_amount numeric, currency text)`);
}
