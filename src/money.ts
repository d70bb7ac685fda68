import currencies from 'currency-codes';
import { Prisma } from './generated/prisma/client.ts';
import { invalid } from './refusal.ts';

// 20 digits, the default, would drop cents of large sums.
Prisma.Decimal.set({ precision: 40 });

export const Decimal = Prisma.Decimal;
export type Decimal = Prisma.Decimal;

export const zero = new Decimal(0);

/** What a JSON number carries exactly. */
export const MOST_DIGITS = 15;

/** How many decimals an amount in a currency may have (ISO 4217). */
export function minorDigits(currency: string): number {
  const known = currencies.code(currency);
  if (!known) throw new RangeError(`${currency} is no ISO 4217 currency`);
  return known.digits;
}

/** An amount that is no sum, such as an average, rounded to what a currency can say (half up). */
export function toMinorUnit(amount: Decimal | null, currency: string): Decimal | null {
  return amount && amount.toDecimalPlaces(minorDigits(currency));
}

export function isCurrency(code: string): boolean {
  return currencies.code(code) !== undefined;
}

/** An amount as given by a caller: more than nothing, and exact in the currency's minor unit. */
export function positiveAmount(path: string, amount: Decimal, currency: string): Decimal {
  if (!amount.isPositive() || amount.isZero()) throw invalid(path, 'must be more than 0');
  return exactAmount(path, amount, currency);
}

/** An amount as given by a caller: nothing or more, and exact in the currency's minor unit. */
export function exactAmount(path: string, amount: Decimal, currency: string): Decimal {
  if (amount.isNegative() && !amount.isZero()) throw invalid(path, 'must not be negative');
  if (amount.decimalPlaces() > minorDigits(currency)) {
    throw invalid(path, `must have at most ${minorDigits(currency)} decimals, as ${currency} has`);
  }
  return amount;
}

export function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), zero);
}

/** Whether a JSON number carries an amount exactly. */
export function fitsJson(amount: Decimal): boolean {
  return amount.isFinite() && amount.precision(true) <= MOST_DIGITS;
}
