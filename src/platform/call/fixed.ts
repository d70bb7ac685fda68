import type { RequestHandler } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseCoding } from './codings.ts';
import { isKnownTo, tagOf } from './tags.ts';

/** For what may change with the next version: it is asked for again, and not sent again. */
const REVALIDATED = 'public, max-age=300';

/** Far along, since it is done once, and still a fraction of a second for a megabyte. */
const QUALITY = 9;
/** Best compression worth waiting for: the last step saves another percent in more than twice the time. */
const SMALLEST = 10;

const compress = {
  br: (bytes: Buffer, quality: number) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: (bytes: Buffer, quality: number) => promisify(gzip)(bytes, { level: Math.min(quality, 9) }),
};
const CODINGS = ['br', 'gzip'] as const;

/** Content that stays the same as long as what it is made of. */
export function serveMade<Of>(type: string, of: () => Of, make: (of: Of) => string): RequestHandler {
  let served: { readonly of: Of; readonly answer: RequestHandler } | null = null;
  return (req, res, next) => {
    const now = of();
    if (served?.of !== now) served = { of: now, answer: serveFixed(type, () => make(now)) };
    return served.answer(req, res, next);
  };
}

/**
 * Content that stays the same while the process runs, and holds no secret: made when it is first asked for, kept in
 * memory in each compression that was asked for, and answered 304 to clients that have it. What people wait for over
 * slow networks is made smaller still.
 */
export function serveFixed(
  type: string,
  make: () => string | Buffer,
  cacheControl = REVALIDATED,
  smallest = false,
): RequestHandler {
  let content: Buffer | null = null;
  const compressed = new Map<string | null, Promise<{ bytes: Buffer; tag: string }>>();
  const inCoding = async (coding: (typeof CODINGS)[number] | null) => {
    content ??= Buffer.from(make());
    return {
      bytes: coding ? await compress[coding](content, smallest ? SMALLEST : QUALITY) : content,
      tag: tagOf(content, coding),
    };
  };
  return async (req, res) => {
    // A picture is compressed already.
    const coding = type === 'image/webp' ? null : chooseCoding(req, CODINGS);
    if (!compressed.has(coding)) compressed.set(coding, inCoding(coding));
    const { bytes, tag } = await compressed.get(coding)!;
    res.set({ ETag: tag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' });
    if (isKnownTo(req, tag)) return void res.status(304).end();
    if (coding) res.set('Content-Encoding', coding);
    res.set({ 'Content-Type': type, 'Content-Length': String(bytes.length) });
    res.end(req.method === 'HEAD' ? undefined : bytes);
  };
}
