import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type VariableValues,
  assertValidSchema,
  execute,
} from 'graphql';
import { type Conditions, chosenBy, conditionsOf } from './conditions.ts';
import type { Eventually } from './field.ts';
import { Run } from './run.ts';
import { type Fragments, Selection } from './selection.ts';
import { type Coerce, compileVariables } from './variables.ts';

/** How an operation is run. */
interface Options {
  /** Whether messages leave out what the schema has of similar names. */
  readonly hideSuggestions: boolean;
}

/** With more, an operation has too many forms to keep each. */
const MOST_CONDITIONS = 5;

/**
 * An operation as what it does: its fields with their resolvers, arguments and types, found once instead of for each
 * row of each run. It answers what graphql-js does, for operations without experimental directives, and lists that are
 * no asynchronous iterables. What it selects is looked at where an answer first leads there.
 */
export class CompiledOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly hideSuggestions: boolean;
  /** How many fields were compiled in all of its forms, which is what it takes of memory. */
  compiledFields = 0;
  readonly #coerce: Coerce;
  readonly #conditions: Conditions;
  /** What is selected, by what its conditions say. */
  readonly #forms = new Map<string, Selection>();

  private constructor(
    { schema, document, hideSuggestions }: Options & Pick<ExecutionArgs, 'schema' | 'document'>,
    operation: OperationDefinitionNode,
    coerce: Coerce,
    conditions: Conditions,
  ) {
    this.schema = schema;
    this.document = document;
    this.operation = operation;
    this.hideSuggestions = hideSuggestions;
    this.fragments = fragmentsOf(document);
    this.#coerce = coerce;
    this.#conditions = conditions;
  }

  /**
   * Compiles an operation of a valid document; null where it needs what only graphql-js does, or the document does not
   * tell which operation is meant.
   */
  static of(
    schema: GraphQLSchema,
    document: DocumentNode,
    operationName: string | null,
    hideSuggestions: boolean,
  ): CompiledOperation | null {
    assertValidSchema(schema);
    const operation = findOperation(document, operationName);
    const special = schema.getDirective('defer') ?? schema.getDirective('stream');
    if (!operation || special || isExperimental(document, operation)) return null;
    const conditions = conditionsOf(document);
    const coerce = compileVariables(schema, operation, hideSuggestions);
    if (!coerce || !conditions || conditions.length > MOST_CONDITIONS) return null;
    return new CompiledOperation({ schema, document, hideSuggestions }, operation, coerce, conditions);
  }

  /** Runs it, and answers as `execute` does. */
  run(contextValue: unknown, given: ExecutionArgs['variableValues']): Eventually<ExecutionResult> {
    const values = this.#coerce(given ?? {});
    if ('errors' in values) return values;
    const form = chosenBy(this.#conditions, values);
    if (form === null) return this.#runPlainly(contextValue, given);
    return new Run(this, contextValue, values).answer(this.#selectionOf(form, values));
  }

  #selectionOf(form: string, values: VariableValues): Selection {
    let selection = this.#forms.get(form);
    if (!selection) {
      const { coerced } = values;
      const chosen = new Map(this.#conditions.map((name) => [name, coerced[name] === true]));
      const rootType = this.schema.getRootType(this.operation.operation)!;
      selection = new Selection({ operation: this, chosen }, rootType, [this.operation]);
      this.#forms.set(form, selection);
    }
    return selection;
  }

  #runPlainly(contextValue: unknown, variableValues: ExecutionArgs['variableValues']): Eventually<ExecutionResult> {
    const { schema, document, hideSuggestions, operation } = this;
    const operationName = operation.name?.value;
    return execute({ schema, document, contextValue, variableValues, hideSuggestions, operationName });
  }
}

/** The operation of a name, or the only one. */
function findOperation({ definitions }: DocumentNode, name: string | null): OperationDefinitionNode | null {
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (name === null) return operations.length === 1 ? operations[0]! : null;
  return operations.findLast((operation) => operation.name?.value === name) ?? null;
}

/** Whether an operation is a subscription, or uses what graphql-js has for trying out. */
function isExperimental({ definitions }: DocumentNode, operation: OperationDefinitionNode): boolean {
  return (
    operation.operation === OperationTypeNode.SUBSCRIPTION ||
    (operation.directives?.length ?? 0) > 0 ||
    definitions.some((node) => node.kind === Kind.FRAGMENT_DEFINITION && node.variableDefinitions !== undefined)
  );
}

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
  return fragments;
}
