import type { Request } from 'express';
import { Refusal } from '../../kernel/refusal.ts';
import { readName } from '../../kernel/text/names.ts';
import type { Viewer } from '../access/viewer.ts';

/** Source of a request, as far as its sender's browser tells. */
export interface Source {
  /** The network address of the client. */
  readonly address: string;
  /** The site whose page sent it, where a browser says so. */
  readonly origin: string | null;
  /** True if a page of another origin sent it. Clients that are no browsers do not say, and count as the user's own. */
  readonly foreign: boolean;
  /** True if, by all signs, a person went to this address: not a script, an image, or a page that sent them. */
  readonly deliberate: boolean;
  /**
   * True if it asks for a page as browsers do, without the headers of today's: it is an old browser, or a program that
   * checks the links in somebody's mail.
   */
  readonly unmarked: boolean;
}

/** For background work. */
export const inside: Source = { address: '', origin: null, foreign: false, deliberate: false, unmarked: false };

/** Headers of clients that load a page before anybody asks for it. */
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

/** Longest purpose of a caller, in characters. */
export const LONGEST_PURPOSE = 140;

/** Caller's purpose for reading personal data (`X-Purpose`); null if it gives none. */
export function readStatedPurpose({ headers }: Pick<Request, 'headers'>): string | null {
  const sent = headers['x-purpose'];
  // Node hands bytes on as characters of their own.
  const text = typeof sent === 'string' ? Buffer.from(sent, 'latin1').toString('utf8') : null;
  return readName('X-Purpose', text, LONGEST_PURPOSE);
}
