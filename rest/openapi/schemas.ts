import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  Kind,
  type SelectionSetNode,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  valueFromASTUntyped,
} from 'graphql';
import { flatOf } from '../../src/graphql/documents/flat.ts';
import { failsAlone } from '../../src/graphql/plugins/partial.ts';
import { type Shape, shapeOfInput, shapeOf } from '../../src/graphql/input/shapes.ts';
import { columnOf } from '../../src/platform/database/record.ts';
import type { Fragments } from '../documents.ts';
import { type Parameter, boundsOf } from '../input/variables.ts';

/** Types of the GraphQL schema as JSON Schema. */

export type Json = { readonly [member: string]: unknown };

/** The type of what a field answers: where it is null because it failed, the error is answered instead. */
export function answeredTypeOf(field: GraphQLField<unknown, unknown>): GraphQLOutputType {
  return failsAlone(field) ? new GraphQLNonNull(getNullableType(field.type)) : field.type;
}

/** Schema of the answer to a selection of a type. */
export function outputOf(
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  fragments: Fragments,
): Json {
  if (!isNonNullType(type)) return allowNull(outputOfNullable(type, selections, fragments));
  return outputOfNullable(type.ofType, selections, fragments);
}

function outputOfNullable(
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  fragments: Fragments,
): Json {
  if (isListType(type)) return { type: 'array', items: outputOf(type.ofType, selections, fragments) };
  if (!isObjectType(type)) return leafOf(type as GraphQLNamedType);
  const [only, ...others] = selections!.selections;
  if (others.length === 0 && only?.kind === Kind.FRAGMENT_SPREAD)
    return { $ref: `#/components/schemas/${only.name.value}` };
  return objectOf(type, selections!, fragments);
}

/** Schema of the answer to a selection of an object, member by member. */
export function objectOf(type: GraphQLObjectType, selections: SelectionSetNode, fragments: Fragments): Json {
  const members = membersOf(type, selections, fragments);
  const required = members.filter(({ optional }) => !optional).map(({ name }) => name);
  const properties = Object.fromEntries(members.map(({ name, schema }) => [name, schema]));
  return { type: 'object', description: type.description, required, properties };
}

interface Member {
  readonly name: string;
  readonly schema: Json;
  /** True if it is left out when it is null. */
  readonly optional: boolean;
}

function membersOf(type: GraphQLObjectType, { selections }: SelectionSetNode, fragments: Fragments): Member[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return membersOf(type, fragments.get(node.name.value)!.selectionSet, fragments);
    if (node.kind === Kind.INLINE_FRAGMENT) return membersOf(type, node.selectionSet, fragments);
    const field = type.getFields()[node.name.value]!;
    const isMarked = (directive: string) => node.directives?.some(({ name }) => name.value === directive) ?? false;
    const declared = answeredTypeOf(field);
    const answered = isMarked('always') ? new GraphQLNonNull(getNullableType(declared)) : declared;
    if (flatOf(node)) {
      const members = membersOf(getNamedType(answered) as GraphQLObjectType, node.selectionSet!, fragments);
      if (isNonNullType(answered)) return members;
      return members.map((member) => (member.optional ? member : { ...member, schema: allowNull(member.schema) }));
    }
    const optional = isMarked('optional');
    const output =
      optional && !isNonNullType(answered)
        ? outputOfNullable(answered, node.selectionSet, fragments)
        : outputOf(answered, node.selectionSet, fragments);
    const schema = describe({ ...output, ...shapeOf(field) }, field.description);
    return [{ name: (node.alias ?? node.name).value, schema, optional }];
  });
}

/** Schema of a variable, with its bounds and default. */
export function variableOf(parameter: Parameter): Json {
  const { type, defaultValue } = parameter;
  return {
    ...inputOf(type, boundsOf(parameter) ?? {}),
    ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
  };
}

/** Schema of an input object. */
export function inputObjectOf(type: GraphQLInputObjectType): Json {
  const fields = Object.values(type.getFields());
  const required = fields.filter((field) => isRequiredInputField(field)).map(({ name }) => columnOf(name));
  const properties = fields.map((field) => {
    const schema = describe(inputOf(field.type, shapeOfInput(field)), field.description);
    return [
      columnOf(field.name),
      field.defaultValue === undefined ? schema : { ...schema, default: field.defaultValue },
    ];
  });
  return {
    type: 'object',
    description: type.description,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties) as Json,
  };
}

function inputOf(type: GraphQLInputType, { items, ...bounds }: Shape): Json {
  if (isNonNullType(type)) return inputOf(type.ofType, { ...bounds, ...(items && { items }) });
  if (isListType(type)) return { type: 'array', ...bounds, items: inputOf(type.ofType, items ?? {}) };
  return isInputObjectType(type) ? { $ref: `#/components/schemas/${type.name}` } : { ...leafOf(type), ...bounds };
}

/** The input object that a type is, or is a list of. */
export function namedInputOf(type: GraphQLInputType): GraphQLInputType {
  return isNonNullType(type) || isListType(type) ? namedInputOf(type.ofType) : type;
}

const LEAVES: Readonly<Record<string, Json>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number', format: 'double' },
  Boolean: { type: 'boolean' },
};

function leafOf(type: GraphQLNamedType): Json {
  const declared = type.extensions['jsonSchema'] as Json | undefined;
  if (isEnumType(type)) return declared ?? { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isScalarType(type)) return LEAVES[type.name] ?? declared ?? {};
  throw new Error(`${type.name} is no leaf`);
}

export function allowNull(schema: Json): Json {
  if ('$ref' in schema) return { oneOf: [schema, { type: 'null' }] };
  if (Array.isArray(schema['enum'])) return { ...schema, type: ['string', 'null'], enum: [...schema['enum'], null] };
  return typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema;
}

/** A schema with what it means. */
export function describe(schema: Json, description: string | null | undefined): Json {
  return description ? { ...schema, description } : schema;
}
