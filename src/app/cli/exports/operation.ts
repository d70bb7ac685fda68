import { readFileSync } from 'node:fs';
import { extendSchema, getOperationAST, parse, validate } from 'graphql';
import { type PreparedOperation, prepareOperation } from '../../../graphql/prepared.ts';
import { schema } from '../../schema.ts';
import type { Listed } from './lists.ts';

const FLAT = parse('directive @flat on FIELD');

/**
 * Reads the operation that gives the rows of a list: its variables are `from_date`, `to_date`, `mda`, `limit`, `after`
 * and those of its own.
 */
export function readOperation(what: Listed): PreparedOperation {
  const document = parse(readFileSync(new URL(`${what}.graphql`, import.meta.url), 'utf8'));
  const mistakes = validate(extendSchema(schema, FLAT), document);
  const operation = getOperationAST(document);
  if (mistakes.length > 0 || !operation)
    throw new Error(`exports/${what}.graphql: ${mistakes.map(({ message }) => message).join('; ')}`);
  return prepareOperation(schema, operation, document);
}
