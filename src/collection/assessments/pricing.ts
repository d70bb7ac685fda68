import { type Decimal, sum } from '../../kernel/money.ts';

/** What is asked of one service. */
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
