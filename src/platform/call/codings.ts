import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** A content coding that answers are compressed in. */
export type Coding = 'zstd' | 'br' | 'gzip';

/** Quick rather than small: each answer is compressed again. 28 KB of services take about 50 µs in any of them. */
const GZIP = { level: 3 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

interface Compressor {
  /** On another thread. */
  readonly aside: (bytes: Buffer) => Promise<Buffer>;
  readonly atOnce: (bytes: Buffer) => Buffer;
  readonly stream: () => Transform;
}

/** By preference, for clients that have none. */
const COMPRESSORS: Readonly<Record<Coding, Compressor>> = {
  zstd: {
    aside: (bytes) => promisify(zstdCompress)(bytes, ZSTD),
    atOnce: (bytes) => zstdCompressSync(bytes, ZSTD),
    stream: () => createZstdCompress(ZSTD),
  },
  br: {
    aside: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
    atOnce: (bytes) => brotliCompressSync(bytes, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: {
    aside: (bytes) => promisify(gzip)(bytes, GZIP),
    atOnce: (bytes) => gzipSync(bytes, GZIP),
    stream: () => createGzip(GZIP),
  },
};

const BY_PREFERENCE: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** Least size that is compressed: a shorter answer fits a packet or two either way. */
export const WORTH_COMPRESSING = 1_024;
/** Up to here compressing takes less time than handing the work to another thread does. */
const QUICK = 64 * 1_024;

/**
 * The coding that a client would rather have, by the weights of its `Accept-Encoding`; of those that it likes as much,
 * the first offered, since browsers name them in no order. Null: as it is.
 */
export function chooseCoding<C extends string = Coding>(request: IncomingMessage, offered: readonly C[]): C | null {
  const chosen = new Negotiator(request).encoding([...offered, 'identity'], { preferred: offered });
  return offered.find((coding) => coding === chosen) ?? null;
}

/** The coding of an answer that is made again each time; null: as it is. */
export function chooseQuickCoding(request: IncomingMessage): Coding | null {
  return chooseCoding(request, BY_PREFERENCE);
}

/** Compresses a whole answer. */
export async function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
  const { aside, atOnce } = COMPRESSORS[coding];
  return bytes.length > QUICK ? aside(bytes) : atOnce(bytes);
}

/** Compressor for an answer that goes on. */
export function compressing(coding: Coding): Transform {
  return COMPRESSORS[coding].stream();
}
