import { readFileSync } from 'node:fs';
import { Said, type Words } from '../../kernel/text/said.ts';
import { LANGUAGES, type Language } from './language.ts';
import type { Texts } from './texts.ts';

/** A text on a page. */
export interface Translated {
  readonly text: string;
  /** Language of the text, if it is not that of the page. */
  readonly lang: 'en' | null;
}

const FOLDER = new URL('messages/said/', import.meta.url);

/** Sentences by their English form, `must be at least {0}`; in English, those alone that have a number. */
const SENTENCES = new Map(
  Object.keys(LANGUAGES).map((language) => [
    language as Language,
    JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')) as Readonly<Record<string, string>>,
  ]),
);

/** The families of messages that have a word for what fills in a sentence. */
const FAMILIES = ['field', 'intentStatus', 'assessmentStatus', 'refundStatus', 'channel'] as const;

/** Placeholder of a value; written as a number in the language if the sentence says so: `{0, number}`. */
const HOLE = /\{(\d+)(, number)?\}/g;

/** Sentence of the code in the language of a page; in English if there is no translation. */
export function translate(words: Words, texts: Pick<Texts, 'language' | 't' | 'has' | 'number'>): Translated {
  const { language, number } = texts;
  const english = language === 'en';
  const { form, values } = words instanceof Said ? words : formOf(words);
  const sentence = SENTENCES.get(language)?.[form] ?? (english ? form : undefined);
  if (sentence === undefined) return { text: String(words), lang: 'en' };
  const fill = (hole: string, index: string, isNumber?: string) => {
    const value = values[Number(index)];
    if (value === undefined) return hole;
    return isNumber ? number(value) : wordFor(value, texts);
  };
  return { text: sentence.replaceAll(HOLE, fill), lang: null };
}

/** A text of a library as a sentence with its numbers as values: `must be at most 100`. */
function formOf(text: string): Pick<Said, 'form' | 'values'> {
  const values: string[] = [];
  const form = text.replaceAll(/\b\d+(\.\d+)?\b/g, (number) => `{${values.push(number) - 1}}`);
  return { form, values };
}

function wordFor(value: string, { t, has }: Pick<Texts, 't' | 'has'>): string {
  const name = FAMILIES.map((family) => `${family}.${value}`).find(has);
  return name === undefined ? value : t(name);
}
