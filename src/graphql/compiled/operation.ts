import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  assertValidSchema,
  getVariableValues,
} from 'graphql';
import { type Conditions, chosenBy, conditionsOf } from './conditions.ts';
import type { Eventually, Selected } from './field.ts';
import { Run } from './run.ts';
import { type Fragments, selectFields } from './selection.ts';

/** With more, an operation has too many forms to keep each. */
const MOST_CONDITIONS = 5;

/** Most errors of variables that graphql-js reports. */
const MOST_ERRORS = 50;

/**
 * An operation as what it does: its fields with their resolvers and types, found once instead of for each row of each
 * run. What it selects is looked at where an answer first leads there.
 */
export class CompiledOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  /** Number of fields compiled in all of its forms, by which it takes memory. */
  compiledFields = 0;
  readonly #conditions: Conditions;
  /** Selections by the values of their conditions. */
  readonly #forms = new Map<string, Selected>();

  private constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    conditions: Conditions,
  ) {
    this.schema = schema;
    this.operation = operation;
    this.fragments = fragmentsOf(document);
    this.#conditions = conditions;
  }

  /** Compiles an operation of a valid document; null where it needs what only graphql-js does. */
  static of(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): CompiledOperation | null {
    assertValidSchema(schema);
    const conditions = conditionsOf(document);
    const isPlain =
      operation.operation !== OperationTypeNode.SUBSCRIPTION &&
      (operation.directives ?? []).length === 0 &&
      schema.getRootType(operation.operation) &&
      !schema.getDirective('defer') &&
      !schema.getDirective('stream') &&
      document.definitions.every((node) => node.kind !== Kind.FRAGMENT_DEFINITION || !node.variableDefinitions);
    if (!isPlain || !conditions || conditions.length > MOST_CONDITIONS) return null;
    return new CompiledOperation(schema, document, operation, conditions);
  }

  /** Answers as `execute` does; null where conditions are no booleans, which graphql-js refuses. */
  run({
    contextValue,
    variableValues,
    hideSuggestions: hides,
  }: Omit<ExecutionArgs, 'schema' | 'document'>): Eventually<ExecutionResult> | null {
    const hideSuggestions = hides ?? false;
    const options = { maxErrors: MOST_ERRORS, hideSuggestions };
    const given = variableValues ?? {};
    const made = getVariableValues(this.schema, this.operation.variableDefinitions ?? [], given, options);
    if (made.errors) return { errors: made.errors };
    const form = chosenBy(this.#conditions, made.variableValues);
    if (form === null) return null;
    const run = new Run(this, contextValue, made.variableValues, hideSuggestions);
    return run.answer(this.#selectionOf(form));
  }

  #selectionOf(form: string): Selected {
    let selection = this.#forms.get(form);
    if (!selection) {
      const chosen = new Map(this.#conditions.map((name, index) => [name, form[index] === '1']));
      const rootType = this.schema.getRootType(this.operation.operation)!;
      selection = selectFields({ operation: this, chosen }, rootType, [this.operation]);
      this.#forms.set(form, selection);
    }
    return selection;
  }
}

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
  return fragments;
}
