import type { Request } from 'express';
import { GraphQLBoolean } from 'graphql';
import { FILE_FORMATS } from '../src/graphql/files/encode.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import type { Parameter } from './input/variables.ts';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

/**
 * Format of an answer by the weights of a client's `Accept`; null: JSON. Refused if it takes nothing that the endpoint
 * has, or only a file, for an answer that is no list.
 */
export function negotiateFormat(req: Request, { formats }: { readonly formats: readonly string[] }): string | null {
  const wanted = req.accepts([JSON_TYPE, ...formats]);
  if (wanted === false && (formats.length > 0 ? !req.accepts(PROBLEM_TYPE) : req.accepts(FILE_FORMATS))) {
    throw new Refusal('not_acceptable', `This resource is available as ${[JSON_TYPE, ...formats].join(' or ')}`);
  }
  return formats.find((format) => format === wanted) ?? null;
}

/** Parameter of a list that can be had as a file, in addition to its own. */
export const BOM: Parameter = {
  name: 'bom',
  source: 'query',
  type: GraphQLBoolean,
  defaultValue: undefined,
  argument: undefined,
  place: 'bom',
  text: null,
  choices: null,
  one: false,
  description:
    'Whether a CSV file begins with a byte order mark, which some spreadsheets need to recognise UTF-8. Ignored for other formats.',
};
