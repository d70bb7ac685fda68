import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  getOperationAST,
  isInputType,
  isNonNullType,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Detail, refuseValues } from '../../kernel/refusal.ts';
import { type Manners, fit } from './input.ts';
import { type Shape, shapeOfInput, shapeOfVariable } from './shapes.ts';
import { say } from '../../kernel/text/said.ts';

/** GraphQL takes a single value for a list of one, and nothing that its schema does not know. */
const MANNERS: Manners = {
  findUnknown: 'refused',
  lists: 'of one',
  enums: 'by name',
  nameOf: ({ name }) => name,
  boundsOf: shapeItems,
};

/** Only the length of a list, of an input's bounds: the others are a field's own, which first asks who may use it. */
function shapeItems(input: GraphQLArgument | GraphQLInputField): Shape {
  const { maxItems } = shapeOfInput(input);
  return maxItems === undefined ? {} : { maxItems };
}

/**
 * Holds the variables of an operation to their types before it is run, in the words and within the bounds that REST
 * has.
 */
export const fittingVariables: Plugin = {
  onExecute: ({ args }) => checkVariables(args),
  onSubscribe: ({ args }) => checkVariables(args),
};

function checkVariables({ schema, document, operationName, variableValues }: ExecutionArgs): void {
  const operation = getOperationAST(document, operationName);
  if (!operation?.variableDefinitions?.length) return;
  const details = findMistakes(schema, operation, variableValues ?? {}, shapesOfVariables(schema, document));
  if (details.length > 0) throw refuseValues(details);
}

type Given = Readonly<Record<string, unknown>>;
type Shapes = ReadonlyMap<string, Shape>;

function findMistakes(
  schema: GraphQLSchema,
  { variableDefinitions }: OperationDefinitionNode,
  given: Given,
  shapes: Shapes,
): Detail[] {
  const details: Detail[] = [];
  for (const { variable, type: node, defaultValue } of variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    if (!type || !isInputType(type)) continue;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) fit(value, type, shapes.get(name) ?? shapeOfVariable(type), name, details, MANNERS);
    else if (isNonNullType(type) && !defaultValue) details.push({ path: name, message: say`is required` });
  }
  return details;
}

const known = new WeakMap<DocumentNode, Shapes>();

/**
 * The shapes of the arguments that variables of a document are handed to; documents that are asked often are parsed,
 * and read, once.
 */
function shapesOfVariables(schema: GraphQLSchema, document: DocumentNode): Shapes {
  const earlier = known.get(document);
  if (earlier) return earlier;
  const shapes = new Map<string, Shape>();
  const types = new TypeInfo(schema);
  const reading = visitWithTypeInfo(types, {
    Argument({ value }) {
      const argument = types.getArgument();
      if (argument && value.kind === 'Variable') shapes.set(value.name.value, shapeItems(argument));
    },
  });
  visit(document, reading);
  known.set(document, shapes);
  return shapes;
}
