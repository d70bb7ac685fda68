import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Coding, WORTH_COMPRESSING, chooseQuickCoding, compress } from './codings.ts';
import { LRUCache } from 'lru-cache';
import { isKnownTo, tagOf } from './tags.ts';
import type { Call } from './call.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly passing?: Passing;
}

/** An answer whose body goes on. */
export interface StreamedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly passing?: Passing;
}

/**
 * Allowed treatment of an answer on its way; nothing, unless its endpoint says so.
 *
 * The length of compressed bytes shows what repeats in them. An attacker who can choose a part of an answer, and sees
 * how long it gets, learns what else is in it (BREACH). Only what holds no secret is compressed: the catalogue, what
 * describes the rail, figures of oversight, and files of lists; never keys, sessions, sign-up, or what an account sees
 * of itself.
 */
export interface Passing {
  readonly compressed?: boolean;
  /** True if it has a tag, by which clients that have it learn that nothing changed. */
  readonly kept?: boolean;
  /** For how long its caller need not ask; left out, each use of it is asked for. */
  readonly freshSeconds?: number;
}

/** Headers that tell answers of one address apart. */
const VARY = 'Authorization, X-Service-Authorization, Cookie, Accept, Accept-Encoding';

/** An answer as it goes out. */
export interface Ready {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Coding in which its body is still to be compressed. */
  readonly coding: Coding | null;
}

/** Makes of an answer what goes out: where its caller has it already and may keep it, that nothing changed. */
export function makeReady(req: IncomingMessage, call: Call, answer: Answer): Ready {
  const { status, headers, passing = {} } = answer;
  if (status !== 200 || (!passing.kept && !passing.compressed))
    return { status, headers, body: answer.body, coding: null };
  const body = Buffer.from(answer.body);
  const coding = passing.compressed && body.length >= WORTH_COMPRESSING ? codingFor(req, call) : null;
  const vary = [VARY, headers['Vary'], call.viewer.browser && 'Origin'].filter(Boolean).join(', ');
  const coded = { ...headers, Vary: vary, ...(coding && { 'Content-Encoding': coding }) };
  if (!passing.kept) return { status, headers: coded, body, coding };
  const tag = tagOf(body, coding);
  // Clients that keep it ask each time whether it still holds, so that nobody sees an old one, and each use is counted.
  const whose = call.viewer.kind === 'anonymous' ? 'public' : 'private';
  const control = `${whose}, ${passing.freshSeconds === undefined ? 'no-cache' : `max-age=${passing.freshSeconds}`}`;
  const tagged = { ...coded, ETag: tag, 'Cache-Control': control };
  if (!isKnownTo(req, tag)) return { status, headers: tagged, body, coding };
  return { status: 304, headers: withoutContent(tagged), body: '', coding: null };
}

/** Headers as an answer has them whose body the caller has: what says of the body what it has too. */
function withoutContent(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));
}

/** Coding for an answer to a request; null: uncompressed. */
export function codingFor(req: IncomingMessage, { config }: Pick<Call, 'config'>): Coding | null {
  return config.compression ? chooseQuickCoding(req) : null;
}

/** Headers that say what is done with an answer that goes on. */
export function headersOfCoding(coding: Coding | null): Record<string, string> {
  return { Vary: VARY, ...(coding && { 'Content-Encoding': coding }) };
}

const MOST_COMPRESSED_BYTES = 8 * 1_024 * 1_024;

/** Bodies compressed before, by their tag, which is that of content and coding. */
const compressed = new LRUCache<string, Buffer>({
  maxSize: MOST_COMPRESSED_BYTES,
  sizeCalculation: ({ length }) => length,
});

async function compressOnce(body: string | Buffer, coding: Coding, tag: string | undefined): Promise<Buffer> {
  const known = tag === undefined ? undefined : compressed.get(tag);
  if (known) return known;
  const bytes = await compress(Buffer.from(body), coding);
  if (tag !== undefined) compressed.set(tag, bytes);
  return bytes;
}

/** Sends an answer. */
export async function send(req: IncomingMessage, res: ServerResponse, ready: Ready): Promise<void> {
  const { status, headers, body, coding } = ready;
  const bytes = coding ? await compressOnce(body, coding, headers['ETag']) : body;
  const length = status === 304 ? {} : { 'Content-Length': Buffer.byteLength(bytes) };
  res.writeHead(status, { ...headers, ...length });
  res.end(req.method === 'HEAD' || status === 304 ? undefined : bytes);
}
