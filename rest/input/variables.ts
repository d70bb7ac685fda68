import type { IncomingHttpHeaders } from 'node:http';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLBoolean,
  GraphQLInt,
  type GraphQLInputType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
} from 'graphql';
import { type Manners, fit } from '../../src/graphql/input/input.ts';
import { type Shape, shapeOfInput, shapeOfVariable } from '../../src/graphql/input/shapes.ts';
import type { PreparedOperation, SelectedField } from '../../src/graphql/prepared.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { columnOf } from '../../src/platform/database/record.ts';
import { type Detail, refuseValues } from '../../src/kernel/refusal.ts';
import { shorten } from '../../src/kernel/text/free-text.ts';
import type { Handler, ParameterSource } from '../handlers.ts';
import { type TextEnum, choicesOf, namesOf, oneOf, textEnumOf, textTypeOf } from './constants.ts';
import { say } from '../../src/kernel/text/said.ts';

/** A variable of an operation, and where a request carries it. */
export interface Parameter {
  readonly name: string;
  readonly source: ParameterSource;
  /** Type in a request. */
  readonly type: GraphQLInputType;
  /** The enum whose values it is as text; null where there is none, or the type itself. */
  readonly text: TextEnum | null;
  /** Values of the names that it takes; null if they are those of the schema. */
  readonly choices: ReadonlyMap<unknown, string | null> | null;
  /** True if it is one value for a list. */
  readonly one: boolean;
  readonly defaultValue: ValueNode | undefined;
  /** The argument of the schema that it is handed to, which says what it means and what bounds it has. */
  readonly argument: GraphQLArgument | GraphQLInputField | undefined;
  /** Path in refusals: that of the argument, or of a member of an input. */
  readonly place: string;
  readonly description: string;
}

/** Sources of an endpoint's variables, by its document. */
interface Address {
  readonly method: string;
  readonly path: string;
  readonly handler: Handler;
}

/** Content of a request, before anything is known of its meaning. */
export interface Input {
  readonly path: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The headers that are handed on as they are. */
  readonly callbackHeaders: Config['callbackHeaders'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly raw: Buffer;
  /** The form that `Accept` chose; null: JSON. */
  readonly accept: string | null;
}

/** The variables of an operation as the parameters of an endpoint. */
export function parametersOf(
  { schema, fields }: PreparedOperation,
  operation: OperationDefinitionNode,
  { method, path, handler }: Address,
): Parameter[] {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return (operation.variableDefinitions ?? []).map((definition) => {
    const name = definition.variable.name.value;
    const taken = typeFromAST(schema, definition.type);
    if (!taken || !isInputType(taken)) throw new Error(`${name} is no input`);
    const text = textEnumOf(definition, taken);
    const choices = choicesOf(definition, taken);
    const one = oneOf(definition, taken);
    const elsewhere = method === 'GET' || handler.body.raw ? 'query' : 'body';
    const source = handler.takes[name] ?? (inPath.has(name) ? 'path' : elsewhere);
    const { argument, place } = findArgument(name, fields);
    return {
      name,
      source,
      type: choices?.type ?? one ?? (text ? textTypeOf(taken, text) : taken),
      text,
      choices: choices?.values ?? null,
      one: one !== null,
      defaultValue: definition.defaultValue ?? choices?.defaultValue,
      argument,
      place,
      description: argument?.description ?? '',
    };
  });
}

/** Argument that a variable is handed to, and its path: `slice.agency`. */
type Handed = Pick<Parameter, 'argument' | 'place'>;

function findArgument(variable: string, fields: readonly SelectedField[]): Handed {
  for (const [field, node] of fields) {
    for (const { name, value } of node.arguments ?? []) {
      const argument = field.args.find((one) => one.name === name.value);
      const found = argument && findWithin(value, argument, argument.name, variable);
      if (found) return found;
    }
  }
  return { argument: undefined, place: variable };
}

/** The same within a value: it itself, an item of it, or a member of an input object in it. */
function findWithin(
  value: ValueNode,
  argument: NonNullable<Parameter['argument']>,
  place: string,
  variable: string,
): Handed | undefined {
  if (value.kind === Kind.VARIABLE) return value.name.value === variable ? { argument, place } : undefined;
  const type = getNamedType(argument.type);
  const parts =
    value.kind === Kind.LIST
      ? value.values.map((item, index) => [item, argument, `${place}[${index}]`] as const)
      : value.kind === Kind.OBJECT && isInputObjectType(type)
        ? value.fields.map(
            ({ name, value: member }) => [member, type.getFields()[name.value]!, `${place}.${name.value}`] as const,
          )
        : [];
  for (const [part, taken, where] of parts) {
    const found = findWithin(part, taken, where, variable);
    if (found) return found;
  }
  return undefined;
}

/** Collects the variables of an operation from a request; refuses with every value that does not fit its type. */
export function collectVariables(
  parameters: readonly Parameter[],
  input: Input,
  strict: boolean,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const details: Detail[] = strict ? unknownMembers(parameters, input.body) : [];
  for (const parameter of parameters) {
    const value = take(parameter, input, details);
    if (value !== undefined) variables[parameter.name] = fitParameter(value, parameter, details);
    else if (isRequired(parameter)) details.push({ path: parameter.name, message: say`is required` });
  }
  if (details.length > 0) throw refuseValues(details);
  return variables;
}

/** REST ignores what a client sends beyond what is known; a list is written as one, and enums as the code has them. */
const MANNERS: Manners = {
  findUnknown: 'ignored',
  lists: 'strict',
  enums: 'by constant',
  nameOf: ({ name }) => columnOf(name),
  boundsOf: shapeOfInput,
};

/** A value as the operation takes it. */
function fitParameter(value: unknown, parameter: Parameter, details: Detail[]): unknown {
  const { name, type, text, choices, one } = parameter;
  const mistakes = details.length;
  const fitted = fit(value, type, boundsOf(parameter) ?? shapeOfVariable(type), name, details, MANNERS);
  if (details.length > mistakes) return fitted;
  if (choices)
    return Array.isArray(fitted) ? fitted.map((each) => choices.get(each)) : (choices.get(fitted) ?? undefined);
  if (one && fitted !== null) return [fitted];
  return text ? namesOf(fitted, name, text, details) : fitted;
}

/** The bounds of what a request carries, as the argument declares them that it is handed to. */
export function boundsOf({ argument, text, one }: Parameter): Shape | undefined {
  const bounds = argument && shapeOfInput(argument);
  return text?.filter || one ? bounds?.items : bounds;
}

function isRequired({ type, defaultValue }: Parameter): boolean {
  return isNonNullType(type) && !defaultValue;
}

/** A query parameter that need not be given, `start` and `limit` aside: those say how much is answered, not what. */
function isFilter({ type, defaultValue }: Parameter): boolean {
  return !isNonNullType(type) || (defaultValue !== undefined && type.ofType !== GraphQLInt);
}

/** True if a text would be refused as the value of a query parameter. */
export function isUnfit(text: string, parameter: Parameter): boolean {
  const details: Detail[] = [];
  fitParameter(parseText(text, parameter.type), parameter, details);
  return details.length > 0;
}

function unknownMembers(parameters: readonly Parameter[], body: Input['body']): Detail[] {
  const known = new Set(parameters.map(({ name }) => name));
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: shorten(name), message: 'cannot be set' }));
}

