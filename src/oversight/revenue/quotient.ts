import { type Sql, sql } from '../../platform/database/sql.ts';

const thousandths = (amount: Sql) => sql`((${amount})::decimal(38, 3) * 1000)::hugeint`;

/**
 * An amount divided by another to a millionth, halves away from zero; null by nothing. DuckDB divides floating-point
 * numbers, whose last digit may differ.
 */
export function divide(amount: Sql, by: Sql): Sql {
  const [part, whole] = [thousandths(amount), thousandths(by)];
  return sql`case when ${by} <> 0
    then sign(${part}) * sign(${whole}) * ((2000000 * abs(${part}) + abs(${whole})) // (2 * abs(${whole}))) / 1e6 end`;
}
