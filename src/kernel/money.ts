import * as dinero from 'dinero.js/currencies';
import { Decimal } from 'decimal.js';
import { refuseValue } from './refusal.ts';
import { say } from './text/said.ts';
import { readDigits } from './text/typed.ts';

// 20 digits, the default, would drop cents of large sums.
Decimal.set({ precision: 40 });

export { Decimal };

export const zero = new Decimal(0);

/** Digits that a JSON number carries exactly. */
export const MOST_DIGITS = 15;

/** The lev is in the list for the books of the past; since 2026 nothing is priced in it. */
const WITHDRAWN = new Set(['BGN']);

/**
 * The currencies of ISO 4217 as they are today, each with the digits of its minor unit. Of those whose minor unit is a
 * fifth, the standard gives two digits all the same.
 */
const minorUnits: ReadonlyMap<string, number> = new Map(
  Object.values(dinero)
    .filter(({ code }) => !WITHDRAWN.has(code))
    .map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
);

/** Number of decimals of an amount in a currency (ISO 4217). */
export function minorDigitsOf(currency: string): number {
  const digits = minorUnits.get(currency);
  if (digits === undefined) throw new RangeError(`${currency} is no ISO 4217 currency`);
  return digits;
}

export function isCurrency(code: string): boolean {
  return minorUnits.has(code);
}

/** An amount that is no sum, such as an average, rounded to what a currency can say (half up). */
export function toMinorUnit(amount: Decimal | null, currency: string): Decimal | null {
  return amount && amount.toDecimalPlaces(minorDigitsOf(currency));
}

/** An amount as given by a caller: more than nothing, and exact in the currency's minor unit. */
export function requirePositive(path: string, amount: Decimal, currency: string): Decimal {
  if (!amount.isPositive() || amount.isZero()) throw refuseValue(path, say`must be more than 0`);
  return requireExact(path, amount, currency);
}

/** An amount as given by a caller: nothing or more, and exact in the currency's minor unit. */
export function requireExact(path: string, amount: Decimal, currency: string): Decimal {
  if (amount.isNegative() && !amount.isZero()) throw refuseValue(path, say`must not be negative`);
  if (amount.decimalPlaces() > minorDigitsOf(currency)) {
    throw refuseValue(path, say`must have at most ${minorDigitsOf(currency)} decimals, as ${currency} has`);
  }
  return amount;
}

/** True if an amount is no finer than its currency's minor unit; a finer one would be shown rounded. */
export function isExact(amount: Decimal, currency: string): boolean {
  return isCurrency(currency) && fitsJson(amount) && amount.decimalPlaces() <= minorDigitsOf(currency);
}

/** Refuses a currency that a caller expects where another was decided on. */
export function refuseOtherCurrency(expected: string | null | undefined, currency: string): void {
  if (expected != null && expected.toUpperCase() !== currency) throw refuseValue('currency', say`must be ${currency}`);
}

export function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), zero);
}

/** Base of the words in which a `Decimal` keeps its digits, seven in each. */
const WORD = 10_000_000;

/**
 * An amount as a number, the nearest there is. One of two words or fewer is their quotient, at a fifth of what it takes
 * to write it as text and to read that; two words are less than what a number counts to, so that it is rounded once.
 */
export function toNumber(amount: Decimal): number {
  const { d: words, e: exponent, s: sign } = amount;
  // Infinity has no words.
  const [first, second = 0, third] = (words as readonly number[] | null) ?? [];
  if (first === undefined || third !== undefined || exponent < 0) return amount.toNumber();
  if (exponent < 7) return second === 0 ? sign * first : (sign * (first * WORD + second)) / WORD;
  return exponent < 14 ? sign * (first * WORD + second) : amount.toNumber();
}

/** True if a JSON number carries an amount exactly. */
export function fitsJson(amount: Decimal): boolean {
  return amount.isFinite() && amount.precision(true) <= MOST_DIGITS;
}

/** An amount as it was written, with its currency where that was written too. */
interface Written {
  readonly amount: Decimal;
  readonly currency: string | null;
}

/**
 * An amount as statements and providers write it: `585000`, `585,000.00`, `143 000`, `UGX 143,000`, and `-5,000`,
 * `5,000-` or `(5,000)` for less than nothing. Null where it is none, or has more digits than an amount may have.
 */
export function readAmount(text: string): Written | null {
  const plain = readDigits(text).replaceAll('\u2212', '-');
  const [code = null] = /^[A-Z]{3}(?![A-Z])|(?<![A-Z])[A-Z]{3}$/.exec(plain) ?? [];
  const bare = (code === null ? plain : plain.replace(code, '').trim()).replaceAll(/(?<=\d)[ ,](?=\d{3}(\D|$))/g, '');
  const [, minus, number, after, inBrackets] =
    /^(?:([-+]?) ?(\d{1,15}(?:\.\d{1,4})?)(-?)|\((\d{1,15}(?:\.\d{1,4})?)\))$/.exec(bare) ?? [];
  if ((code !== null && !isCurrency(code)) || (minus && after)) return null;
  const amount = new Decimal(number ?? inBrackets ?? Number.NaN);
  if (!fitsJson(amount)) return null;
  return { amount: minus === '-' || after || inBrackets ? amount.negated() : amount, currency: code };
}
