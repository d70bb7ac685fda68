import { readFileSync } from 'node:fs';
import type { Texts } from './texts.ts';

/** What sentences of the graph are about: mistakes of its callers, or what happened to a payment. */
export type Family = 'mistake' | 'traced';

const english = JSON.parse(readFileSync(new URL('messages/en/sentences.json', import.meta.url), 'utf8')) as Readonly<
  Record<Family, Readonly<Record<string, string>>>
>;

interface Sentence {
  readonly name: string;
  readonly form: RegExp;
}

/** Whose messages say what sentences are filled in with: fields by the labels that they have in forms, states, channels. */
const FILLED: Readonly<Record<Family, readonly string[]>> = {
  mistake: ['field'],
  traced: ['intentStatus', 'assessmentStatus', 'channel'],
};

const SENTENCES: Readonly<Record<Family, readonly Sentence[]>> = {
  mistake: sentencesOf('mistake'),
  traced: sentencesOf('traced'),
};

/**
 * The sentences of a family, which in English are the graph's own. Those with most words of their own come first: "at
 * most 5 characters" is not "at most" of "5 characters".
 */
function sentencesOf(family: Family): Sentence[] {
  const ownOf = (words: string) => words.replaceAll(/\{\{\w+\}\}/g, '').length;
  return Object.entries(english[family])
    .toSorted(([, one], [, other]) => ownOf(other) - ownOf(one))
    .map(([key, words]) => ({ name: `${family}.${key}`, form: formOf(words) }));
}

/** What a sentence looks like whose message is `must be at least {{least}}`. */
function formOf(words: string): RegExp {
  const literal = words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\\\{\\\{(\w+)\\\}\\\}/g, '(?<$1>.+)')}$`);
}

/** A sentence of the graph, which is English, in the language of a page; null where no message says it. */
export function translate(family: Family, sentence: string, texts: Pick<Texts, 't' | 'has' | 'number'>): string | null {
  for (const { name, form } of SENTENCES[family]) {
    const filled = form.exec(sentence);
    if (!filled) continue;
    const values = Object.entries(filled.groups ?? {}).map(([hole, value]) => [
      hole,
      hole === 'amount' ? texts.number(value) : wordFor(value, FILLED[family], texts),
    ]);
    return texts.t(name, Object.fromEntries(values));
  }
  return null;
}

function wordFor(value: string, families: readonly string[], { t, has }: Pick<Texts, 't' | 'has'>): string {
  const name = families.map((family) => `${family}.${value}`).find(has);
  return name === undefined ? value : t(name);
}
