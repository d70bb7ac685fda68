import { tracingChannel } from 'node:diagnostics_channel';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
  execute as executeByGraphqlJs,
  getOperationAST,
} from 'graphql';
import type { Eventually } from './field.ts';
import { CompiledOperation } from './operation.ts';

/** Operations of a document for one schema; null where graphql-js has to execute them. */
interface Known {
  readonly schema: GraphQLSchema;
  readonly operations: Map<OperationDefinitionNode, CompiledOperation | null>;
}

/** For as long as somebody else keeps their documents. */
const known = new WeakMap<DocumentNode, Known>();

/** Channels on which graphql-js reports each execution while somebody listens. */
const CHANNELS = ['', ':variableCoercion', ':rootSelectionSet'].map((part) => tracingChannel(`graphql:execute${part}`));
CHANNELS.push(tracingChannel('graphql:resolve'));

/**
 * Executes an operation of a valid document as `execute` of graphql-js does: compiles it when it is first asked for, and
 * leaves to graphql-js what cannot be compiled.
 */
export function execute(args: ExecutionArgs): Eventually<ExecutionResult> {
  return findCompiled(args)?.run(args) ?? executeByGraphqlJs(args);
}

function findCompiled(args: ExecutionArgs): CompiledOperation | null {
  const {
    schema,
    document,
    operationName,
    contextValue: _,
    variableValues: __,
    hideSuggestions: ___,
    ...others
  } = args;
  const isSpecial = Object.values(others).some((value) => (value ?? null) !== null);
  if (isSpecial || CHANNELS.some(({ hasSubscribers }) => hasSubscribers)) return null;
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  let before = known.get(document);
  if (before?.schema !== schema) known.set(document, (before = { schema, operations: new Map() }));
  let compiled = before.operations.get(operation);
  if (compiled === undefined)
    before.operations.set(operation, (compiled = CompiledOperation.of(schema, document, operation)));
  return compiled;
}

/** Number of compiled fields of a document's operations, by which they take memory. */
export function countCompiledFields(document: DocumentNode): number {
  const operations = [...(known.get(document)?.operations.values() ?? [])];
  return operations.reduce((sum, compiled) => sum + (compiled?.compiledFields ?? 0), 0);
}
