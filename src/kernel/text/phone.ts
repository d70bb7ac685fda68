import parsePhone, {
  type PhoneNumber,
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
} from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { refuseValue } from '../refusal.ts';
import { say } from './said.ts';
import { readCopied, readDigits } from './typed.ts';

export const PHONE = /^\+[1-9]\d{6,14}$/;
/** A payer's own number, with its country code, with or without the plus. */
export const PAYER_PHONE = /^\+?[1-9]\d{7,14}$/;
/**
 * The digits of a phone number as people write it, with blanks or hyphens, and with or without its country code: what
 * the E.164 form of it ends in. Null where it is no such number.
 */
export function readLocalNumber(typed: string): string | null {
  const text = readDigits(typed);
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < 6 ? null : digits;
}

/** An E.164 number: a plus, a country code, and at most 15 digits; of a country, also as `readPhone` reads it. */
export function requirePhone(path: string, value: string, country?: string | null): string {
  if (country != null) return requireLocalPhone(path, value, country);
  const phone = readInternational(value);
  if (phone === null || !readPlus(value).startsWith('+'))
    throw refuseValue(path, say`must be a phone number in E.164 form, such as +256700000001`);
  return phone;
}

/** A payer's own number in E.164 form: digits with country code, or as `readPhone` reads it. */
export function requirePayerPhone(path: string, value: string, country?: string | null): string {
  if (country != null) return requireLocalPhone(path, value, country);
  const phone = readInternational(value);
  if (phone === null) throw refuseValue(path, say`must be a phone number with its country code, such as +256700000001`);
  return phone;
}

/** A phone number as people type and paste it; `00` and `000` before a country code stand for a plus. */
export function readPlus(typed: string): string {
  return readDigits(typed).replace(/^000?(?=[1-9])/, '+');
}

/** A number with its country code, with or without a plus, in E.164 form; null where no country has numbers like it. */
function readInternational(typed: string): string | null {
  const plain = readPlus(readCopied(typed));
  if (!PAYER_PHONE.test(plain)) return null;
  const number = parsePhone(plain.startsWith('+') ? plain : `+${plain}`, { extract: false });
  return number?.isPossible() && isAsTyped(number, plain) ? number.number : null;
}

/** True if a number has all typed digits except zeros: dropping them drops carrier codes within a number. */
function isAsTyped({ number, countryCallingCode, nationalNumber }: PhoneNumber, typed: string): boolean {
  const digits = typed.replaceAll(/\D/g, '');
  const before = digits.slice(0, -nationalNumber.length);
  return (
    PHONE.test(number) && digits.endsWith(nationalNumber) && new RegExp(`^0*(?:${countryCallingCode}0*)?$`).test(before)
  );
}

function requireLocalPhone(path: string, value: string, country: string): string {
  const number = readPhone(value, country);
  if (number === null)
    throw refuseValue(
      path,
      say`must be a phone number, such as ${examplePhone(country)}, or begin with + and the country code`,
    );
  return number;
}

/**
 * A phone number as people of a country write it (`0700 010 003`, `256700010003`), or one of another country with a
 * plus, in E.164 form; null where it is none. Numbers of other countries are only held to that form.
 */
export function readPhone(text: string, country: string): string | null {
  const code = codeOf(country);
  const plain = readPlus(text);
  const number = parsePhone(plain, { extract: false, ...(code && { defaultCountry: code }) });
  if (!number || number.ext !== undefined || !isAsTyped(number, plain)) return null;
  const isForeign = number.country !== undefined && number.country !== code;
  return (isForeign ? number.isPossible() : number.isValid()) ? number.number : null;
}

/** A phone number in E.164 form as people of a country write it; with its country code where it is of another. */
export function writePhone(phone: string, country: string): string {
  const number = parsePhone(phone);
  if (!number) return phone;
  const written = number.country === codeOf(country) ? number.formatNational() : number.formatInternational();
  return written.replace(/\b(\d{3})(\d{3})$/, '$1 $2');
}

/** A mobile number as people of a country write it. */
export function examplePhone(country: string): string {
  const code = codeOf(country);
  const example = code && getExampleNumber(code, examples);
  return example ? writePhone(example.number, country) : '+256700000001';
}

const codeOf = (country: string) => {
  const code = country.toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
};

/** Prefix of a country's phone numbers in E.164 form, such as `+256`; null if it has none. */
export function callingCodeOf(country: string): string | null {
  const code = codeOf(country);
  return code ? `+${getCountryCallingCode(code)}` : null;
}
