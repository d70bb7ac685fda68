import { Decimal, isCurrency, isExact, zero } from '../../../kernel/money.ts';
import { type Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { findBadText } from '../../../kernel/text/free-text.ts';
import { type Said, say } from '../../../kernel/text/said.ts';

/** What a bank's file says of one account. */
export interface BankStatement {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** The account, as the bank writes it, without blanks; null where the file is of one account, and does not name it. */
  readonly account: string | null;
  readonly currency: string;
  /** The days that it is about. */
  readonly from: Date;
  readonly to: Date;
  /** What was on the account before and after; null where the file does not say. */
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly lines: readonly BankLine[];
}

/** Money that came to an account, or, below zero, left it. */
export interface BankLine {
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly bookedOn: Date;
  readonly valueOn: Date;
  readonly amount: Decimal;
  /** The bank's own number of it. */
  readonly reference: string | null;
  /** What was written about it. */
  readonly text: string;
}

export const MOST_LINES = 100_000;
/** Characters of an account, and of a bank's number. */
const LONGEST = 35;
const LONGEST_TEXT = 1_000;
/** Digits before the point of an amount, as the database keeps them. */
const MOST_WHOLE = 15;

export const refuseFile = (words: Said): Refusal => refuseValue('body', words);

/** Lines of a statement that is being read, with what they come to, so that little is left for its end. */
export class Lines {
  readonly all: BankLine[] = [];
  moved: Decimal = zero;
  #first: Date | null = null;
  #last: Date | null = null;

  add(line: BankLine): void {
    const { amount, bookedOn } = line;
    this.all.push(line);
    this.moved = this.moved.plus(amount);
    if (!this.#first || bookedOn < this.#first) this.#first = bookedOn;
    if (!this.#last || bookedOn > this.#last) this.#last = bookedOn;
  }

  /** The statement, whose balances, where it has both, agree with its lines; it is about these days and those of its lines. */
  close(of: Omit<BankStatement, 'from' | 'to' | 'lines'>, days: readonly (Date | null)[]): BankStatement {
    const { opening, closing, line } = of;
    if (opening && closing && !opening.plus(this.moved).equals(closing))
      throw refuseFile(
        say`line ${line} begins a statement whose opening balance ${opening} and lines, ${this.moved}, do not add up to its closing balance ${closing}`,
      );
    const all = [...days, this.#first, this.#last].flatMap((day) => day?.getTime() ?? []);
    if (all.length === 0) throw refuseFile(say`line ${line} has no valid day`);
    // A bank that moved nothing says so of each fee that it waived.
    const lines = this.all.filter(({ amount }) => !amount.isZero());
    return { ...of, from: new Date(Math.min(...all)), to: new Date(Math.max(...all)), lines };
  }
}

/** The text of a whole file, or of a part of one, which has to be UTF-8. */
export function decodeUtf8(
  file: Buffer,
  decoder = new TextDecoder('utf-8', { fatal: true }),
  line = 1,
  stream = false,
): string {
  try {
    return decoder.decode(file, { stream });
  } catch (error) {
    if (error instanceof TypeError) throw refuseFile(say`line ${line} is not ${'UTF-8'}: save the file as UTF-8`);
    throw error;
  }
}

export function requireRoom(count: number): void {
  if (count > MOST_LINES) throw refuseFile(say`the file has more than ${MOST_LINES} rows; send it in parts`);
}

/** An amount of a currency, written with one separator of decimals and no other. */
export function readBankAmount(written: string, separator: '.' | ',', currency: string, line: number): Decimal {
  const form = separator === '.' ? /^\d+(?:\.\d+)?$/ : /^\d+,\d*$/;
  if (!form.test(written)) throw refuseFile(say`line ${line} has no valid amount`);
  return requireBankAmount(new Decimal(written.replace(',', '.').replace(/\.$/, '')), currency, line);
}

/** An amount that its currency has, and the database keeps. */
export function requireBankAmount(amount: Decimal, currency: string, line: number): Decimal {
  if (!isExact(amount, currency) || amount.abs().trunc().toFixed().length > MOST_WHOLE)
    throw refuseFile(say`line ${line} has no valid amount`);
  return amount;
}

/** A day of the calendar, from its parts as text. */
export function readBankDay(year: string, month: string, day: string, line: number): Date {
  const written = [year, month, day].join('-');
  const found = new Date(`${written}T00:00:00Z`);
  if (Number.isNaN(found.getTime()) || found.getUTCDate() !== Number(day))
    throw refuseFile(say`line ${line} has no valid day`);
  return found;
}

export function requireAccount(account: string, line: number): string {
  const bare = account.replaceAll(/\s/g, '');
  if (bare === '' || bare.length > LONGEST || findBadText(bare) !== null)
    throw refuseFile(say`line ${line} names no account`);
  return bare;
}

export function requireCurrency(currency: string | undefined, line: number): string {
  if (currency === undefined || !isCurrency(currency)) throw refuseFile(say`line ${line} names no currency`);
  return currency;
}

export function readBankText(text: string, longest = LONGEST_TEXT): string {
  return shown(text.replaceAll(/\s+/g, ' ').trim(), longest);
}

export function readReference(text: string | undefined): string | null {
  const bare = readBankText(text ?? '', LONGEST);
  return bare === '' || bare === 'NOTPROVIDED' || bare === 'NONREF' ? null : bare;
}

/** The beginning of a text, without half a character at its end. */
const shown = (text: string, longest = LONGEST) => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
