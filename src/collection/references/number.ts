import { randomInt } from 'node:crypto';
import { mod97_10 } from 'cdigit';
import { readCopied } from '../../kernel/text/typed.ts';

const RANDOM_DIGITS = 11;
const LENGTH = RANDOM_DIGITS + 2;

/** Form of a payment reference: digits of ASCII alone. */
export const REFERENCE = /^[0-9]{13}$/;

/**
 * A number that nobody can guess from others, with two check digits (ISO 7064, MOD 97-10). It does not begin with a
 * zero, which spreadsheets and bank forms take away.
 */
export function drawNumber(): string {
  return mod97_10.generate(String(randomInt(10 ** (RANDOM_DIGITS - 1), 10 ** RANDOM_DIGITS)));
}

/** A reference as people copy it: `4820 9173 65135`, in digits of any script, and without the zero that it began with. */
export function readNumber(typed: string): string | null {
  const digits = readCopied(typed);
  const number = digits.length === LENGTH - 1 ? `0${digits}` : digits;
  return isNumber(number) ? number : null;
}

/** True if a number could be a reference: one with a wrong digit, or two that were swapped, is not looked up. */
export function isNumber(text: string): boolean {
  return REFERENCE.test(text) && mod97_10.validate(text);
}

/** The references that differ from what was typed by one digit, or by two neighbours that are swapped. */
export function similarNumbers(typed: string): string[] {
  const digits = readCopied(typed).split('');
  if (digits.length !== LENGTH) return [];
  const others = digits.flatMap((digit, at) => [
    ...Array.from({ length: 10 }, (_, other) => digits.with(at, String(other))),
    ...(at > 0 ? [digits.with(at - 1, digit).with(at, digits[at - 1]!)] : []),
  ]);
  return [...new Set(others.map((each) => each.join('')))].filter(isNumber);
}
