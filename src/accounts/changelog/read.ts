import { readFileSync } from 'node:fs';
import { type Token, type Tokens, lexer } from 'marked';

/** Changes of one version. Texts are Markdown. */
export interface Release {
  readonly version: string;
  /** The day, `YYYY-MM-DD`; null where the changelog has none. */
  readonly releasedOn: string | null;
  /** Text before the first heading. */
  readonly about: string;
  readonly sections: readonly ReleaseSection[];
}

export interface ReleaseSection {
  readonly title: string;
  readonly entries: readonly string[];
}

/** The changelog of this version. */
export const readChangelog = (): readonly Release[] =>
  parseChangelog(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'));

/** The versions of a changelog, in its order: headings of the second level, with sections of the third. */
export function parseChangelog(markdown: string): readonly Release[] {
  return split(lexer(markdown), 2).parts.map(({ title, tokens }) => {
    const { before, parts } = split(tokens, 3);
    const about = before
      .map(({ raw }) => raw)
      .join('')
      .trim();
    return {
      version: title,
      releasedOn: /^Released on (\d{4}-\d{2}-\d{2})\b/.exec(about)?.[1] ?? null,
      about,
      sections: parts.map((part) => ({ title: part.title, entries: part.tokens.flatMap(entriesOf) })),
    };
  });
}

interface Part {
  readonly title: string;
  readonly tokens: Token[];
}

/** Splits tokens by the headings of a level: those before the first, and those after each. */
function split(tokens: readonly Token[], depth: number): { before: readonly Token[]; parts: readonly Part[] } {
  const before: Token[] = [];
  const parts: Part[] = [];
  for (const token of tokens) {
    if (token.type === 'heading' && token['depth'] === depth)
      parts.push({ title: (token as Tokens.Heading).text, tokens: [] });
    else (parts.at(-1)?.tokens ?? before).push(token);
  }
  return { before, parts };
}

/** Each item of a list, and each paragraph or table between lists. */
function entriesOf(token: Token): string[] {
  if (token.type === 'space') return [];
  return token.type === 'list' ? (token as Tokens.List).items.map(({ text }) => text.trim()) : [token.raw.trim()];
}
