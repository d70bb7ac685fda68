import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import type { Call } from '../../platform/call/call.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { OPERATION_LIMITS } from '../builder.ts';
import { refuseDeep, refuseMany } from './bounds.ts';
import { readsOversightAlone } from './browser-keys.ts';

/**
 * Refuses a document that is no one query of oversight within the bounds on operations, with its variables as they are
 * by default. What is asked with others is held to the same bounds when it is asked.
 */
export function checkDocument(schema: GraphQLSchema, text: string, call: Call): void {
  const document = read(text);
  const [mistake] = validate(schema, document, undefined, { maxErrors: 1 });
  if (mistake) throw new Refusal('validation_failed', mistake.message);
  const [operation, ...others] = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (others.length > 0 || operation?.operation !== 'query' || !readsOversightAlone({ schema, document }))
    throw refuseValue('document', say`must be one query that reads \`oversight\` alone`);
  const variables = Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue ? valueFromASTUntyped(defaultValue) : undefined,
    ]),
  );
  const { complexity, depth, breadth } = complexityFromQuery(document, { schema, ctx: call, variables });
  if (complexity > OPERATION_LIMITS.complexity || depth > OPERATION_LIMITS.depth || breadth > OPERATION_LIMITS.breadth)
    throw refuseValue('document', say`costs more than an operation may: ask for fewer fields, or fewer rows`);
}

function read(text: string): DocumentNode {
  try {
    refuseDeep(text);
    const document = parse(text, { maxTokens: OPERATION_LIMITS.tokens });
    refuseMany(document);
    return document;
  } catch (error) {
    throw error instanceof GraphQLError ? new Refusal('validation_failed', error.message) : error;
  }
}
