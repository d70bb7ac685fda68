import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableValues,
  defaultFieldResolver,
  isAbstractType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import { type Arguments, compileArguments } from './arguments.ts';
import { type Complete, compileCompletion } from './complete.ts';
import { type Chosen, isAsked } from './conditions.ts';
import type { CompiledOperation } from './operation.ts';

/** Fragments by their names. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** An operation in one of its forms. */
export interface Form {
  readonly operation: CompiledOperation;
  readonly chosen: Chosen;
}

/** A field of a selection, with all that a row does not change. */
export interface SelectedField {
  /** Its member of the answer. */
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parentType: GraphQLObjectType;
  readonly parentName: string;
  /** Where an operation names it; its arguments are those of the first. */
  readonly nodes: readonly FieldNode[];
  readonly isRequired: boolean;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly argumentsOf: (values: VariableValues) => Arguments;
  readonly complete: Complete;
}

/** What is selected of objects of one type. */
export class Selection {
  readonly fields: readonly SelectedField[];
  /** Whether a member has a name that a plain object takes for something else. */
  readonly isOdd: boolean;

  /** `nodes` are the fields that select it, or the operation. */
  constructor(form: Form, type: GraphQLObjectType, nodes: readonly (FieldNode | OperationDefinitionNode)[]) {
    const collected = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const { selectionSet } of nodes) collect(form, type, selectionSet?.selections ?? [], collected, visited);
    this.fields = [...collected].flatMap(([key, named]) => selectField(form, type, key, named) ?? []);
    this.isOdd = collected.has('__proto__');
  }
}

/** Selections of the same fields for each type of object that they are of, made when there is first one. */
export class Selections {
  readonly #form: Form;
  readonly #nodes: readonly FieldNode[];
  readonly #known = new Map<GraphQLObjectType, Selection>();

  constructor(form: Form, nodes: readonly FieldNode[]) {
    this.#form = form;
    this.#nodes = nodes;
  }

  of(type: GraphQLObjectType): Selection {
    let selection = this.#known.get(type);
    if (!selection) {
      selection = new Selection(this.#form, type, this.#nodes);
      this.#known.set(type, selection);
    }
    return selection;
  }
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
  const { schema, hideSuggestions } = form.operation;
  const [first] = nodes;
  const field = first && schema.getField(parentType, first.name.value);
  if (!field) return null;
  return {
    key,
    field,
    parentType,
    parentName: parentType.name,
    nodes,
    isRequired: isNonNullType(field.type),
    resolve: field.resolve ?? defaultFieldResolver,
    argumentsOf: compileArguments(field, first, hideSuggestions),
    complete: compileCompletion(schema, field.type, nodes, new Selections(form, nodes)),
  };
}