function take(parameter: Parameter, input: Input, details: Detail[]): unknown {
  const { name, source, type } = parameter;
  switch (source) {
    case 'raw':
      return input.raw;
    case 'accept':
      return input.accept;
    case 'path':
      return input.path[name];
    case 'headers':
      return input.callbackHeaders.flatMap((header) => {
        const value = input.headers[header.name.toLowerCase()];
        return typeof value === 'string' ? { name: header.name, value } : [];
      });
    case 'body':
      return Object.hasOwn(input.body, name) ? input.body[name] : undefined;
    case 'query': {
      if (isMembers(parameter)) return takeMembers(name, input.query, details);
      const values = input.query.getAll(name);
      if (values.length > 1) details.push({ path: name, message: 'is given more than once' });
      // A filter that is left blank is as if it were left out.
      if (values[0] === undefined || (values[0] === '' && isFilter(parameter))) return undefined;
      return parseText(values[0], type);
    }
  }
}

/** True if a query carries a parameter as several, `name[key]=value`. */
export function isMembers({ source, type }: Pick<Parameter, 'source' | 'type'>): boolean {
  return source === 'query' && isScalarType(type) && type.name === 'Metadata';
}

/** The members of an object in a query, `name[key]=value`, as OpenAPI's style `deepObject` has them. */
function takeMembers(name: string, query: URLSearchParams, details: Detail[]): Record<string, string> | undefined {
  const given = [...query].flatMap(([key, value]) =>
    key.startsWith(`${name}[`) && key.endsWith(']') ? [[key.slice(name.length + 1, -1), value] as const] : [],
  );
  const members = new Map(given);
  if (members.size < given.length) details.push({ path: name, message: 'has a key more than once' });
  return members.size === 0 ? undefined : Object.fromEntries(members);
}

/** A query parameter as a value of its type; what cannot be one stays text, which the type then refuses. */
function parseText(text: string, type: GraphQLInputType): unknown {
  const plain = isNonNullType(type) ? type.ofType : type;
  if (isListType(plain))
    return text === '' ? [] : text.split(',').map((member) => parseText(member.trim(), plain.ofType));
  if (plain === GraphQLInt && /^-?\d{1,18}$/.test(text)) return Number(text);
  if (isScalarType(plain) && plain.name === 'Decimal' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (plain === GraphQLBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
