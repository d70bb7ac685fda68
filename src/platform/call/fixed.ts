import type { Request, RequestHandler } from 'express';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** For what may change with the next version: it is asked for again, and not sent again. */
const REVALIDATED = 'public, max-age=300';

/** Far along, and still a fraction of a second for a megabyte. */
const QUALITY = 9;

const compress: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: QUALITY }),
};

/**
 * Content that stays the same while the process runs: made when it is first asked for, kept in memory in each
 * compression that was asked for, and answered 304 to whoever has it.
 */
export function serveFixed(type: string, make: () => string | Buffer, cacheControl = REVALIDATED): RequestHandler {
  let built: { readonly bytes: Buffer; readonly etag: string } | null = null;
  const compressed = new Map<string, Promise<Buffer>>();
  return async (req, res) => {
    built ??= tag(Buffer.from(make()));
    const { bytes, etag } = built;
    // Browsers name gzip first, and mean no order.
    const encoding = Object.keys(compress).find((one) => req.acceptsEncodings(one)) ?? 'identity';
    res.set({ 'Content-Type': type, ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' });
    if (isKnownTo(req, etag)) return void res.status(304).end();
    if (!compressed.has(encoding)) compressed.set(encoding, compress[encoding]?.(bytes) ?? Promise.resolve(bytes));
    const body = await compressed.get(encoding)!;
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    res.set('Content-Length', String(body.length)).end(req.method === 'HEAD' ? undefined : body);
  };
}

/**
 * Whether the sender of a request has the content of a tag already. Whether it would rather have it anew (`no-cache`)
 * is not asked: it is the same.
 */
export function isKnownTo({ headers }: Request, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map(stripWeak);
  return known.includes('*') || known.includes(stripWeak(etag));
}

function stripWeak(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}

/** Weak: every compression of the same content has the same one. */
function tag(bytes: Buffer): { bytes: Buffer; etag: string } {
  return { bytes, etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}
