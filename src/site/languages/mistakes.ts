import { readFileSync } from 'node:fs';
import { Said, type Words, fillIn } from '../../kernel/text/said.ts';
import { LANGUAGES, type Language } from './language.ts';
import type { Texts } from './texts.ts';

type Translations = Readonly<Record<string, string>>;

const FOLDER = new URL('messages/mistakes/', import.meta.url);

/** Mistakes in other languages, by their English form: `must be at least {0}`. */
const TRANSLATED = new Map(
  Object.keys(LANGUAGES)
    .filter((language) => language !== 'en')
    .map((language) => [
      language as Language,
      JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')) as Translations,
    ]),
);

/** A mistake in the language of a page, with fields by their labels; null where there is no translation. */
export function translate(words: Words, { language, has, t }: Pick<Texts, 'language' | 't' | 'has'>): string | null {
  if (!(words instanceof Said)) return null;
  const form = language === 'en' ? words.form : TRANSLATED.get(language)?.[words.form];
  if (form === undefined) return null;
  return fillIn(
    form,
    words.values.map((value) => (has(`field.${value}`) ? t(`field.${value}`) : value)),
  );
}
