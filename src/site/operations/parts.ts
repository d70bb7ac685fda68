import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Request } from 'express';
import { Refusal } from '../../kernel/refusal.ts';
import { Attachment, type Filled } from './fields.ts';

/** More than any form has that is sent with a file. */
const MOST_PARTS = 50;
/** Headers before a part: its name, that of its file, and its type. */
const MOST_HEADERS = { headerSize: 4 * 1024, headerPairs: 10 };
/** RFC 2046, section 5.1.1. */
const LONGEST_BOUNDARY = 70;

/** A field as it is sent: a text, or a file with its name. */
interface Part {
  readonly field: string;
  readonly fileName: string | undefined;
  readonly chunks: Buffer[];
}

/**
 * Reads a form that is sent in parts (RFC 7578), as they arrive: what has too many of them, or is too long, is read no
 * further. A name that is given more than once has a list.
 */
export async function readParts(req: Request, largestBytes: number): Promise<Filled> {
  if (req.headers['content-encoding'] !== undefined)
    throw new Refusal('unsupported_media_type', 'A form with a file is sent without a Content-Encoding');
  if (Number(req.headers['content-length'] ?? 0) > largestBytes) throw refuseSize(largestBytes);
  const parts: Part[] = [];
  const parser = openParser(req, parts);
  let refusal: Refusal | null = null;
  parser.on('partsLimit', () => (refusal ??= new Refusal('payload_too_large', 'The form has too many fields')));
  parser.on('error', () => (refusal ??= refuseForm()));
  const finished = new Promise<void>((done) => void parser.once('finish', done).once('error', done));
  let bytes = 0;
  try {
    // The connection stays, for the answer.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > largestBytes) throw refuseSize(largestBytes);
      parser.write(chunk);
      if (refusal) throw refusal;
    }
    parser.end();
    await finished;
    if (refusal) throw refusal;
  } catch (error) {
    req.resume();
    throw error instanceof Refusal ? error : refuseForm();
  }
  return gather(parts);
}

/** Every part is read as a stream of bytes, whether it is a file or not: none is held twice. */
function openParser(req: Request, parts: Part[]): InstanceType<typeof Busboy> {
  const headers = req.headers as BusboyHeaders;
  const boundary = /boundary=("?)(.*?)\1(;|$)/i.exec(headers['content-type'])?.[2] ?? '';
  if (boundary === '' || boundary.length > LONGEST_BOUNDARY) throw refuseForm();
  const parser = new Busboy({ headers, isPartAFile: () => true, limits: { parts: MOST_PARTS, ...MOST_HEADERS } });
  parser.on('file', (field: string | undefined, stream, fileName: string | undefined) => {
    const part: Part = { field: field ?? '', fileName, chunks: [] };
    parts.push(part);
    // The parser reports what is broken off.
    stream.on('data', (chunk: Buffer) => void part.chunks.push(chunk)).on('error', () => {});
  });
  return parser;
}

function gather(parts: readonly Part[]): Filled {
  const filled = Object.create(null) as Record<string, unknown>;
  for (const [name, given] of Map.groupBy(parts, ({ field }) => field)) {
    const values = given.map(({ fileName, chunks }) => {
      const content = Buffer.concat(chunks);
      return fileName === undefined ? content.toString('utf8') : new Attachment(fileName, content);
    });
    filled[name] = values.length > 1 ? values : values[0];
  }
  return filled;
}

const refuseForm = () => new Refusal('malformed_request', 'The form cannot be read: it does not match its headers');

const refuseSize = (largestBytes: number) =>
  new Refusal('payload_too_large', `The body is larger than ${largestBytes / 1024} KiB`);
