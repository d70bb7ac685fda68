import express, { type Request, type Response } from 'express';
import { isNonNullType, isScalarType } from 'graphql';
import { readBody } from '../../platform/call/body.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ActionDocument } from './documents.ts';
import type { Filled } from './fields.ts';
import { readParts } from './parts.ts';

const MOST_FORM_BYTES = 64 * 1024;
/** Most bytes of a file, by the type of its variable. One in JSON is parsed at once, while everybody else waits. */
const MOST_FILE_BYTES: Readonly<Record<string, number>> = { Byte: 16 * 1024 * 1024, JSON: 512 * 1024 };
/** A basket has a field for each service of a catalogue. */
const MOST_FIELDS = 1_500;

/** In a tier: `tariff[categories][standard][tiers][0][percent]`; reading names takes longer the deeper they are. */
const DEEPEST_NAME = 5;

const READING = { extended: true, limit: MOST_FORM_BYTES, parameterLimit: MOST_FIELDS, depth: DEEPEST_NAME };
const ofTexts = express.urlencoded(READING);

/** Most bytes of a file in a form; null if its first mutation has no variable for one. */
export function largestFileOf({ steps: [first] }: Pick<ActionDocument, 'steps'>): number | null {
  const sizes = first!.fields.map(({ type }) => {
    const plain = isNonNullType(type) ? type.ofType : type;
    return isScalarType(plain) ? (MOST_FILE_BYTES[plain.name] ?? 0) : 0;
  });
  return Math.max(0, ...sizes) || null;
}

/** Reads what a form was filled in with: texts, and files where it is one that has some. */
export async function readForm(req: Request, res: Response, largestFile: number | null): Promise<Filled> {
  if (largestFile !== null && req.is('multipart/form-data')) return readParts(req, largestFile + MOST_FORM_BYTES);
  if (req.is('application/x-www-form-urlencoded') === false)
    throw new Refusal('unsupported_media_type', 'The form was sent in a way that it does not take');
  await readBody(req, res, ofTexts, MOST_FORM_BYTES);
  return (req.body as Filled | undefined) ?? {};
}
