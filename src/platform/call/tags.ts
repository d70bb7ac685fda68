import etag from 'etag';
import fresh from 'fresh';
import type { IncomingMessage } from 'node:http';

/** The strong `ETag` of some bytes as they are sent: the same content has another one in each coding. */
export function tagOf(bytes: Buffer, coding: string | null): string {
  const tag = etag(bytes);
  return coding === null ? tag : `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * True if the sender of a request has the content of a tag already, by its `If-None-Match`. A wish to have it again
 * (`Cache-Control: no-cache`, which clients send unasked) does not matter: it is the same.
 */
export function isKnownTo({ headers }: IncomingMessage, tag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag: tag });
}
