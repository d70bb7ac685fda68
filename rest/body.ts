import express, { type Request, type Response } from 'express';
import { Refusal } from '../src/refusal.ts';

/** The largest request body, in bytes. */
const MOST_BODY_BYTES = 256 * 1024;

const readRaw = express.raw({ type: () => true, limit: MOST_BODY_BYTES });

/** The body as it was sent; empty where there is none. */
export async function rawBody(req: Request, res: Response): Promise<Buffer> {
  await new Promise<void>((done, failed) => {
    readRaw(req, res, (error?: unknown) => (error ? failed(refusalOf(error)) : done()));
  });
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The members of a JSON body. No body at all counts as an empty object. */
export function jsonMembers(req: Request, raw: Buffer): Record<string, unknown> {
  if (raw.length === 0) return {};
  const [type, ...parameters] = (req.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (type !== 'application/json' || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw new Refusal('unsupported_media_type', 'The body must be application/json in UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new Refusal('malformed_request', 'The body is not JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('validation_failed', 'The body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

/** body-parser's errors in the rail's words. */
function refusalOf(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  if (type === 'entity.too.large') return new Refusal('payload_too_large', `The body is larger than ${MOST_BODY_BYTES / 1024} KiB`);
  if (type === 'encoding.unsupported') return new Refusal('unsupported_media_type', 'The Content-Encoding is not supported');
  if (type === 'request.size.invalid' || type === 'request.aborted') return new Refusal('malformed_request', 'The body is not as long as announced');
  const status = error instanceof Error && 'status' in error ? error.status : null;
  return status === 400 ? new Refusal('malformed_request', 'The body cannot be read') : error;
}
