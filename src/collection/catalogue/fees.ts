import type { Operator } from '../../platform/change/operation.ts';
import { type Database, type Sql, json, raw, sql } from '../../platform/database/sql.ts';
import type { ServiceStatus } from '../../generated/prisma/enums.ts';
import type { Decimal } from '../../kernel/money.ts';
import type { Names } from './names.ts';
import { type Tariff, isSameTariff } from './tariff/tariff.ts';

/** A service by its columns. */
export interface ServiceRow {
  readonly name: string;
  readonly service_name: string;
  readonly names: Names;
  readonly code: string;
  readonly mda: string;
  readonly sector: string;
  readonly family: string;
  readonly status: ServiceStatus;
  readonly fee_amount: Decimal;
  readonly tariff: Tariff | null;
  readonly fee_in_force: boolean;
  readonly currency: string;
}

/** The fee of a row of `service` that holds at a moment: the coming one from its moment on. No job has to run for it. */
export function feeAt(as: 'r' | 's', at: Date): Sql {
  const row = raw(as);
  return sql`case when ${row}.next_fee_from <= ${at} then ${row}.next_fee_amount else ${row}.fee_amount end`;
}

/** The tariff that holds in the same way; null where that fee is a plain one. */
export function tariffAt(as: 'r' | 's', at: Date): Sql {
  const row = raw(as);
  return sql`case when ${row}.next_fee_from <= ${at} then ${row}.next_tariff else ${row}.tariff end`;
}

/** True if a row of `service` has a fee that can be charged at a moment. */
export function feeInForceAt(as: 'r' | 's', at: Date): Sql {
  const row = raw(as);
  return sql`(${row}.fee_in_force or coalesce(${row}.next_fee_from <= ${at}, false))`;
}

/**
 * Coming fee of a row of `service` once it is written at a moment: none if that fee holds already, since it is with the
 * fees then.
 */
export function comingFee(as: 'r' | 's', at: Date): Readonly<Record<'amount' | 'tariff' | 'from', Sql>> {
  const row = raw(as);
  const still = (column: Sql) => sql`case when ${row}.next_fee_from > ${at} then ${column} end`;
  return {
    amount: still(sql`${row}.next_fee_amount`),
    tariff: still(sql`${row}.next_tariff`),
    from: still(sql`${row}.next_fee_from`),
  };
}

/**
 * Adds the fees that were set to the history of their services: those of new ones, those that differ from before, and
 * those that waited to be approved.
 */
export async function recordFees(
  { db, viewer, now }: Operator & { readonly db: Database },
  before: readonly ServiceRow[],
  after: readonly ServiceRow[],
): Promise<void> {
  const known = new Map(before.map((row) => [row.name, row]));
  const set = after.filter((row) => {
    const was = known.get(row.name);
    if (!was || was.fee_in_force !== row.fee_in_force) return row.fee_in_force;
    const isSame = was.fee_amount.equals(row.fee_amount) && isSameTariff(was.tariff, row.tariff);
    return !isSame || was.currency !== row.currency;
  });
  await db.rows(sql`
    insert into service_fee (service, fee_amount, tariff, currency, since, set_by)
    select name, fee_amount, tariff, currency, ${now()}, ${viewer.actor}
    from jsonb_to_recordset(${json(set)}::jsonb) as s (name text, fee_amount numeric, tariff jsonb, currency text)`);
}
