import { type Step, step } from '../../platform/change/step.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import { type Decimal, sum } from '../../kernel/money.ts';
import { feeAt } from '../catalogue/fees.ts';

/** Quantity of one service. */
export interface PricedService {
  readonly name: string;
  readonly serviceName: string;
  readonly mda: string;
  readonly feeAmount: Decimal;
}

export interface PricedLine {
  readonly idx: number;
  readonly service: string;
  readonly serviceName: string;
  readonly mda: string;
  readonly quantity: number;
  readonly rate: Decimal;
  readonly amount: Decimal;
}

/** The line that a quantity of a service makes: its fee, and nothing a client says, is the rate. */
export function priceLine(
  idx: number,
  { name, serviceName, mda, feeAmount }: PricedService,
  quantity: number,
): PricedLine {
  return { idx, service: name, serviceName, mda, quantity, rate: feeAmount, amount: feeAmount.times(quantity) };
}

export function totalOf(lines: readonly PricedLine[]): Decimal {
  return sum(lines.map(({ amount }) => amount));
}

/** The step that yields the prices of lines, for a statement that compares them with the fees. */
export function pricesOf(lines: readonly PricedLine[]): Step {
  const given = json(lines.map(({ idx, service, rate, amount }) => ({ idx, service, rate, amount })));
  return step(
    'prices',
  )`select * from jsonb_to_recordset(${given}::jsonb) as p (idx int, service text, rate numeric, amount numeric)`;
}

/** The condition that prices are the fees of services which are offered at a time. */
export function areCurrent(prices: Step, currency: string, at: Date): Sql {
  return sql`not exists (
    select from ${prices} p join service s on s.name = p.service join mda m on m.name = s.mda
    where not (${isCurrent(currency, at)}))`;
}

/** The same of an assessment that is made: no fee changes before it is there, so that a change finds it as a Draft. */
export function stayCurrent(prices: Step, currency: string, at: Date): Sql {
  const held = step('held')`
    select p.idx from ${prices} p join service s on s.name = p.service join mda m on m.name = s.mda
    where ${isCurrent(currency, at)} order by s.name for share of s`;
  return sql`(select count(*) from ${held}) = (select count(*) from ${prices})`;
}

/** True for the current price `p` of a service `s` of an agency `m`. */
function isCurrent(currency: string, at: Date): Sql {
  return sql`${feeAt('s', at)} = p.rate and s.currency = ${currency} and s.status = 'Active' and m.status = 'Active'`;
}
