import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  type GraphQLArgument,
  type GraphQLFieldResolver,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLString,
  OperationTypeNode,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { SideTable } from '../../kernel/side-table.ts';
import { Decimal } from '../../kernel/money.ts';
import { type Detail, refuseValues } from '../../kernel/refusal.ts';
import { countCharacters } from '../../kernel/text/free-text.ts';
import { type Said, say } from '../../kernel/text/said.ts';

/**
 * Shape of a value, in the keywords of JSON Schema. It is declared with its argument, input field or output field, and
 * nowhere else: bounds are enforced from it on both surfaces, and OpenAPI shows it whole. Forms (`pattern`, `format`)
 * are only shown: the reader of such a value says what a wrong one means, 404 for the name of a document and 422 for a
 * phone number.
 */
export interface Shape {
  readonly minimum?: number;
  readonly maximum?: number;
  /** Least length of text, in characters, without blanks around it. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  /** The shape of each item of a list. */
  readonly items?: Shape;
}

const NONE: Shape = {};

/** Declares the shape of an argument or field, among its options. */
export function shape(keywords: Shape) {
  return { extensions: { shape: keywords } };
}

/** Shape that an argument or field declares. */
export function shapeOf(field: { readonly extensions?: Readonly<Record<string, unknown>> } | undefined): Shape {
  return (field?.extensions?.['shape'] as Shape | undefined) ?? NONE;
}

/** Bounds of an input that declares nothing else, so that none is without. */
const DEFAULT_SHAPES = {
  list: { maxItems: 100 },
  name: { maxLength: 255 },
  text: { maxLength: 1_000 },
} as const satisfies Record<string, Shape>;

const inputShapes = new WeakMap<object, Shape>();

/** The shape of an argument or a member of an input object: what it declares, and else the usual bounds of its type. */
export function shapeOfInput(input: Pick<Input, 'type' | 'extensions'>): Shape {
  const known = inputShapes.get(input);
  if (known) return known;
  const found = { ...defaultShapeOf(input.type), ...shapeOf(input) };
  inputShapes.set(input, found);
  return found;
}

function defaultShapeOf(type: GraphQLInputType): Shape {
  const plain = getNullableType(type);
  if (isListType(plain)) return { ...DEFAULT_SHAPES.list, items: defaultShapeOf(plain.ofType) };
  if (plain === GraphQLID) return DEFAULT_SHAPES.name;
  return plain === GraphQLString ? DEFAULT_SHAPES.text : NONE;
}

/**
 * The shape of a variable, of which is only known that it is handed to some argument: a list is no longer than any, a
 * text as long as it is.
 */
export function shapeOfVariable(type: GraphQLInputType): Shape {
  return isListType(getNullableType(type)) ? DEFAULT_SHAPES.list : NONE;
}

/**
 * Explains to its caller how a value exceeds its bounds; null if it does not. Lists are measured before any of their
 * items is looked at.
 */
export function findOutOfBounds(value: unknown, bounds: Shape): Said | null {
  if (bounds === NONE || value === null || value === undefined) return null;
  if (typeof value === 'number') return findOutOfRange(value, bounds);
  if (value instanceof Decimal) return findOutOfRange(value.toNumber(), bounds);
  if (typeof value === 'string') return findWrongLength(value, bounds);
  return Array.isArray(value) ? findWrongCount(value.length, bounds) : null;
}

function findOutOfRange(value: number, { minimum = -Infinity, maximum = Infinity }: Shape): Said | null {
  if (value >= minimum && value <= maximum) return null;
  if (maximum === Infinity) return minimum === 0 ? say`must not be negative` : say`must be at least ${minimum}`;
  return minimum === -Infinity ? say`must be at most ${maximum}` : say`must be between ${minimum} and ${maximum}`;
}

function findWrongLength(value: string, { minLength = 0, maxLength = Infinity }: Shape): Said | null {
  const length = minLength > 0 || value.length > maxLength ? countCharacters(value.trim()) : 0;
  if (length < minLength)
    return minLength === 1 ? say`must not be empty` : say`must be at least ${minLength} characters`;
  return length > maxLength ? say`must be at most ${maxLength} characters` : null;
}

function findWrongCount(count: number, { minItems = 0, maxItems = Infinity }: Shape): Said | null {
  if (count >= minItems && count <= maxItems) return null;
  if (maxItems === Infinity) return say`must have at least ${minItems} items`;
  return minItems === 0 ? say`must have at most ${maxItems} items` : say`must have ${minItems} to ${maxItems} items`;
}

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions'>;

function* findMistakes(value: unknown, type: GraphQLInputType, bounds: Shape, path: string): Generator<Detail> {
  if (value === null || value === undefined) return;
  const message = findOutOfBounds(value, bounds);
  if (message) return yield { path, message };
  const plain = getNullableType(type);
  if (isListType(plain) && Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* findMistakes(item, plain.ofType, bounds.items ?? NONE, `${path}[${index}]`);
  } else if (isInputObjectType(plain)) {
    const members = value as Readonly<Record<string, unknown>>;
    for (const field of Object.values(plain.getFields()))
      yield* findMistakes(members[field.name], field.type, shapeOfInput(field), `${path}.${field.name}`);
  }
}

/** Refuses arguments that are out of their bounds, once it is known that the caller may use the field at all. */
class ShapesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return Object.keys(args).length === 0 ? resolve : guardResolver(resolve);
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    { args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && Object.keys(args).length > 0 ? guardResolver(subscribe) : subscribe;
  }
}

/** Arguments that fit: where all rows are handed the same, it is looked at once. They are those of one field. */
const fitting = new SideTable<object, Set<object>>();

function guardResolver<Context extends object>(
  resolve: GraphQLFieldResolver<unknown, Context, object>,
): GraphQLFieldResolver<unknown, Context, object> {
  return (parent, args, context, info) => {
    const known = fitting.get(context);
    if (known?.has(args)) return resolve(parent, args, context, info);
    const inputs = info.parentType.getFields()[info.fieldName]!.args;
    const changes = info.operation.operation === OperationTypeNode.MUTATION;
    const given = changes ? (args as Given) : trimBlanks(args as Given, inputs);
    const details = inputs.flatMap((input) => [
      ...findMistakes(given[input.name], input.type, shapeOfInput(input), input.name),
    ]);
    if (details.length > 0) throw refuseValues(details);
    if (given === args && Object.isFrozen(args)) {
      if (known) known.add(args);
      else fitting.set(context, new Set([args]));
    }
    return resolve(parent, given, context, info);
  };
}

type Given = Readonly<Record<string, unknown>>;

/** A filter that is left blank is as if it were left out. */
function trimBlanks(given: Given, inputs: readonly GraphQLArgument[]): Given {
  const blank = inputs.filter(({ name, type }) => given[name] === '' && !isNonNullType(type));
  return blank.length === 0 ? given : { ...given, ...Object.fromEntries(blank.map(({ name }) => [name, null])) };
}

declare global {
  // eslint-disable-next-line typescript/no-namespace -- how Pothos learns of its plugins
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      shapes: ShapesPlugin<Types>;
    }
  }
}

SchemaBuilder.registerPlugin('shapes', ShapesPlugin);

/**
 * The name of the plugin that enforces shapes. It stands after those that look at access: what it refuses, they have
 * let pass.
 */
export const shapes = 'shapes';
