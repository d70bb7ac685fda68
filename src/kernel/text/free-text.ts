import { refuseValue } from '../refusal.ts';
import { type Said, say } from './said.ts';

/**
 * Reason why a string cannot be stored as it is, or null: PostgreSQL has no NUL, and a lone surrogate would silently
 * become U+FFFD.
 */
export function findBadText(value: string): Said | null {
  if (value.includes('\0')) return say`must not contain NUL`;
  if (!value.isWellFormed()) return say`must be well-formed Unicode`;
  return null;
}

/** Length of a text in characters; one outside the basic plane counts once. */
export function countCharacters(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) length += 1;
  return length;
}

/** Longest texts, in characters: free text by default, names, labels, reasons, and long texts. */
export const LONGEST_TEXT = 1_000;
export const LONGEST_NAME = 200;
export const LONGEST_LABEL = 100;
export const LONGEST_REASON = 280;
export const LONGEST_NOTE = 4_000;

/** Free text, trimmed; refused where it is empty or longer than allowed. */
export function requireText(path: string, value: string, longest = LONGEST_TEXT): string {
  const text = value.trim();
  if (text === '') throw refuseValue(path, say`must not be empty`);
  if (countCharacters(text) > longest) throw refuseValue(path, say`must be at most ${longest} characters`);
  return text;
}

/** Free text that may be left out; blank counts as left out. */
export function readText(path: string, value: string | null | undefined, longest = LONGEST_TEXT): string | null {
  return value == null || value.trim() === '' ? null : requireText(path, value, longest);
}

/** The SHA-256 of a document, as a caller gives it. */
export function requireSha256(path: string, value: string): string {
  if (!/^[0-9a-f]{64}$/.test(value))
    throw refuseValue(path, say`must be 64 hexadecimal digits in lower case: the SHA-256 of the document`);
  return value;
}

const LONGEST_SHOWN = 60;

/** A caller's text for a message: only its beginning, if it is long. */
export function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
