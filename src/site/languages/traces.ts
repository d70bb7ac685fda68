import { readFileSync } from 'node:fs';
import type { Texts } from './texts.ts';

const english = JSON.parse(readFileSync(new URL('messages/en/sentences.json', import.meta.url), 'utf8')) as Readonly<{
  traced: Readonly<Record<string, string>>;
}>;

/** Whose messages say what a trace is filled in with. */
const FILLED = ['intentStatus', 'assessmentStatus', 'channel'] as const;

const SENTENCES = Object.entries(english.traced).map(([key, words]) => ({
  name: `traced.${key}`,
  form: formOf(words),
}));

/** What a sentence looks like whose message is `{{provider}} accepted the collection`. */
function formOf(words: string): RegExp {
  const literal = words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\\\{\\\{(\w+)\\\}\\\}/g, '(?<$1>.+)')}$`);
}

/** What a row of a trace says, which is kept in English, in the language of a page; null where no message says it. */
export function translateTrace(summary: string, texts: Pick<Texts, 't' | 'has' | 'number'>): string | null {
  for (const { name, form } of SENTENCES) {
    const filled = form.exec(summary);
    if (!filled) continue;
    const values = Object.entries(filled.groups ?? {}).map(([hole, value]) => [
      hole,
      hole === 'amount' ? texts.number(value) : wordFor(value, texts),
    ]);
    return texts.t(name, Object.fromEntries(values));
  }
  return null;
}

function wordFor(value: string, { t, has }: Pick<Texts, 't' | 'has'>): string {
  const name = FILLED.map((family) => `${family}.${value}`).find(has);
  return name === undefined ? value : t(name);
}
