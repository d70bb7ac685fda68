import { randomInt } from 'node:crypto';
import { mod97_10 } from 'cdigit';

const RANDOM_DIGITS = 11;

/** What a payment reference looks like: digits of ASCII alone. */
export const REFERENCE = /^[0-9]{13}$/;

/** A number that nobody can guess from others, with two check digits (ISO 7064, MOD 97-10). */
export function drawNumber(): string {
  return mod97_10.generate(String(randomInt(10 ** RANDOM_DIGITS)).padStart(RANDOM_DIGITS, '0'));
}

/** Whether a number could be a reference: one with a wrong digit, or two that changed places, is not looked for. */
export function isNumber(text: string): boolean {
  return REFERENCE.test(text) && mod97_10.validate(text);
}
