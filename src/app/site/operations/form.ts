import express, { type Request, type Response } from 'express';
import { isNonNullType, isScalarType } from 'graphql';
import { readBody } from '../../../platform/call/body.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ActionDocument } from './documents.ts';
import { Attachment, type Filled } from './fields.ts';

const MOST_FORM_BYTES = 64 * 1024;
/** What a file may have, and the rest of its form beside it. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;
const MOST_WITH_FILES = MOST_FILE_BYTES + MOST_FORM_BYTES;
/** A basket has a field for each service of a catalogue. */
const MOST_FIELDS = 2_000;

const MULTIPART = 'multipart/form-data';

const ofTexts = express.urlencoded({ extended: true, limit: MOST_FORM_BYTES, parameterLimit: MOST_FIELDS });
const ofFiles = express.raw({ type: MULTIPART, limit: MOST_WITH_FILES });

/** Whether a form is sent with a file: its first mutation has a variable for one. */
export function takesFiles({ steps: [first] }: Pick<ActionDocument, 'steps'>): boolean {
  return first!.fields.some(({ type }) => {
    const plain = isNonNullType(type) ? type.ofType : type;
    return isScalarType(plain) && (plain.name === 'Byte' || plain.name === 'JSON');
  });
}

/** Reads what a form was filled in with: texts, and files where it is one that has some. */
export async function readForm(req: Request, res: Response, withFiles: boolean): Promise<Filled> {
  if (withFiles && req.is(MULTIPART)) {
    await readBody(req, res, ofFiles, MOST_WITH_FILES);
    return readParts(req.body as Buffer, req.headers['content-type']!);
  }
  if (req.is('application/x-www-form-urlencoded') === false)
    throw new Refusal('unsupported_media_type', 'The form was sent in a way that it does not take');
  await readBody(req, res, ofTexts, MOST_FORM_BYTES);
  return (req.body as Filled | undefined) ?? {};
}

/** The fields of a form of several parts; a name that is given more than once has a list. */
async function readParts(body: Buffer, type: string): Promise<Filled> {
  const sent = new globalThis.Response(new Uint8Array(body), { headers: { 'content-type': type } });
  const parts = await sent.formData().catch(() => {
    throw new Refusal('malformed_request', 'The form cannot be read: it does not match its headers');
  });
  const filled: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const name of new Set(parts.keys())) {
    const values = await Promise.all(parts.getAll(name).map(readPart));
    count += values.length;
    if (count > MOST_FIELDS) throw new Refusal('payload_too_large', 'The form has too many fields');
    filled[name] = values.length > 1 ? values : values[0];
  }
  return filled;
}

async function readPart(part: string | File): Promise<string | Attachment> {
  return typeof part === 'string' ? part : new Attachment(part.name, Buffer.from(await part.arrayBuffer()));
}
