import express, { type Request, type RequestHandler, type Response } from 'express';
import { readBody } from '../../src/platform/call/body.ts';
import { Refusal, refuseValues } from '../../src/kernel/refusal.ts';
import { shorten } from '../../src/kernel/text/free-text.ts';
import type { BodyKind } from '../handlers.ts';

const readers = new Map<number, RequestHandler>();

function readerOf(largestKiB: number): RequestHandler {
  const reader = readers.get(largestKiB) ?? express.raw({ type: () => true, limit: largestKiB * 1024 });
  readers.set(largestKiB, reader);
  return reader;
}

/** The body as it was sent; empty where there is none. */
export async function readRawBody(req: Request, res: Response, { largestKiB, media }: BodyKind): Promise<Buffer> {
  if (media.length > 0 && !media.includes(mediaOf(req)))
    throw new Refusal('unsupported_media_type', `The body must be ${media.join(' or ')}`);
  await readBody(req, res, readerOf(largestKiB), largestKiB * 1024);
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The media type of a body, without its parameters. */
function mediaOf(req: Request): string {
  return (req.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

/** The members of a JSON body, or of a form where one is taken. No body at all counts as an empty object. */
export function parseMembers(req: Request, raw: Buffer, { form }: Pick<BodyKind, 'form'>): Record<string, unknown> {
  if (raw.length === 0) return {};
  if (form && mediaOf(req) === 'application/x-www-form-urlencoded') return parseForm(raw);
  const [type, ...parameters] = (req.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (type !== 'application/json' || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new Refusal('unsupported_media_type', 'The body must be application/json in UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new Refusal('malformed_request', 'The body is not valid JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('validation_failed', 'The body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

/** The fields of a form, each of which is to be given once. */
function parseForm(raw: Buffer): Record<string, string> {
  const fields = new URLSearchParams(raw.toString('utf8'));
  const given = Map.groupBy(fields.keys(), (name) => name);
  const repeated = [...given.keys()].filter((name) => given.get(name)!.length > 1);
  if (repeated.length > 0)
    throw refuseValues(repeated.map((name) => ({ path: shorten(name), message: 'is given more than once' })));
  return Object.fromEntries(fields);
}
