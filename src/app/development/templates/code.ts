import { dirname, join } from 'node:path';

/** A tag of Eta: what it does with its code, and the code. */
const TAG = /<%([=~]?)(.*?)%>/gs;
/** Beginning and end of the code of a tag; as long as the tag, so that lines and columns are those of the template. */
const AROUND = { '': ['  ', '; '], '=': [';$(', ');'], '~': [';_(', ');'] } as const;
/** Declaration of the values handed to a template that others include: a type, in a comment at its beginning. */
const DECLARED = /^<% \/\*: (.+?) \*\/ %>\n/s;
/** TypeScript in the code of a template, as a comment: `(amount /*: number *\/) => …`, `[] /* as string[] *\/`, `shift/*!*\/.id`. */
const TYPE = /\/\*(: .*?| as .*?|!)\*\//gs;
const USED = /\b(?:include|layout|part)\('([^']+)'/g;

/** Declared type of a template's values; null if it declares none. */
export const declaredBy = (text: string): string | null => DECLARED.exec(text)?.[1] ?? null;

/** The code of a template, where it stands in it; what is no code is blank. */
export function codeOf(text: string): string {
  let end = 0;
  let code = '';
  const start = DECLARED.exec(text)?.[0].length ?? 0;
  for (const { 0: tag, 1: kind, 2: inner, index } of text.slice(start).matchAll(TAG)) {
    const [before, after] = AROUND[kind as keyof typeof AROUND];
    const typed = inner!.replaceAll(TYPE, (_whole, type: string) => (type === '!' ? '!    ' : `  ${type}  `));
    code += blank(text.slice(end, start + index)) + before + typed + after;
    end = start + index + tag.length;
  }
  return code + blank(text.slice(end));
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/**
 * The templates that one includes or stands in, by the names that it has for them; each as a file of the site. Those of
 * the frame have names alone.
 */
export function usedBy(text: string, file: string): ReadonlyMap<string, string> {
  const names = new Set([...text.matchAll(USED)].map(([, name]) => name!));
  return new Map(
    [...names].map((name) => {
      const isNamed = /^\w/.test(name);
      const path = isNamed ? `frame/${name}` : name.startsWith('/') ? name.slice(1) : join(dirname(file), name);
      return [name, `${path}.eta`];
    }),
  );
}
