import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const MESSAGES = new URL('../../../src/site/languages/messages/', import.meta.url);

/** The one translation of each term in each language. */
const glossary = JSON.parse(
  readFileSync(new URL('../../../src/site/languages/glossary.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Other words for terms of the glossary, which no message has. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  fr: /\bagences?\b|\bcanal\b|\bcanaux\b|\btaxations?\b/i,
  sw: /wakala|makadirio|mwunganish/i,
  lg: /omugatta|abagatta|agatta enkola|omugasi/i,
};

/** Words of which English pages say another, which is that of docs/glossary.md. */
const INSTEAD: Readonly<Record<string, RegExp>> = {
  'sign in': /\blog(ged|s)?[ -]?(in|out)s?\b/i,
  message: /\bdeliver(y|ies)\b/i,
  'payment channel': /\b(ways? of paying|payment methods?)\b/i,
  'kind of revenue': /\bfamil(y|ies) of services\b/i,
  'service notice': /^notices? (changed|published|withdrawn)$/i,
  variance: /^reason for a difference$/i,
  cancel: /\b(void(ed)?|annul(led)?)\b/i,
  integrator: /\bpartners? (account|key)s?\b/i,
  notice: /\bnotifications?\b/i,
  agency: /\bMDAs?\b/,
};

type Messages = { readonly [name: string]: string | Messages };

/** All messages of a language, by their names. */
function messagesOf(language: string): Map<string, string> {
  const flat = (messages: Messages, within: string): [string, string][] =>
    Object.entries(messages).flatMap(([name, text]) =>
      typeof text === 'string' ? [[`${within}.${name}`, text]] : flat(text, `${within}.${name}`),
    );
  const files = globSync(`${language}/*.json`, { cwd: MESSAGES }).toSorted();
  return new Map(
    files.flatMap((file) =>
      flat(JSON.parse(readFileSync(new URL(file, MESSAGES), 'utf8')) as Messages, basename(file, '.json')),
    ),
  );
}

const english = messagesOf('en');

describe('a thing', () => {
  it('has one word on pages in English, which the glossary explains', () => {
    // Except the words by which readers search for it.
    const said = [...english].filter(([name]) => !name.startsWith('docs.docs.also.'));
    const wrong = said.flatMap(([name, text]) =>
      Object.keys(INSTEAD).flatMap((word) => (INSTEAD[word]!.test(text) ? [`${name}: say “${word}”`] : [])),
    );
    expect(wrong).toEqual([]);
    const explained = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8').toLowerCase();
    expect(Object.keys(INSTEAD).filter((word) => !explained.includes(word))).toEqual([]);
  });
});

describe('the glossary', () => {
  it('has forty terms, each of which pages use', () => {
    expect(Object.keys(glossary)).toHaveLength(40);
    const texts = new Set([...english.values()].map((text) => text.toLowerCase()));
    expect(Object.keys(glossary).filter((term) => !texts.has(term.toLowerCase()))).toEqual([]);
  });

  it.each(Object.keys(OTHERS))('is what pages say in %s', (language) => {
    const messages = messagesOf(language);
    const terms = new Map(Object.entries(glossary).map(([term, words]) => [term.toLowerCase(), words[language]!]));
    const wrong = [...english].flatMap(([name, text]) => {
      const term = terms.get(text.toLowerCase());
      const said = messages.get(name)!;
      return term === undefined || said.toLowerCase() === term.toLowerCase() ? [] : [`${name}: ${said}, not ${term}`];
    });
    expect(wrong).toEqual([]);
    expect([...messages].filter(([, text]) => OTHERS[language]!.test(text))).toEqual([]);
  });
});
