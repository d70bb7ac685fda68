import type { Request } from 'express';
import { GraphQLBoolean } from 'graphql';
import { CSV, type FileFormat, PARQUET } from '../src/graphql/files/encode.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import type { Endpoint } from './load.ts';
import type { Parameter } from './input/variables.ts';

const JSON_TYPE = 'application/json';

/**
 * What a client wants an answer as, by the weights of its `Accept`; null: as JSON. Refused where it takes nothing but a
 * file that there is not.
 */
export function negotiateFormat(req: Request, { formats }: Pick<Endpoint, 'formats'>): FileFormat | null {
  const wanted = req.accepts([JSON_TYPE, ...formats]);
  if (wanted === CSV || wanted === PARQUET) return wanted;
  if (wanted === false && req.accepts([CSV, PARQUET])) {
    throw new Refusal('not_acceptable', `This resource is available as ${[JSON_TYPE, ...formats].join(' or ')}`);
  }
  return null;
}

/** What a list that can be had as a file takes beside its own parameters. */
export const BOM: Parameter = {
  name: 'bom',
  source: 'query',
  type: GraphQLBoolean,
  defaultValue: undefined,
  argument: undefined,
  text: null,
  description:
    'Whether a CSV file begins with a byte order mark, which some spreadsheets need to recognise UTF-8. Ignored for other formats.',
};
