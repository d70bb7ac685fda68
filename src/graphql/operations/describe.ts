import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  getNamedType,
  isInputObjectType,
  type VariableDefinitionNode,
  parse,
  print,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { namedOperations } from './named.ts';

/** A named operation, for its users: people, and programs that make forms or types of it. */
export interface DescribedOperation {
  /** Name of a variable, for `GET /graphql?operation=`. */
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** The text, as every version of GraphQL reads it: without descriptions. */
  readonly document: string;
  readonly variables: readonly DescribedVariable[];
}

interface DescribedVariable {
  readonly name: string;
  /** In GraphQL's notation, such as `Int!`. */
  readonly type: string;
  /** Its default value; absent if there is none. */
  readonly default?: unknown;
  readonly description: string;
}

/**
 * Describes the operations that are known by name, in the order of their names. Throws where one does not fit the
 * schema.
 */
export function describeOperations(schema: GraphQLSchema): readonly DescribedOperation[] {
  return [...namedOperations]
    .map(([name, text]) => describe(schema, name, text))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function describe(schema: GraphQLSchema, name: string, text: string): DescribedOperation {
  const document = parse(text);
  const [mistake] = validate(schema, document);
  if (mistake) throw new Error(`${name}: ${mistake.message}`);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation) throw new Error(`${name}: has no operation`);
  const descriptions = descriptionsOfVariables(schema, document);
  return {
    name,
    kind: operation.operation,
    description: operation.description?.value ?? '',
    document: print(visit(document, { StringValue: (_node, key) => (key === 'description' ? null : undefined) })),
    variables: (operation.variableDefinitions ?? []).map((node) => describeVariable(node, descriptions)),
  };
}

function describeVariable(
  { variable, type, defaultValue, description }: VariableDefinitionNode,
  descriptions: ReadonlyMap<string, string>,
): DescribedVariable {
  const name = variable.name.value;
  return {
    name,
    type: print(type),
    ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
    description: description?.value ?? descriptions.get(name) ?? '',
  };
}

/** A variable is what the argument is that it is handed to. */
function descriptionsOfVariables(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const types = new TypeInfo(schema);
  const reading = visitWithTypeInfo(types, {
    Argument({ value }) {
      const description = types.getArgument()?.description;
      if (value.kind === Kind.VARIABLE && description) found.set(value.name.value, description);
    },
    ObjectField({ name, value }) {
      const parent = getNamedType(types.getParentInputType());
      const description = isInputObjectType(parent) ? parent.getFields()[name.value]?.description : undefined;
      if (value.kind === Kind.VARIABLE && description) found.set(value.name.value, description);
    },
  });
  visit(document, reading);
  return found;
}
