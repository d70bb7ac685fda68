import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  execute as executeByGraphqlJs,
  getNamedType,
  getOperationAST,
  isObjectType,
  parse,
  visit,
} from 'graphql';
import { inSpan, isTracing } from '../adapters/tracing/tracing.ts';
import type { Call } from '../platform/call/call.ts';
import type { Config } from '../platform/config/config.ts';
import { meters } from './builder.ts';
import { execute as executeCompiled } from './compiled/execute.ts';
import { type NamedConstants, findConstants, withConstants } from './documents/constants.ts';
import { type Flatten, flattenerOf } from './documents/flat.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** A field as it stands in the schema, and as an operation selects it. */
export type SelectedField = readonly [field: GraphQLField<unknown, unknown>, node: FieldNode];

/** A valid document of one operation whose answer is known: the field aliased to `data`. */
export interface PreparedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** The fields from the root to the answer, the answer last; their arguments are what is asked. */
  readonly fields: readonly SelectedField[];
  /** The field that is answered. */
  readonly answer: SelectedField;
  /** Values of the answer that are named by a constant instead of their name in the schema. */
  readonly constants: readonly NamedConstants[];
  /** Flattening of its answer; null if it is answered as it is. */
  readonly flatten: Flatten | null;
}

/**
 * Finds what an operation answers. Throws where it has no field aliased to `data`, or selects another next to it or on
 * the way to it.
 */
export function prepareOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): PreparedOperation {
  const fields = findData(schema.getRootType(operation.operation), operation.selectionSet);
  const answer = fields?.at(-1);
  if (!fields || !answer) {
    throw new Error(
      `${operation.name?.value ?? 'An operation'} needs one field aliased to data, and no other next to it or on the way to it`,
    );
  }
  const [{ type }, { selectionSet }] = answer;
  const constants = findConstants(getNamedType(type), selectionSet, document);
  const whole = withPageInfo(document, fields);
  return { schema, document: whole, fields, answer, constants, flatten: flattenerOf(selectionSet, document) };
}

const PAGE_INFO = selectionOf('{ pageInfo { hasNextPage endCursor } }');

function selectionOf(text: string): SelectionSetNode['selections'] {
  const [definition] = parse(text).definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
}

/** A document that asks of a list whose rows it answers where the next page begins, too. */
function withPageInfo(document: DocumentNode, fields: readonly SelectedField[]): DocumentNode {
  const list = listOf(fields)?.[1].selectionSet;
  if (!list) return document;
  return visit(document, {
    SelectionSet: (node) => (node === list ? { ...node, selections: [...node.selections, ...PAGE_INFO] } : undefined),
  });
}

/** The connection whose rows are answered; undefined where something else is. */
export function listOf(fields: readonly SelectedField[]): SelectedField | undefined {
  const list = fields.at(-2);
  const type = list && getNamedType(list[0].type);
  return isObjectType(type) && type.getFields()['pageInfo'] ? list : undefined;
}

/** The fields from a selection to the one aliased to `data`; null where it is not alone. */
function findData(
  type: GraphQLNamedType | null | undefined,
  selectionSet: SelectionSetNode | undefined,
): readonly SelectedField[] | null {
  const [node, ...others] = selectionSet?.selections ?? [];
  if (node?.kind !== Kind.FIELD || others.length > 0 || !isObjectType(type)) return null;
  const step: SelectedField = [type.getFields()[node.name.value]!, node];
  if (node.alias?.value === 'data') return [step];
  const further = findData(getNamedType(step[0].type), node.selectionSet);
  return further && [step, ...further];
}

/** Answer of an operation. */
export interface Answered {
  readonly answer: unknown;
  /** The cursor after which the next page of the list begins; null where the list ends, or the answer is no list. */
  readonly next: string | null;
}

/** Executor of operations, as operators choose it. */
export function executorOf({ graphqlExecutor }: Config): typeof executeCompiled {
  const execute = graphqlExecutor === 'compiled' ? executeCompiled : executeByGraphqlJs;
  return isTracing()
    ? (args) =>
        inSpan(
          () => describeOperation(args),
          async () => execute(args),
        )
    : execute;
}

/** An operation by its first field. Its own name, and the others that it chooses, are the caller's words. */
function describeOperation({ document, operationName }: ExecutionArgs) {
  const operation = getOperationAST(document, operationName);
  const kind = operation?.operation ?? 'query';
  const field = operation?.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD)?.name.value;
  return { name: field ? `${kind} ${field}` : kind, attributes: { 'graphql.operation.type': kind } };
}

/** Executes an operation of the rail's own: what it may cost was thought of when it was written. */
export async function executeOwn(
  { schema, document }: Pick<ExecutionArgs, 'schema' | 'document'>,
  call: Call,
  variableValues: Variables,
): Promise<ExecutionResult> {
  meters.set(call, null);
  return await executorOf(call.config)({ schema, document, contextValue: call, variableValues });
}

/** Runs an operation; what it answers, or the first of its errors. */
export async function runPrepared(
  { fields, constants, flatten, ...operation }: PreparedOperation,
  call: Call,
  variableValues: Variables,
): Promise<Answered> {
  const { data, errors } = await executeOwn(operation, call, variableValues);
  if (errors?.[0]) throw errors[0];
  let next: string | null = null;
  const answer = fields.reduce<unknown>((value, [, node]) => {
    const members = value as Readonly<Record<string, unknown>>;
    next = nextOf(members) ?? next;
    return members[(node.alias ?? node.name).value];
  }, data);
  const named = withConstants(answer, constants);
  return { answer: flatten ? flatten(named) : named, next };
}

function nextOf({ pageInfo }: Readonly<Record<string, unknown>>): string | null {
  if (typeof pageInfo !== 'object' || pageInfo === null) return null;
  const { hasNextPage, endCursor } = pageInfo as { readonly hasNextPage: boolean; readonly endCursor: string | null };
  return hasNextPage ? endCursor : null;
}

/** Reads documents once for a schema, however many rails a process runs with it. */
export function oncePerSchema<Read extends object>(
  read: (schema: GraphQLSchema) => Read,
): (schema: GraphQLSchema) => Read {
  const known = new WeakMap<GraphQLSchema, Read>();
  return (schema) => {
    let before = known.get(schema);
    if (!before) known.set(schema, (before = read(schema)));
    return before;
  };
}
