import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  defaultFieldResolver,
  isAbstractType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import { compileCompletion } from './complete.ts';
import { compilePlain } from './plain.ts';
import { type Chosen, isAsked } from './conditions.ts';
import type { Selected, SelectedField } from './field.ts';

/** Fragments by their names. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** An operation in one of its forms. */
export interface Form {
  readonly operation: {
    readonly schema: GraphQLSchema;
    readonly fragments: Fragments;
    /** Grows with the fields that are compiled. */
    compiledFields: number;
  };
  readonly chosen: Chosen;
}

/** Selects the fields of objects of one type; `nodes` are the fields that select it, or the operation. */
export function selectFields(
  form: Form,
  type: GraphQLObjectType,
  nodes: readonly (FieldNode | OperationDefinitionNode)[],
): Selected {
  const collected = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  for (const { selectionSet } of nodes) collect(form, type, selectionSet?.selections ?? [], collected, visited);
  const fields = [...collected].flatMap(([key, named]) => selectField(form, type, key, named) ?? []);
  form.operation.compiledFields += fields.length;
  return { fields, namesProto: collected.has('__proto__') };
}

/** Collects the fields that are selected of a type, by the member that answers them. */
function collect(
  form: Form,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  collected: Map<string, FieldNode[]>,
  visited: Set<string>,
): void {
  for (const node of selections) {
    if (!isAsked(node, form.chosen)) continue;
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      const named = collected.get(key);
      if (named) named.push(node);
      else collected.set(key, [node]);
      continue;
    }
    const isSpread = node.kind === Kind.FRAGMENT_SPREAD;
    if (isSpread && visited.has(node.name.value)) continue;
    const fragment = isSpread ? form.operation.fragments[node.name.value] : node;
    if (!fragment || !isOf(form, type, fragment.typeCondition)) continue;
    if (isSpread) visited.add(node.name.value);
    collect(form, type, fragment.selectionSet.selections, collected, visited);
  }
}

function isOf(
  { operation: { schema } }: Form,
  type: GraphQLObjectType,
  condition: FragmentDefinitionNode['typeCondition'] | undefined,
): boolean {
  if (!condition) return true;
  const wanted = typeFromAST(schema, condition);
  return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
}

/** A field of a type; null where the type has none of that name. */
function selectField(form: Form, parentType: GraphQLObjectType, key: string, nodes: FieldNode[]): SelectedField | null {
  const { schema } = form.operation;
  const field = schema.getField(parentType, nodes[0]!.name.value);
  if (!field) return null;
  const known = new Map<GraphQLObjectType, Selected>();
  /** Selection of the field's objects, made when there is first one of a type. */
  const selections = (type: GraphQLObjectType): Selected => {
    let selection = known.get(type);
    if (!selection) known.set(type, (selection = selectFields(form, type, nodes)));
    return selection;
  };
  return {
    key,
    field,
    parentType,
    nodes,
    isRequired: isNonNullType(field.type),
    resolve: field.resolve ?? defaultFieldResolver,
    complete: compileCompletion(schema, field.type, nodes, selections),
    readPlain: compilePlain(field),
  };
}
