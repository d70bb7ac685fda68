import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
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
import { compileArguments } from './arguments.ts';
import { compileCompletion, compileLeaf } from './complete.ts';
import { type Chosen, isAsked } from './conditions.ts';
import { PLACED, type Read, type Selected, type SelectedField } from './field.ts';

/** Fragments by their names. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** An operation in one of its forms. */
export interface Form {
  readonly operation: {
    readonly schema: GraphQLSchema;
    readonly fragments: Fragments;
    readonly hideSuggestions: boolean;
    /** Grows with the fields that are compiled. */
    compiledFields: number;
  };
  readonly chosen: Chosen;
}

/** What is selected of objects of one type. */
export class Selection implements Selected {
  readonly fields: readonly SelectedField[];
  readonly isOdd: boolean;

  /** `nodes` are the fields that select it, or the operation. */
  constructor(form: Form, type: GraphQLObjectType, nodes: readonly (FieldNode | OperationDefinitionNode)[]) {
    const collected = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const { selectionSet } of nodes) collect(form, type, selectionSet?.selections ?? [], collected, visited);
    this.fields = [...collected].flatMap(([key, named]) => selectField(form, type, key, named) ?? []);
    this.isOdd = collected.has('__proto__');
    form.operation.compiledFields += this.fields.length;
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
  const { name: parentName } = parentType;
  const resolve = field.resolve ?? defaultFieldResolver;
  return {
    key,
    field,
    parentType,
    parentName,
    nodes,
    isRequired: isNonNullType(field.type),
    resolve,
    argumentsOf: compileArguments(field, first, hideSuggestions),
    read: compileRead(resolve, field.name),
    complete: compileCompletion(schema, field.type, nodes, new Selections(form, nodes)),
    completeLeaf: compileLeaf(field.type, parentName, field.name),
  };
}

/** How many parameters a resolver has that takes all there are; what it is told of its place is the last. */
const ALL_PARAMETERS = 4;

/** A member that is a function is one more resolver, which may ask for what it is told of its place. */
function readMember(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null) return PLACED;
  const member: unknown = (source as Readonly<Record<string, unknown>>)[name];
  return typeof member === 'function' ? PLACED : member;
}

function compileRead(resolve: GraphQLFieldResolver<unknown, unknown>, name: string): Read | null {
  if (resolve === defaultFieldResolver) return (source) => readMember(source, name);
  // Without any parameter it might read its arguments as a list.
  if (resolve.length === 0 || resolve.length >= ALL_PARAMETERS) return null;
  return resolve as Read;
}
