import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  execute,
  getNamedType,
  isObjectType,
} from 'graphql';
import type { Call } from '../platform/call/call.ts';
import { type NamedConstants, findConstants, withConstants } from './constants.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** A field as it stands in the schema, and as an operation selects it. */
export type SelectedField = readonly [field: GraphQLField<unknown, unknown>, node: FieldNode];

/** A valid document of one operation whose answer is known: the field aliased to `data`. */
export interface PreparedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** The fields from the root to the answer, the answer last; their arguments are what is asked. */
  readonly way: readonly SelectedField[];
  /** The field that is answered. */
  readonly answer: SelectedField;
  /** What in the answer is called by its own value instead of its name in the schema. */
  readonly constants: readonly NamedConstants[];
}

/**
 * Finds what an operation answers. Throws where it has no field aliased to `data`, or selects another beside it or on
 * the way to it.
 */
export function prepareOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): PreparedOperation {
  const way = findData(schema.getRootType(operation.operation), operation.selectionSet);
  const answer = way?.at(-1);
  if (!way || !answer) {
    throw new Error(
      `${operation.name?.value ?? 'An operation'} needs one field aliased to data, and none beside it or on the way to it`,
    );
  }
  const [{ type }, { selectionSet }] = answer;
  return { schema, document, way, answer, constants: findConstants(getNamedType(type), selectionSet, document) };
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

/** Runs an operation; what it answers, or the first of its errors. */
export async function runPrepared(
  { schema, document, way, constants }: PreparedOperation,
  call: Call,
  variableValues: Variables,
): Promise<unknown> {
  const { data, errors } = await execute({ schema, document, contextValue: call, variableValues });
  if (errors?.[0]) throw errors[0];
  const answer = way.reduce<unknown>(
    (value, [, node]) => (value as Record<string, unknown>)[(node.alias ?? node.name).value],
    data,
  );
  return withConstants(answer, constants);
}
