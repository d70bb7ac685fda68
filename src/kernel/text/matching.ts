/** The form in which text is searched: a substring filter ignores case, and so do its stored counterparts. */
export function foldForSearch(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ').normalize('NFKC').toLowerCase();
}

/** A LIKE pattern that finds the text anywhere, with `%`, `_` and `\` standing for themselves. */
export function matchAnywhere(text: string): string {
  return `%${foldForSearch(text).replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
