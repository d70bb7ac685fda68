import { z } from './zod.ts';
import { invalid } from './refusal.ts';

/** Why a string cannot be stored as it is, or null: PostgreSQL has no NUL, and a lone surrogate would silently become U+FFFD. */
export function badText(value: string): string | null {
  if (value.includes('\0')) return 'must not contain NUL';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return null;
}

/** How long a text is in characters, as its bounds are meant: a character outside the basic plane counts once. */
export function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) length += 1;
  return length;
}

/** How long text may be, in characters: free text where nothing else is said, names, labels, reasons, and what is written at length. */
export const LONGEST_TEXT = 1_000;
export const LONGEST_NAME = 200;
export const LONGEST_LABEL = 100;
export const LONGEST_REASON = 280;
export const LONGEST_NOTE = 4_000;

/** Free text, trimmed; refused where it is empty or longer than allowed. */
export function requiredText(path: string, value: string, longest = LONGEST_TEXT): string {
  const text = value.trim();
  if (text === '') throw invalid(path, 'must not be empty');
  if (lengthOf(text) > longest) throw invalid(path, `must be at most ${longest} characters`);
  return text;
}

/** Controls, line breaks, marks of direction, and what takes no room: none of it can be seen, and all of it can mislead who reads. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Searched in the compatibility form, in which full-width characters are plain ones. */
const LINK = /:\/\/|\bwww\./i;
const READABLE = /[\p{L}\p{N}]/u;

/**
 * What somebody or something is called, as others will read it: one line of visible text that leads nowhere, trimmed. It stands in
 * mail, lists and pages of people who did not write it.
 */
export function properName(path: string, value: string, longest = LONGEST_NAME): string {
  const name = requiredText(path, value, longest);
  if (UNSEEN.test(name)) throw invalid(path, 'must be one line, without control or invisible characters');
  if (LINK.test(name.normalize('NFKC'))) throw invalid(path, 'must not hold a link');
  if (!READABLE.test(name)) throw invalid(path, 'must contain a letter or a digit');
  return name;
}

/** The same where it may be left out; blank counts as left out. */
export function optionalName(path: string, value: string | null | undefined, longest = LONGEST_NAME): string | null {
  return value == null || value.trim() === '' ? null : properName(path, value, longest);
}

/** Letters of any script in words, initials among them; nothing that a mail program would make a link of. */
const PLAIN_NAME = /^(?=.{1,40}$)(?=.*\p{L})(?:[\p{L}\p{M}'’-]+\.?)(?: [\p{L}\p{M}'’-]+\.?){0,3}$/u;

/** A name if it is short and plain enough to address somebody by in mail that they may not have asked for; else null. */
export function greetable(name: string): string | null {
  return PLAIN_NAME.test(name) ? name : null;
}

/** Free text that may be left out; blank counts as left out. */
export function optionalText(path: string, value: string | null | undefined, longest = LONGEST_TEXT): string | null {
  return value == null || value.trim() === '' ? null : requiredText(path, value, longest);
}

/** The form in which text is searched: a substring filter ignores case, and so do its stored counterparts. */
export function searchable(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ').normalize('NFKC').toLowerCase();
}

const LONGEST_SHOWN = 60;

/** What a caller wrote, as a message names it: its beginning, where it is long. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** A LIKE pattern that finds the text anywhere, with `%`, `_` and `\` standing for themselves. */
export function containing(text: string): string {
  return `%${searchable(text).replace(/[\\%_]/g, String.raw`\$&`)}%`;
}

export const PHONE = /^\+[1-9]\d{6,14}$/;
/** A payer's own number, with its country code, with or without the plus. */
export const PAYER_PHONE = /^\+?[1-9]\d{7,14}$/;
export const NIN = /^[A-Z0-9]{6,20}$/;
export const TAX_NUMBER = /^[A-Z0-9]{5,20}$/;
export const AGENCY_CODE = /^[A-Z][A-Z0-9-]{1,31}$/;

/** An E.164 number: a plus, a country code, and at most 15 digits. */
export function phoneNumber(path: string, value: string): string {
  const phone = value.trim();
  if (!PHONE.test(phone)) throw invalid(path, 'must be a phone number in E.164 form, such as +256700000001');
  return phone;
}

export const LONGEST_ADDRESS = 254;
const mailbox = z.email().max(LONGEST_ADDRESS);

/** An e-mail address, in lower case: how it is stored, and by which it is found. */
export function emailAddress(path: string, value: string): string {
  const parsed = mailbox.safeParse(value.trim());
  if (!parsed.success) throw invalid(path, `must be an e-mail address of at most ${LONGEST_ADDRESS} characters`);
  return parsed.data.toLowerCase();
}
