import type { Request } from 'express';
import { Refusal } from '../../kernel/refusal.ts';
import { readName } from '../../kernel/text/names.ts';
import type { Viewer } from '../access/viewer.ts';

/** Where a request comes from, as far as its sender's browser tells. */
export interface Source {
  /** The network address of the client. */
  readonly address: string;
  /** The site whose page sent it, where a browser says so. */
  readonly origin: string | null;
  /** Whether a page of another origin sent it. Clients that are no browsers do not say, and count as the user's own. */
  readonly foreign: boolean;
  /**
   * Whether it was, for all that is known, a person who went to this address: not a script, an image, or a page that
   * sent them.
   */
  readonly deliberate: boolean;
  /**
   * Whether it asks for a page as browsers do, without telling where it comes from as those of today do: that is an old
   * browser, or a program that looks at the links in somebody's mail.
   */
  readonly unmarked: boolean;
}

/** For background work. */
export const inside: Source = { address: '', origin: null, foreign: false, deliberate: false, unmarked: false };

/** What clients send that look at a page before anybody asks for it. */
const SPECULATIVE = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * Reads it from `Origin` and the Fetch Metadata headers (https://www.w3.org/TR/fetch-metadata/), which pages cannot
 * forge.
 */
export function sourceOf(req: Request, ownOrigin: string): Source {
  const { headers } = req;
  const site = headers['sec-fetch-site'];
  const fromElsewhere = site === 'cross-site' || site === 'same-site';
  // Browsers tell all of these or none; of other clients some tell the mode alone.
  const navigation =
    site === undefined || (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document');
  return {
    address: req.ip ?? req.socket.remoteAddress ?? '',
    origin: headers.origin ?? null,
    // Browsers that tell the site tell it of every request; others name the origin of what changes something.
    foreign: site === undefined ? !isOwn(headers.origin, headers.host, ownOrigin) : fromElsewhere,
    deliberate:
      navigation &&
      !SPECULATIVE.some((name) => headers[name] !== undefined) &&
      (!fromElsewhere || headers['sec-fetch-user'] === '?1'),
    unmarked: req.method === 'GET' && site === undefined && (headers.accept?.includes('text/html') ?? false),
  };
}

/** A page of this rail: under the address that integrators know, or under the one that it was just asked at. */
function isOwn(origin: string | undefined, host: string | undefined, ownOrigin: string): boolean {
  if (origin === undefined || origin === new URL(ownOrigin).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Refuses a page of another origin that would sign somebody out: their cookie counts for nothing there, so that it
 * could not.
 */
export function refuseForeignOrigin(source: Source, { kind }: Pick<Viewer, 'kind'>): void {
  if (source.foreign && kind === 'anonymous')
    throw new Refusal('forbidden', 'Signing out from a page of another origin is not allowed');
}

/** How long what a caller says of its purpose may be, in characters. */
export const LONGEST_PURPOSE = 140;

/** What a caller says that it reads personal data for (`X-Purpose`); null where it says nothing. */
export function readStatedPurpose({ headers }: Pick<Request, 'headers'>): string | null {
  const sent = headers['x-purpose'];
  // Node hands bytes on as characters of their own.
  const text = typeof sent === 'string' ? Buffer.from(sent, 'latin1').toString('utf8') : null;
  return readName('X-Purpose', text, LONGEST_PURPOSE);
}
