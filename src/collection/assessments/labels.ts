import { luhn, mod97_10 } from 'cdigit';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import { type Detail, refuseValues } from '../../kernel/refusal.ts';
import { countCharacters, findBadText } from '../../kernel/text/free-text.ts';
import { type Said, say } from '../../kernel/text/said.ts';
import { readCopied, readDigits } from '../../kernel/text/typed.ts';

/** An account's own reference and metadata of a record: its words, which mean nothing to the rail. */
export interface Labels {
  readonly reference: string | null;
  readonly metadata: Metadata | null;
}

export type Metadata = Readonly<Record<string, string>>;

/** The same as they are given. */
export interface LabelsInput {
  readonly reference?: string | null | undefined;
  readonly metadata?: unknown;
}

export const LONGEST_REFERENCE = 64;
export const MOST_KEYS = 20;
export const LONGEST_KEY = 40;
export const LONGEST_VALUE = 200;

/** One line that begins and ends with a character that can be seen. */
const ONE_LINE = /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]+(?<!\s)$/u;
/** Names that mean something else to programs that read an object. */
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

export function readLabels({ reference, metadata }: LabelsInput): Labels {
  const called = reference?.trim() ?? '';
  const details = [findReferenceMistake(called), findMetadataMistake(metadata)].filter((detail) => detail !== null);
  if (details.length > 0) throw refuseValues(details);
  const given = metadata as Metadata | null | undefined;
  return {
    reference: called === '' ? null : called,
    metadata: given && Object.keys(given).length > 0 ? given : null,
  };
}

const CARD_NUMBER = say`must not contain the number of a card`;

/** The lengths that brands of cards issue by how their numbers begin (ISO/IEC 7812). Times in milliseconds begin with 1. */
const CARD = /^(?:4\d{12}(?:\d{3}){0,2}|2[2-7]\d{14}|3\d{13,15}|5\d{15,18}|6\d{14,18})$/;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** True if text has the digits of a card in a row, blanks and hyphens aside, that pass its check. */
function hasCardNumber(text: string): boolean {
  return (
    readDigits(text)
      .replace(UUID, '')
      .match(/\d(?:[ -]?\d){12,}/g) ?? []
  ).some((found) => {
    const digits = readCopied(found);
    // Payment references have 13 digits too, and other check digits.
    const isReference = digits.length === 13 && mod97_10.validate(digits);
    return CARD.test(digits) && luhn.validate(digits) && !isReference;
  });
}

function findReferenceMistake(reference: string): Detail | null {
  const path = 'reference';
  if (hasCardNumber(reference)) return { path, message: CARD_NUMBER };
  if (countCharacters(reference) > LONGEST_REFERENCE)
    return { path, message: say`must be at most ${LONGEST_REFERENCE} characters`, code: 'reference_too_long' };
  return reference === '' || ONE_LINE.test(reference)
    ? null
    : { path, message: say`must be one line of visible characters` };
}

function findMetadataMistake(metadata: unknown): Detail | null {
  const message = metadata === null || metadata === undefined ? null : findMistake(metadata);
  return message && { path: 'metadata', message, code: 'metadata_invalid' };
}

function findMistake(metadata: unknown): Said | null {
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return say`must be an object`;
  const entries = Object.entries(metadata as object);
  if (entries.length > MOST_KEYS) return say`must have at most ${MOST_KEYS} keys`;
  const isKey = (key: string) => ONE_LINE.test(key) && countCharacters(key) <= LONGEST_KEY && !PROTOTYPE_NAMES.has(key);
  if (!entries.every(([key]) => isKey(key))) return say`must have keys of 1 to ${LONGEST_KEY} visible characters`;
  const isValue = (value: unknown) =>
    typeof value === 'string' && countCharacters(value) <= LONGEST_VALUE && findBadText(value) === null;
  if (!entries.every(([, value]) => isValue(value)))
    return say`must have texts of at most ${LONGEST_VALUE} characters as values`;
  return entries.flat().some((text) => hasCardNumber(text as string)) ? CARD_NUMBER : null;
}

/** A record's metadata as its own account sees it; null for everybody else. */
export function metadataFor(
  { kind, integrator }: Viewer,
  record: { readonly integrator: string | null; readonly metadata: unknown },
): Metadata | null {
  return kind !== 'agency' && integrator === record.integrator ? (record.metadata as Metadata | null) : null;
}

/** The condition that `r` has all of some metadata, for the account that it is of. */
export function whereMetadata({ integrator }: Viewer, metadata: unknown): Sql {
  return sql`r.metadata @> ${json(readLabels({ metadata }).metadata ?? {})}::jsonb and r.integrator is not distinct from ${integrator}`;
}

/** Labels as messages have them: those that were given. */
export function snapshotLabels({
  reference,
  metadata,
}: {
  readonly reference: string | null;
  readonly metadata: unknown;
}) {
  return { ...(reference !== null && { reference }), ...(metadata !== null && { metadata }) };
}
