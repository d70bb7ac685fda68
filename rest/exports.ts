import type { Request } from 'express';
import { GraphQLBoolean } from 'graphql';
import { FILE_FORMATS } from '../src/graphql/files/encode.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import type { Parameter } from './input/variables.ts';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

/**
 * What a client wants an answer as, by the weights of its `Accept`; null: as JSON. Refused where it takes nothing that
 * the endpoint has, or a file only, for what is no list.
 */
export function negotiateFormat(req: Request, { formats }: { readonly formats: readonly string[] }): string | null {
  const wanted = req.accepts([JSON_TYPE, ...formats]);
  if (wanted === false && (formats.length > 0 ? !req.accepts(PROBLEM_TYPE) : req.accepts(FILE_FORMATS))) {
    throw new Refusal('not_acceptable', `This resource is available as ${[JSON_TYPE, ...formats].join(' or ')}`);
  }
  return formats.find((format) => format === wanted) ?? null;
}

/** What a list that can be had as a file takes in addition to its own parameters. */
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
