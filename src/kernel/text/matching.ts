/**
 * Characters that a search ignores: apostrophes of every kind, accents, vowel marks of Arabic, and invisible ones. A
 * spacing accent (`´`) is a blank with a mark once it is taken apart. `fold_for_search` of the database has the same.
 */
const PASSED_OVER =
  / \u0301|['`‘’‛′\u02b9-\u02bf\u02c8\ua78c\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u0300-\u036f]|[\u064b-\u065f]|\u0670|[\ufe00-\ufe0f]/gu;

/** The form in which text is stored to be searched, and is searched: one spelling for any case, accents and blanks. */
export function foldForSearch(...parts: readonly (string | null | undefined)[]): string {
  const plain = parts.filter(Boolean).join(' ').normalize('NFKD').replace(PASSED_OVER, '').toLowerCase();
  return plain.replaceAll(/[ \t-\r]+/g, ' ').trim();
}

/**
 * A LIKE pattern that finds the text anywhere, with `%`, `_` and `\` standing for themselves. An apostrophe alone is in
 * no text.
 */
export function matchAnywhere(text: string): string {
  const folded = foldForSearch(text);
  return folded === '' && text.trim() !== '' ? '' : `%${folded.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
