import type { IncomingHttpHeaders } from 'node:http';
import {
  type FieldNode,
  type GraphQLArgument,
  GraphQLBoolean,
  GraphQLError,
  type GraphQLField,
  GraphQLInt,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  typeFromAST,
} from 'graphql';
import { type Shape, outOfBounds, shapeOf } from '../src/graphql/shapes.ts';
import { type Detail, invalidValues } from '../src/refusal.ts';
import { badText } from '../src/text.ts';

type Source = 'path' | 'query' | 'body' | 'header' | 'raw';

/** A variable of an operation, and where a request carries it. */
export interface Parameter {
  readonly name: string;
  readonly source: Source;
  /** The header's name, for one that is taken from a header. */
  readonly header: string | null;
  readonly type: GraphQLInputType;
  readonly defaultValue: ValueNode | undefined;
  /** The argument of the schema that it is handed to, which says what it means and what bounds it has. */
  readonly argument: GraphQLArgument | undefined;
}

/** What a request carries, before anything is known of its meaning. */
export interface Input {
  readonly path: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly raw: Buffer;
}

export function parametersOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  rest: { method: string; path: string; raw?: string; headers?: readonly { variable: string; header: string }[] },
  asked: readonly (readonly [GraphQLField<unknown, unknown>, FieldNode])[],
): Parameter[] {
  const inPath = new Set([...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return (operation.variableDefinitions ?? []).map((definition) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!type || !isInputType(type)) throw new Error(`${name} is no input`);
    const header = rest.headers?.find((taken) => taken.variable === name)?.header ?? null;
    const elsewhere = rest.method === 'GET' || rest.raw ? 'query' : 'body';
    const source: Source = name === rest.raw ? 'raw' : header ? 'header' : inPath.has(name) ? 'path' : elsewhere;
    return { name, source, header, type, defaultValue: definition.defaultValue, argument: argumentFor(name, asked) };
  });
}

function argumentFor(variable: string, asked: readonly (readonly [GraphQLField<unknown, unknown>, FieldNode])[]): GraphQLArgument | undefined {
  for (const [field, node] of asked) {
    const taken = node.arguments?.find(({ value }) => value.kind === Kind.VARIABLE && value.name.value === variable);
    if (taken) return field.args.find(({ name }) => name === taken.name.value);
  }
  return undefined;
}

/** Collects the variables of an operation from a request; refuses with every value that does not fit its type. */
export function collectVariables(parameters: readonly Parameter[], input: Input, strict: boolean): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const details: Detail[] = strict ? unknownMembers(parameters, input.body) : [];
  for (const parameter of parameters) {
    const value = take(parameter, input, details);
    if (value !== undefined) variables[parameter.name] = fit(value, parameter.type, shapeOf(parameter.argument), parameter.name, details);
    else if (isNonNullType(parameter.type) && !parameter.defaultValue) details.push({ path: parameter.name, message: 'is required' });
  }
  if (details.length > 0) throw invalidValues(details);
  return variables;
}

function unknownMembers(parameters: readonly Parameter[], body: Input['body']): Detail[] {
  const known = new Set(parameters.map(({ name }) => name));
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: name, message: 'cannot be set' }));
}

function take(parameter: Parameter, input: Input, details: Detail[]): unknown {
  const { name, source, type, header } = parameter;
  switch (source) {
    case 'raw':
      return input.raw;
    case 'path':
      return input.path[name];
    case 'header': {
      const value = input.headers[header!.toLowerCase()];
      return Array.isArray(value) ? value[0] : value;
    }
    case 'body':
      return Object.hasOwn(input.body, name) ? input.body[name] : undefined;
    case 'query': {
      const values = input.query.getAll(name);
      if (values.length > 1) details.push({ path: name, message: 'is given more than once' });
      return values[0] === undefined ? undefined : fromText(values[0], type);
    }
  }
}

/** A query parameter as a value of its type; what cannot be one stays text, which the type then refuses. */
function fromText(text: string, type: GraphQLInputType): unknown {
  const plain = isNonNullType(type) ? type.ofType : type;
  if (isListType(plain)) return text === '' ? [] : text.split(',').map((member) => fromText(member.trim(), plain.ofType));
  if (plain === GraphQLInt && /^-?\d{1,18}$/.test(text)) return Number(text);
  if (isScalarType(plain) && plain.name === 'Decimal' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (plain === GraphQLBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const LEAF_MESSAGES: Readonly<Record<string, string>> = {
  Int: 'must be a whole number',
  Float: 'must be a number',
  Boolean: 'must be true or false',
  String: 'must be a string',
  ID: 'must be a string',
};

/**
 * A value as its type knows it: members that the type does not have are left out, as what a client sends beyond them is ignored;
 * what does not fit is noted.
 */
function fit(value: unknown, type: GraphQLInputType, bounds: Shape, path: string, details: Detail[]): unknown {
  if (isNonNullType(type)) {
    if (value === null) details.push({ path, message: 'must not be null' });
    return value === null ? null : fit(value, type.ofType, bounds, path, details);
  }
  if (value === null) return null;
  if (isListType(type)) return fitItems(value, type.ofType, bounds, path, details);
  if (isInputObjectType(type)) return fitMembers(value, type, path, details);
  if (typeof value === 'string') {
    const message = badText(value);
    if (message) details.push({ path, message });
  }
  const message = leafMistake(value, type) ?? outOfBounds(value, bounds);
  if (message) details.push({ path, message });
  return value;
}

/** The items of a list; one that is too long is refused without a look at them. */
function fitItems(value: unknown, type: GraphQLInputType, bounds: Shape, path: string, details: Detail[]): unknown {
  const message = Array.isArray(value) ? outOfBounds(value, bounds) : 'must be a list';
  if (message) details.push({ path, message });
  if (message || !Array.isArray(value)) return value;
  return value.map((item, index) => fit(item, type, bounds.items ?? {}, `${path}[${index}]`, details));
}

function fitMembers(value: unknown, type: GraphQLInputObjectType, path: string, details: Detail[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    details.push({ path, message: 'must be an object' });
    return value;
  }
  const fitted: Record<string, unknown> = {};
  for (const field of Object.values(type.getFields())) {
    const member = `${path}.${field.name}`;
    if (Object.hasOwn(value, field.name))
      fitted[field.name] = fit((value as Record<string, unknown>)[field.name], field.type, shapeOf(field), member, details);
    else if (isRequiredInputField(field)) details.push({ path: member, message: 'is required' });
  }
  return fitted;
}

function leafMistake(value: unknown, type: GraphQLLeafType): string | null {
  try {
    if (type.coerceInputValue(value) !== undefined) return null;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (isScalarType(type)) return LEAF_MESSAGES[type.name] ?? error.message;
  }
  return isEnumType(type)
    ? `must be one of ${type
        .getValues()
        .map(({ name }) => name)
        .join(', ')}`
    : 'is not allowed';
}
