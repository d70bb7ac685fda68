import { refuseValue } from '../refusal.ts';
import { z } from '../zod.ts';

export const PHONE = /^\+[1-9]\d{6,14}$/;
/** A payer's own number, with its country code, with or without the plus. */
export const PAYER_PHONE = /^\+?[1-9]\d{7,14}$/;
/**
 * The digits of a phone number as people write it, with blanks or hyphens, and with or without its country code: what
 * the E.164 form of it ends in. Null where it is no such number.
 */
export function readLocalNumber(text: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < 6 ? null : digits;
}

/** An E.164 number: a plus, a country code, and at most 15 digits. */
export function requirePhone(path: string, value: string): string {
  const phone = value.trim();
  if (!PHONE.test(phone)) throw refuseValue(path, 'must be a phone number in E.164 form, such as +256700000001');
  return phone;
}

export const LONGEST_ADDRESS = 254;
const mailbox = z.email().max(LONGEST_ADDRESS);

/** An e-mail address, in lower case: how it is stored, and by which it is found. */
export function requireEmail(path: string, value: string): string {
  const parsed = mailbox.safeParse(value.trim());
  if (!parsed.success) throw refuseValue(path, `must be an e-mail address of at most ${LONGEST_ADDRESS} characters`);
  return parsed.data.toLowerCase();
}
