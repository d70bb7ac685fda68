import { globSync, readFileSync } from 'node:fs';

/** Expressions for words that prose does not use, and plain English for each. */
const WORDS: Readonly<Record<string, string>> = {
  'who(?:so)?ever|whomever': '"who", "anyone who", or the role',
  beside: '"next to", "with", "besides" or "in addition to"',
  whatever: '"any", "all that" or "regardless of"',
  wherever: '"where" or "everywhere"',
  'anew|afresh|once more': '"again"',
  lest: '"so that … not"',
  thereof: '"of it"',
  'in (?:the )?place of': '"instead of"',
  'but for': '"except"',
  '(?:nobody|nothing|none) but': '"only"',
  'by (?:itself|themselves)': '"automatically", "alone" or "on its own"',
  'told of|tells? of|telling of': '"notified of" or "says"',
  'hears? of|heard of': '"learns of" or "knows"',
  'of late': '"recently"',
};

/** A statement that begins with a clause as its subject or object, outside tables and headings. */
const CLAUSE = /(?<=^(?:[ \t]*(?:-|\d+\.) )?|[.!] )(?:What|Of)\b(?=[^.?!|\n]*[.!:;\n])/gm;
/** The same, and a description that is a clause: "Whether it is on". */
const CLAUSE_OF_DESCRIPTION =
  /(?<=^ *)(?:What|How|Whether|Of|So|Who|Whose|When|Where|Why|Which|That|As)\b|(?<=[.!] )(?:What|Of)\b/gm;

/** Each blanks all of a text but its prose, which keeps its place. */
const blank = (text: string) => text.replace(/[^\n]/g, ' ');
const blankCode = (text: string) => text.replace(/^```[^]*?^```|<!--.*?-->|`[^`\n]*`|\]\([^)]*\)/gm, blank);
/** The newest version of the changelog: the others are history. */
const newest = (text: string) => blankCode(text.split(/^(?=## )/m, 2).join(''));
const comments = (text: string) =>
  text.replace(/^.*$/gm, (line) => {
    const mark = /^\s*(?:\/\*\*?|\*|\/\/|--|#)|\s(?:\/\/|\/\*\*?|--)\s/.exec(line);
    const end = mark ? mark.index + mark[0].length : line.length;
    return blank(line.slice(0, end)) + line.slice(end);
  });
const descriptions = (text: string) =>
  text
    .split(/("""[^]*?""")/)
    .map((part, index) => (index % 2 === 0 ? blank(part) : blankCode(part.replaceAll('"', ' '))))
    .join('');
const messages = (text: string) => text.replace(/^\s*"[^"]*":/gm, blank);

interface Area {
  readonly files: string | readonly string[];
  readonly prose: (text: string) => string;
  readonly except?: readonly string[];
  /** The words that a sentence has at most. */
  readonly longest?: number;
  /** Clauses that statements do not begin with: "What waits is sent". */
  readonly clauses?: RegExp;
}

const AREAS: readonly Area[] = [
  {
    files: ['*.md', 'clients/*/*.md', 'docs/*.md', 'docs/security/*.md', 'docs/tasks/en/*.md'],
    except: ['CHANGELOG.md', 'docs/security/data-inventory.md'],
    prose: blankCode,
    longest: 25,
    clauses: CLAUSE,
  },
  { files: 'docs/security/data-inventory.md', prose: blankCode, longest: 25 },
  { files: 'docs/decisions/*.md', prose: blankCode, longest: 38 },
  { files: 'CHANGELOG.md', prose: newest },
  {
    files: ['schema.graphql', 'src/graphql/operations/**/*.graphql'],
    prose: descriptions,
    longest: 25,
    clauses: CLAUSE_OF_DESCRIPTION,
  },
  { files: ['{src,rest}/**/*.graphql', 'rest/openapi/*.ts'], prose: (text) => text },
  {
    files: 'src/site/languages/messages/en/*.json',
    // Sentences of the code, word for word.
    except: ['src/site/languages/messages/en/sentences.json'],
    prose: messages,
  },
  {
    files: ['{src,rest}/**/*.ts', 'clients/*/src/*.ts', 'prisma/schema/*.prisma', 'prisma/definitions/**/*.sql'],
    except: ['src/generated/**', 'clients/typescript/src/openapi.ts', 'src/app/development/check-prose.ts'],
    prose: comments,
  },
];

const wordsIn = Object.entries(WORDS).map(([word, better]) => ({
  expression: new RegExp(String.raw`\b(?:${word.replaceAll(' ', String.raw`\s+`)})\b`, 'gi'),
  better,
}));
const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

const faults = AREAS.flatMap(({ files, prose, except, longest, clauses }) =>
  globSync(files, { exclude: ['node_modules/**', ...(except ?? [])] }).flatMap((file) => {
    const text = prose(readFileSync(file, 'utf8'));
    const words = wordsIn.flatMap(({ expression, better }) =>
      [...text.matchAll(expression)].map(
        ({ 0: word, index }) => `${file}:${lineAt(text, index)}: "${word.replace(/\s+/g, ' ')}": write ${better}`,
      ),
    );
    const indirect = clauses
      ? [...text.matchAll(clauses)].map(
          ({ 0: word, index }) => `${file}:${lineAt(text, index)}: begins with "${word}": name the subject first`,
        )
      : [];
    const long = longest
      ? [...text.matchAll(/(?:(?!<br>)[^.?!|\n]|[.?!](?=\S)|\n(?!\s*(?:\n|- |\d+\. |\|)))+/g)]
          .map(({ 0: sentence, index }) => ({
            index,
            length: sentence.split(/\s+/).filter((word) => /[a-z]/.test(word)).length,
          }))
          .filter(({ length }) => length > longest)
          .map(
            ({ index, length }) =>
              `${file}:${lineAt(text, index)}: a sentence of ${length} words, of ${longest} at most`,
          )
      : [];
    return [...words, ...indirect, ...long];
  }),
);

if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n${faults.length} faults of prose\n`);
  process.exitCode = 1;
}
