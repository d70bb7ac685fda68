import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  Kind,
  type ValueNode,
  type VariableDefinitionNode,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql';
import { nameOf } from '../../src/graphql/input/input.ts';
import type { Detail } from '../../src/kernel/refusal.ts';
import { shorten } from '../../src/kernel/text/free-text.ts';

/** An enum that REST takes as text, since it answers in its own way what the enum does not have. */
export interface TextEnum {
  readonly enum: GraphQLEnumType;
  /** True if one text is taken for a list of values; one that the enum does not have then finds nothing. */
  readonly filter: boolean;
  /** Message about values that the enum does not have, before they are named. */
  readonly refusal: string;
}

/** Enum of a variable that its document takes as text; null if it does not. */
export function textEnumOf({ directives }: VariableDefinitionNode, type: GraphQLInputType): TextEnum | null {
  const directive = directives?.find(({ name }) => name.value === 'filter' || name.value === 'unknown');
  const named = getNamedType(type);
  if (!directive || !isEnumType(named)) return null;
  const [refusal] = directive.arguments ?? [];
  return {
    enum: named,
    filter: directive.name.value === 'filter',
    refusal: refusal ? String(valueFromASTUntyped(refusal.value)) : '',
  };
}

/** Type of a variable in a request that takes it as text. */
export function textTypeOf(type: GraphQLInputType, { filter }: TextEnum): GraphQLInputType {
  if (filter) return GraphQLString;
  if (isNonNullType(type)) return new GraphQLNonNull(asText(type.ofType));
  return asText(type);
}

function asText(type: GraphQLInputType): GraphQLList<GraphQLNonNull<typeof GraphQLString>> {
  if (!isListType(type)) throw new Error('@unknown stands at a list');
  return new GraphQLList(new GraphQLNonNull(GraphQLString));
}

/** Texts as the names of the enum that a variable takes. */
export function namesOf(texts: unknown, path: string, text: TextEnum, details: Detail[]): unknown {
  if (texts === null) return null;
  const given: readonly unknown[] = Array.isArray(texts) ? texts : [texts];
  const unknown = given.filter((value) => nameOf(text.enum, value) === undefined);
  if (!text.filter && unknown.length > 0)
    details.push({ path, message: `${text.refusal} ${unknown.map((value) => shorten(String(value))).join(', ')}` });
  return given.flatMap((value) => nameOf(text.enum, value) ?? []);
}

/** The names that a variable takes for the values of its enum. */
interface Choices {
  readonly type: GraphQLInputType;
  /** Value of each name; null for nothing. */
  readonly values: ReadonlyMap<unknown, string | null>;
  /** The name of nothing, which is what counts where none is given. */
  readonly defaultValue: ValueNode | undefined;
}

/** The names and values of a variable's `@choices`; null if its names are those of the schema. */
export function choicesOf({ directives, variable }: VariableDefinitionNode, type: GraphQLInputType): Choices | null {
  const directive = directives?.find(({ name }) => name.value === 'choices');
  const known = getNamedType(type);
  if (!directive || !isEnumType(known)) return null;
  const values = new Map<string, string | null>();
  for (const choice of valueFromASTUntyped(directive.arguments![0]!.value) as readonly string[]) {
    const [name, value = name] = choice.split('=') as [string, string?];
    if (value !== '' && !known.getValue(value))
      throw new Error(`$${variable.name.value}: ${known.name} has no ${value}`);
    values.set(name, value || null);
  }
  const names = [...values.keys()];
  const nothing = names.find((name) => values.get(name) === null);
  if (names.every((name) => name === 'true' || name === 'false'))
    return {
      type: GraphQLBoolean,
      values: new Map(names.map((name) => [name === 'true', values.get(name)!])),
      defaultValue: nothing === undefined ? undefined : { kind: Kind.BOOLEAN, value: nothing === 'true' },
    };
  const taken = new GraphQLEnumType({
    name: known.name,
    values: Object.fromEntries(names.map((name) => [name, { value: name }])),
  });
  return {
    type: withLeaf(type, taken),
    values,
    defaultValue: nothing === undefined ? undefined : { kind: Kind.ENUM, value: nothing },
  };
}

/** The type of the items of a list of which a variable takes one, as `@one` says; null where it takes them all. */
export function oneOf({ directives }: VariableDefinitionNode, type: GraphQLInputType): GraphQLInputType | null {
  if (!directives?.some(({ name }) => name.value === 'one')) return null;
  if (!isListType(type)) throw new Error('@one stands at a list that may be left out');
  return isNonNullType(type.ofType) ? type.ofType.ofType : type.ofType;
}

/** A type with another leaf. */
function withLeaf(type: GraphQLInputType, leaf: GraphQLEnumType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withLeaf(type.ofType, leaf) as GraphQLEnumType);
  return isListType(type) ? new GraphQLList(withLeaf(type.ofType, leaf)) : leaf;
}
