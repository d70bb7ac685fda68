import { readFileSync } from 'node:fs';
import type { Texts } from './texts.ts';

const { mistake: english } = JSON.parse(
  readFileSync(new URL('messages/en/mistakes.json', import.meta.url), 'utf8'),
) as { readonly mistake: Readonly<Record<string, string>> };

/**
 * What the graph says of mistakes, which is English, each with the message that says it in the languages of pages. Those
 * with most words of their own come first: "at most 5 characters" is not "at most" of "5 characters".
 */
const SENTENCES = Object.entries(english)
  .map(([key, words]) => ({
    name: `mistake.${key}`,
    form: formOf(words),
    own: words.replaceAll(/\{\{\w+\}\}/g, '').length,
  }))
  .toSorted((one, other) => other.own - one.own);

/** What a sentence looks like whose message is `must be at least {{least}}`. */
function formOf(words: string): RegExp {
  const literal = words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\\\{\\\{(\w+)\\\}\\\}/g, '(?<$1>.+)')}$`);
}

/**
 * What the graph says of a mistake, in the language of a page; null where no message says it. Fields that it names go by
 * the labels that they have in forms.
 */
export function translate(sentence: string, { t, has }: Pick<Texts, 't' | 'has'>): string | null {
  for (const { name, form } of SENTENCES) {
    const filled = form.exec(sentence);
    if (!filled) continue;
    const values = Object.entries(filled.groups ?? {}).map(([hole, value]) => {
      const label = `field.${value}`;
      return [hole, has(label) ? t(label) : value] as const;
    });
    return t(name, Object.fromEntries(values));
  }
  return null;
}
