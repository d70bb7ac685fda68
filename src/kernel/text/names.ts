import { refuseValue } from '../refusal.ts';
import { LONGEST_NAME, requireText } from './free-text.ts';
import { say } from './said.ts';

/**
 * Controls, line breaks, marks of direction, and what takes no room: none of it can be seen, and all of it can mislead
 * who reads.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Joiners (U+200C, U+200D) within words of scripts that are written with them (UAX #31, A1, A2 and B). */
const JOINING = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => String.raw`\p{sc=${script}}`)
  .join('');
const JOINER = new RegExp(String.raw`(?<=[${JOINING}])[\u200c\u200d](?=[${JOINING}]|\s|$)`, 'gu');
/** Searched in the compatibility form, in which full-width characters are plain ones. */
const LINK = /:\/\/|\bwww\./i;
const READABLE = /[\p{L}\p{N}]/u;

/**
 * Reads a name that others will see: one line of visible text that leads nowhere, trimmed and with one blank between
 * words. It stands in mail, lists and pages of people who did not write it.
 */
export function requireName(path: string, value: string, longest = LONGEST_NAME): string {
  const name = requireText(path, value, longest);
  if (UNSEEN.test(name.replaceAll(JOINER, '')))
    throw refuseValue(path, say`must be one line, without control or invisible characters`);
  if (LINK.test(name.normalize('NFKC'))) throw refuseValue(path, say`must not hold a link`);
  if (!READABLE.test(name)) throw refuseValue(path, say`must contain a letter or a digit`);
  return name.replaceAll(/\p{Zs}+/gu, ' ');
}

/** The same where it may be left out; blank counts as left out. */
export function readName(path: string, value: string | null | undefined, longest = LONGEST_NAME): string | null {
  return value == null || value.trim() === '' ? null : requireName(path, value, longest);
}

/** Letters of any script in words, initials among them; nothing that a mail program would make a link of. */
const PLAIN_NAME = /^(?=.{1,40}$)(?=.*\p{L})(?:[\p{L}\p{M}'’-]+\.?)(?: [\p{L}\p{M}'’-]+\.?){0,3}$/u;

/**
 * A name if it is short and plain enough to address somebody by in mail that they may not have asked for; else null.
 */
export function pickGreeting(name: string): string | null {
  return PLAIN_NAME.test(name) ? name : null;
}

/** The first letters of the words of a name, at most four: `Jo Anne Doe` is `JAD`. What is no letter begins no word. */
export function initialsOf(name: string): string {
  const letters = name.normalize('NFC').match(/(?<![\p{L}\p{M}'’])\p{L}/gu) ?? [];
  return letters.slice(0, 4).join('').toUpperCase();
}
