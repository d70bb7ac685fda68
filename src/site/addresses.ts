import { refuseValue } from '../kernel/refusal.ts';
import { LONGEST_NAME, LONGEST_NOTE, countCharacters, shorten } from '../kernel/text/free-text.ts';
import { isOwnPath } from '../kernel/text/own-path.ts';
import { say } from '../kernel/text/said.ts';
import type { PageDocument, Visitor } from './operations/documents.ts';
import type { Filled } from './operations/fields.ts';

/** First page of staff. */
export const HOME = '/work';
const SIGN_INS = { EVERYBODY: '/signin/staff', STAFF: '/signin/staff', INTEGRATOR: '/signin' } as const;

/** Longest path in the header that leads there, encoded. */
const LONGEST_WAY = 2_000;

/** Sign-in page for somebody on their way to an address; a longer address is ignored. */
export function signInFor(who: Visitor, address: string): string {
  const signIn = SIGN_INS[who];
  const kept = isOwnPath(address) && address.length <= LONGEST_WAY && !address.startsWith('/signin');
  return kept ? `${signIn}?to=${encodeURIComponent(address)}` : signIn;
}

/** Path on this host that somebody at the door goes on to; nothing else counts. */
export function onTheWay(path: string, to: unknown): string {
  return isOwnPath(to) && to.length <= LONGEST_WAY ? `${path}?to=${encodeURIComponent(to)}` : path;
}

/** A page that an address leads to, with what its path and its query say. */
interface Found {
  readonly page: PageDocument;
  readonly path: Filled;
  readonly query: URLSearchParams;
}

/** More than any page knows; each link of a page looks at all of them. */
const MOST_PARAMETERS = 200;

/** Most characters of a parameter: of a search, or of anything else. */
export const longestOf = (name: string): number => (name === 'q' ? LONGEST_NAME : LONGEST_NOTE);

/**
 * The query of an address, as every page reads it. Parameters beyond the number that any page has are left aside; a text
 * that is too long is refused.
 */
export function boundQuery(query: URLSearchParams): URLSearchParams {
  const said = [...query].slice(0, MOST_PARAMETERS);
  for (const [name, value] of said) {
    const longest = longestOf(name);
    if (name.length > longest || countCharacters(value) > longest)
      throw refuseValue(shorten(name), say`must be at most ${longest} characters`);
  }
  return new URLSearchParams(said);
}

/** The page of an address; null where there is none. A query that is too long is refused. */
export function findPage(pages: readonly PageDocument[], address: string): Found | null {
  if (!isOwnPath(address) || !URL.canParse(address, 'http://page')) return null;
  const { pathname, searchParams } = new URL(address, 'http://page');
  for (const page of pages) {
    const path = match(page.path, pathname);
    if (path) return { page, path, query: boundQuery(searchParams) };
  }
  return null;
}

/** Values in a path for the names in braces of a pattern; null if it is another path. */
function match(pattern: string, pathname: string): Filled | null {
  const [wanted, given] = [pattern.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== given[index]) return null;
    if (name !== undefined) found[name] = decode(given[index]!);
  }
  return found;
}

/** A part of a path as it is meant; as it is, where it cannot be decoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
